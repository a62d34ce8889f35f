"""The graph of a mechanism: bodies as vertices, joints, meshes and forces between them as edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.layout import layout_of
from wheelwork.lazy import networkx as nx

from .style import Theme, ThemeName, styled
from .train_graph import bulge, curve, draw_graph, half_width, train_graph

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.description import Flat
    from wheelwork.trains import TrainGraph


GROUND = "ground"
Edge = tuple[str, str, str, str]
"""Body, body, kind (joint, mesh, force), what it is."""


def joint_graph(flat: Flat, *, theme: ThemeName | Theme = "light") -> Figure:
    """Which bodies are tied by what: joints thin, gear meshes heavy, forces dashed."""
    edges = edges_of(flat)
    names = [GROUND, *flat.bodies]
    names = [name for name in names if any(name in edge[:2] for edge in edges)] or names
    places = _places(names, edges)
    ways = _ways(places, edges)
    with styled(theme) as look:
        styles = {
            kind: style for kind, style in _styles(look).items() if any(kind == edge[2] for edge in edges)
        }
        words, marks = {name: name for name in names}, ([GROUND], [GROUND])
        figure, _ = draw_graph(places, words, ways, styles, marks, look, labelled=len(edges) <= 60)
    return figure


def _ways(places: dict[str, tuple[float, float]], edges: list[Edge]) -> list[tuple[str, np.ndarray, str]]:
    """Kind, curve and label of each edge; several between the same bodies bulge to either side."""
    words, seen = {name: name for name in places}, dict[frozenset[str], int]()
    out = []
    for a, b, kind, text in edges:
        times = seen[frozenset((a, b))] = seen.get(frozenset((a, b)), -1) + 1
        bend = bulge(places, words, a, b) + (0.0 if times == 0 else 0.35 * (-1) ** times * ((times + 1) // 2))
        out.append((kind, curve(np.array(places[a]), np.array(places[b]), bend), text))
    return out


def edges_of(flat: Flat) -> list[Edge]:
    """What ties the bodies of a flat description together."""
    out: list[Edge] = []
    for kind, elements in (("joint", flat.joints), ("mesh", flat.meshes), ("force", flat.forces)):
        for placed in elements.values():
            element: Any = placed.element
            bodies = _bodies(element)
            if len(bodies) == 2:
                out.append((*bodies, kind, element.type.replace("_", " ")))
    return out


def _bodies(element: Any) -> tuple[str, ...]:
    """The bodies of an element: of a contact those of its surfaces."""
    if hasattr(element, "a") and hasattr(element, "b"):
        return tuple(str(getattr(side, "body", GROUND)) for side in (element.a, element.b))
    return tuple(getattr(element, "bodies", None) or ())


def _styles(look: Theme) -> dict[str, dict[str, Any]]:
    return {
        "joint": {"color": look.soft, "linewidth": 1.2, "linestyle": "-", "label": "joint"},
        "mesh": {"color": look.series[1], "linewidth": 3.5, "linestyle": "-", "label": "gear mesh"},
        "force": {"color": look.series[2], "linewidth": 1.4, "linestyle": "--", "label": "force"},
    }


def _places(names: list[str], edges: list[Edge]) -> dict[str, tuple[float, float]]:
    """Neighbours near each other, none on top of another; ground above where that is possible."""
    graph = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((a, b) for a, b, _, _ in edges if a in graph and b in graph)
    found: dict[str, np.ndarray] = {}
    offset = 0.0
    for part in nx.connected_components(graph):
        piece = graph.subgraph(sorted(part, key=names.index))
        own = nx.kamada_kawai_layout(piece) if len(piece) > 1 else {next(iter(piece)): np.zeros(2)}
        points = np.array(list(own.values()))
        scale = _scale(points, [half_width(name) for name in own])
        points = points * scale
        points[:, 0] += offset - points[:, 0].min()
        offset = points[:, 0].max() + 2.0
        found.update(zip(own, points, strict=True))
    if GROUND in found:
        middle = np.mean(list(found.values()), axis=0)
        if found[GROUND][1] < middle[1]:
            found = {name: np.array([p[0], 2 * middle[1] - p[1]]) for name, p in found.items()}
    return {name: (float(p[0]), float(p[1])) for name, p in found.items()}


def _scale(points: np.ndarray, widths: list[float]) -> np.ndarray:
    """Stretch so that boxes with names do not overlap."""
    if len(points) < 2:
        return np.ones(2)
    k, j = np.triu_indices(len(points), 1)
    gaps = np.abs(points[k] - points[j])
    room = np.array([widths[a] + widths[b] + 0.3 for a, b in zip(k, j, strict=True)])
    across = room / np.maximum(gaps[:, 0], 1e-9)
    along = 0.75 / np.maximum(gaps[:, 1], 1e-9)
    needed = float(np.max(np.minimum(across, along)))
    return np.full(2, float(np.clip(needed, 1.2 * np.sqrt(len(points)) / 2, 2.5 * np.sqrt(len(points)))))


# -- the graph that says most about a mechanism


def train_of(flat: Flat) -> TrainGraph | None:
    """The gear train of a mechanism, if it has one; one whose wheels have no carrier is a `ModelError`."""
    if not flat.meshes:
        return None
    train = layout_of(flat).train_graph
    return train if train.circuits or train.ties else None


def graph_of(flat: Flat, *, theme: ThemeName | Theme = "light") -> Figure:
    """The gear train as a graph, or bodies and joints where there are no gears."""
    try:
        train = train_of(flat)
    except ModelError:  # wheels that turn in no common link
        train = None
    return joint_graph(flat, theme=theme) if train is None else train_graph(train, theme=theme)
