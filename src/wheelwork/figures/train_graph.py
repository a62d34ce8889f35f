"""Pictures of graphs: links as vertices, joints as thin edges with axis labels, gear pairs as heavy edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.graph.displacement import open_loop_chain
from wheelwork.graph.graph import TrainGraph
from wheelwork.graph.layout import Places, alike, arrange

from .style import Theme, ThemeName, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAVY = 1
"""In the theme's series: gear pairs."""
RADIUS = 0.24
"""Of a vertex, in units of the grid."""
BENDS = (0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9, 1.3, -1.3, 1.8, -1.8)
"""Ways an edge may bulge in its middle, in units of the grid; straighter ones first."""


def train_graph(
    graph: TrainGraph,
    canonical: bool = True,
    output: str | None = None,
    every_planet: bool = False,
    *,
    theme: ThemeName | Theme = "light",
) -> Figure:
    """The graph as a matplotlib figure.

    `canonical` has coaxial joints rearranged (Chen, fig. 3); otherwise they are as given (fig. 2). `output` is the end
    of the open-loop chain, whose links are filled. Planets that do the same are one vertex, unless `every_planet`.
    """
    same = {link: [link] for link in graph.level} if every_planet else alike(graph)
    names = {link: link if len(links) == 1 else f"{link} × {len(links)}" for link, links in same.items()}
    places = arrange(graph, names)
    xs, ys = zip(*places.values(), strict=True) if places else ((0.0,), (0.0,))
    width, height = max(xs) - min(xs) + 1.6, max(ys) - min(ys) + 1.9
    with styled(theme) as look:
        figure = look.figure(max(2.6, 1.05 * height), max(4.5, 1.05 * width))
        axes = figure.add_subplot()
        lowest, highest = _edges(axes, graph, canonical, places, names, look)
        chain = open_loop_chain(graph, output)
        for link, (x, y) in places.items():
            fill = look.fill if link in chain else look.paper
            vertex(axes, x, y, names[link], fill, look, bold=link in graph.bases)
        axes.set_xlim(min(xs) - 0.8, max(xs) + 0.8)
        axes.set_ylim(lowest - 0.6, highest + 0.4)
        bare(axes)
        _legend(axes, look, slides=any(axis.kind == "sliding" for axis in graph.axes.values()))
        if graph.train.name:
            axes.set_title(graph.train.name, loc="center")
    return figure


def _edges(
    axes: Any, graph: TrainGraph, canonical: bool, places: Places, names: Mapping[str, str], look: Theme
) -> tuple[float, float]:
    """Draw joints and gear pairs; returns how low and how high they reach."""
    heights = [y for _, y in places.values()] or [0.0]
    lowest, highest = min(heights), max(heights)
    labels: list[np.ndarray] = []
    network = graph.as_networkx(canonical)
    for kind, color, width in (("thin", look.soft, 1.2), ("heavy", look.series[HEAVY], 4.0)):
        for a, b, data in network.edges(data=True):
            if data["kind"] != kind or a not in places or b not in places:
                continue
            points = curve(np.array(places[a]), np.array(places[b]), bulge(places, names, a, b))
            lowest = min(lowest, points[:, 1].min())
            highest = max(highest, points[:, 1].max())
            slides = kind == "thin" and graph.axes[data["label"]].kind == "sliding"
            style = "--" if slides else "-"
            axes.plot(*points.T, style, color=color, linewidth=width, zorder=1 + (kind == "heavy"))
            text = data["label"] if kind == "thin" else graph.train.gears[data["name"]].sizes_text
            labels.append(label(axes, points, text, labels, look, color=color, italic=kind == "thin"))
    return lowest, highest


def bare(axes: Any) -> None:
    """No axes, and the same scale both ways."""
    axes.set_aspect("equal")
    axes.set_axis_off()


def curve(start: np.ndarray, end: np.ndarray, bulge: float, count: int = 25) -> np.ndarray:
    """Points of a parabola from start to end that bulges to the left."""
    along = (end - start) / (np.linalg.norm(end - start) or 1.0)
    control = (start + end) / 2 + 2 * bulge * np.array([-along[1], along[0]])
    t = np.linspace(0, 1, count)[:, None]
    return (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end


def half_width(name: str) -> float:
    """Of a vertex, wide enough for its name."""
    return max(RADIUS, 0.055 * len(name) + 0.08)


def bulge(places: Places, names: Mapping[str, str], a: str, b: str) -> float:
    """The straightest way that keeps clear of the other vertices."""
    start, end = np.array(places[a]), np.array(places[b])

    def clearance(bulge: float) -> float:
        points = curve(start, end, bulge)
        gaps = [10.0]
        for link, place in places.items():
            if link not in (a, b):
                beyond = np.abs(points - place) - [half_width(names[link]), RADIUS]
                gaps.append(float(np.hypot(*np.maximum(beyond, 0).T).min()))
        return min(gaps)

    good = [bulge for bulge in BENDS if clearance(bulge) >= 0.5 * RADIUS]
    return good[0] if good else max(BENDS, key=clearance)


def label(
    axes: Any,
    points: np.ndarray,
    text: str,
    others: list[np.ndarray],
    look: Theme,
    *,
    color: str,
    italic: bool = False,
) -> np.ndarray:
    """Write a label on an edge, in the middle unless another label is there; returns its place."""

    def room(k: int) -> float:
        return min((float(np.hypot(*((points[k] - p) / [1.6, 1.0]))) for p in others), default=10.0)

    places = (12, 10, 14, 9, 15, 8, 16)
    k = next((k for k in places if room(k) > 0.3), max(places, key=room))
    box = {"boxstyle": "round,pad=0.15", "facecolor": look.paper, "edgecolor": "none"}
    style = "italic" if italic else "normal"
    axes.text(
        *points[k], text, color=color, fontsize=8.5, style=style, ha="center", va="center", zorder=3, bbox=box
    )
    return points[k]


def vertex(axes: Any, x: float, y: float, name: str, fill: str, look: Theme, *, bold: bool = False) -> None:
    """A rounded box with a name."""
    from matplotlib.patches import FancyBboxPatch

    width = 2 * half_width(name)
    box = FancyBboxPatch(
        (x - width / 2 + RADIUS, y),
        width - 2 * RADIUS,
        0,
        boxstyle=f"round,pad={RADIUS},rounding_size={RADIUS}",
        facecolor=fill,
        edgecolor=look.ink,
        linewidth=2.2 if bold else 1.2,
        zorder=4,
    )
    axes.add_patch(box)
    axes.text(x, y - 0.01, name, ha="center", va="center", fontsize=9, color=look.ink, zorder=5)


def _legend(axes: Any, look: Theme, slides: bool) -> None:
    from matplotlib.lines import Line2D

    thin, heavy = look.soft, look.series[HEAVY]
    dot: dict[str, Any] = {
        "marker": "o",
        "color": "none",
        "markerfacecolor": look.fill,
        "markeredgecolor": look.ink,
    }
    lines = [
        Line2D([], [], color=thin, linewidth=1.2, label="turning pair, by axis"),
        Line2D([], [], color=heavy, linewidth=4, label="gear pair, by teeth"),
        Line2D([], [], label="major link", **dot),
    ]
    if slides:
        lines.insert(1, Line2D([], [], color=thin, linewidth=1.2, linestyle="--", label="sliding pair"))
    below(axes, lines)


def below(axes: Any, lines: list[Any]) -> None:
    """A legend under the picture."""
    axes.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(lines), frameon=False)
