"""Pictures of graphs: links as vertices, joints as thin edges with axis labels, gear pairs as heavy edges."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .displacement import open_loop_chain
from .graph import TrainGraph
from .layout import Places, alike, arrange

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, THIN, HEAVY, MAJOR, CARRIED = "#22303c", "#5b6b7a", "#d9622b", "#cfe0f3", "#ffffff"
RADIUS = 0.24
"""Of a vertex, in units of the grid."""
BENDS = (0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9, 1.3, -1.3, 1.8, -1.8)
"""Ways an edge may bulge in its middle, in units of the grid; straighter ones first."""


def draw_graph(
    graph: TrainGraph, canonical: bool = True, output: str | None = None, every_planet: bool = False
) -> Figure:
    """The graph as a matplotlib figure.

    `canonical` has coaxial joints rearranged (Chen, fig. 3); otherwise they are as given (fig. 2). `output` is the end
    of the open-loop chain, whose links are filled. Planets that do the same are one vertex, unless `every_planet`.
    """
    from matplotlib.figure import Figure

    network = graph.as_networkx(canonical)
    same = {link: [link] for link in graph.level} if every_planet else alike(graph)
    names = {link: link if len(links) == 1 else f"{link} × {len(links)}" for link, links in same.items()}
    places = arrange(graph, names)
    chain = open_loop_chain(graph, output)
    xs, ys = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    width, height = max(xs) - min(xs) + 1.6, max(ys) - min(ys) + 1.9
    figure = Figure(figsize=(max(4.5, 1.05 * width), max(2.6, 1.05 * height)), layout="constrained")
    axes = figure.add_subplot()
    labels: list[np.ndarray] = []
    lowest, highest = min(ys), max(ys)
    for kind, color, width in (("thin", THIN, 1.2), ("heavy", HEAVY, 4.0)):
        for a, b, data in network.edges(data=True):
            if data["kind"] != kind or a not in places or b not in places:
                continue
            points = _curve(np.array(places[a]), np.array(places[b]), _bulge(places, names, a, b))
            lowest = min(lowest, points[:, 1].min())
            highest = max(highest, points[:, 1].max())
            slides = kind == "thin" and graph.axes[data["label"]].kind == "sliding"
            style = "--" if slides else "-"
            axes.plot(*points.T, style, color=color, linewidth=width, zorder=1 + (kind == "heavy"))
            text = data["label"] if kind == "thin" else graph.train.gears[data["name"]].sizes_text
            labels.append(_label(axes, points, text, color, labels))
    for link, (x, y) in places.items():
        _vertex(axes, x, y, names[link], MAJOR if link in chain else CARRIED, link in graph.bases)
    axes.set_xlim(min(xs) - 0.8, max(xs) + 0.8)
    axes.set_ylim(lowest - 0.6, highest + 0.4)
    axes.set_aspect("equal")
    axes.set_axis_off()
    _legend(axes, slides=any(axis.kind == "sliding" for axis in graph.axes.values()))
    if graph.train.name:
        axes.set_title(graph.train.name, color=INK, fontsize=11)
    return figure


def save_graph(graph: TrainGraph, path: str | os.PathLike[str], **options: Any) -> None:
    """Draw the graph into a file; its ending says how: `.svg`, `.png`, `.pdf`."""
    draw_graph(graph, **options).savefig(path, dpi=160)


def _curve(start: np.ndarray, end: np.ndarray, bulge: float, count: int = 25) -> np.ndarray:
    """Points of a parabola from start to end that bulges to the left."""
    along = (end - start) / (np.linalg.norm(end - start) or 1.0)
    control = (start + end) / 2 + 2 * bulge * np.array([-along[1], along[0]])
    t = np.linspace(0, 1, count)[:, None]
    return (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end


def _half_width(name: str) -> float:
    """Of a vertex, wide enough for its name."""
    return max(RADIUS, 0.055 * len(name) + 0.08)


def _bulge(places: Places, names: Mapping[str, str], a: str, b: str) -> float:
    """The straightest way that keeps clear of the other vertices."""
    start, end = np.array(places[a]), np.array(places[b])

    def clearance(bulge: float) -> float:
        points = _curve(start, end, bulge)
        gaps = [10.0]
        for link, place in places.items():
            if link not in (a, b):
                beyond = np.abs(points - place) - [_half_width(names[link]), RADIUS]
                gaps.append(float(np.hypot(*np.maximum(beyond, 0).T).min()))
        return min(gaps)

    good = [bulge for bulge in BENDS if clearance(bulge) >= 0.5 * RADIUS]
    return good[0] if good else max(BENDS, key=clearance)


def _label(axes: Any, points: np.ndarray, text: str, color: str, others: list[np.ndarray]) -> np.ndarray:
    """Write a label on an edge, in the middle unless another label is there; returns its place."""

    def room(k: int) -> float:
        return min((float(np.hypot(*((points[k] - p) / [1.6, 1.0]))) for p in others), default=10.0)

    places = (12, 10, 14, 9, 15, 8, 16)
    k = next((k for k in places if room(k) > 0.3), max(places, key=room))
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    style = "italic" if color == THIN else "normal"
    axes.text(
        *points[k], text, color=color, fontsize=8.5, style=style, ha="center", va="center", zorder=3, bbox=box
    )
    return points[k]


def _vertex(axes: Any, x: float, y: float, name: str, fill: str, is_base: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    width = 2 * _half_width(name)
    box = FancyBboxPatch(
        (x - width / 2 + RADIUS, y),
        width - 2 * RADIUS,
        0,
        boxstyle=f"round,pad={RADIUS},rounding_size={RADIUS}",
        facecolor=fill,
        edgecolor=INK,
        linewidth=2.2 if is_base else 1.2,
        zorder=4,
    )
    axes.add_patch(box)
    axes.text(x, y - 0.01, name, ha="center", va="center", fontsize=9, color=INK, zorder=5)


def _legend(axes: Any, slides: bool) -> None:
    from matplotlib.lines import Line2D

    lines = [
        Line2D([], [], color=THIN, linewidth=1.2, label="turning pair, by axis"),
        Line2D([], [], color=HEAVY, linewidth=4, label="gear pair, by teeth"),
        Line2D(
            [], [], marker="o", color="none", markerfacecolor=MAJOR, markeredgecolor=INK, label="major link"
        ),
    ]
    if slides:
        lines.insert(1, Line2D([], [], color=THIN, linewidth=1.2, linestyle="--", label="sliding pair"))
    axes.legend(
        handles=lines,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=len(lines),
        frameon=False,
        fontsize=8,
    )
