"""Pictures of graphs: links as vertices, joints as thin edges with axis labels, gear pairs as heavy edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import mpl_lines
from wheelwork.trains.displacement import open_loop_chain
from wheelwork.trains.graph import TrainGraph
from wheelwork.trains.layout import Places, alike, arrange

from .sketch import Sketch
from .style import Theme, ThemeName, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAVY = 1
"""In the theme's series: gear pairs."""
OPEN = 0
"""In the theme's series: clutches, brakes and synchronisers that count as open."""
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
    ways = _ways(graph, canonical, places, names)
    with styled(theme) as look:
        marks = open_loop_chain(graph, output), graph.bases
        figure, axes = draw_graph(places, names, ways, _styles(graph, look), marks, look, 1.05)
        if graph.train.name:
            axes.set_title(graph.train.name, loc="center")
    return figure


Way = tuple[str, np.ndarray, str]
"""An edge of the graph: its kind, the points of its curve, and what is written on it."""


def draw_graph(
    places: Places,
    names: Mapping[str, str],
    ways: Sequence[Way],
    styles: Mapping[str, dict[str, Any]],
    marks: tuple[Collection[str], Collection[str]],
    look: Theme,
    scale: float = 1.0,
    labelled: bool = True,
) -> tuple[Figure, Any]:
    """Vertices at their places, edges and a legend in the styles of their kinds.

    marks: vertices that are filled, and those with a bold edge; styles of a kind without edges are for the legend alone
    """
    left, right, lowest, highest = extent(places, names, ways)
    figure = look.figure(max(2.6, scale * (highest - lowest)), max(4.5, scale * (right - left)))
    axes, labels = figure.add_subplot(), boxes_of(places, names)
    for kind, points, text in ways:
        style = styles[kind]
        thin = style["color"] == look.soft
        axes.plot(*points.T, zorder=1 if thin else 2, **{k: style[k] for k in style if k != "label"})
        if labelled:
            labels.append(label(axes, points, text, labels, look, color=style["color"], italic=thin))
    for vertex_, (x, y) in places.items():
        fill = look.fill if vertex_ in marks[0] else look.paper
        vertex(axes, x, y, names[vertex_], fill, look, bold=vertex_ in marks[1])
    axes.set_xlim(left, right)
    axes.set_ylim(lowest, highest)
    bare(axes)
    if styles:
        below(axes, list(styles.values()))
    return figure, axes


def _ways(graph: TrainGraph, canonical: bool, places: Places, names: Mapping[str, str]) -> list[Way]:
    """Curves of joints, then of gear pairs."""
    out: list[Way] = []
    edges = list(graph.edges(canonical))
    bent: dict[tuple[str, str], list[float]] = {}
    for kind in ("thin", "heavy", "tied", "open"):
        for a, b, data in edges:
            if data["kind"] == kind and a in places and b in places:
                text = _sizes(graph, data["name"]) if kind == "heavy" else data["label"]
                a, b = sorted((a, b))
                others = bent.setdefault((a, b), [])
                if not _has_room(places, names, a, b, text):
                    others.append(0.0)
                others.append(bulge(places, names, a, b, others))
                own = graph.axes[data["label"]].kind if kind == "thin" else kind
                out.append((own, curve(np.array(places[a]), np.array(places[b]), others[-1]), text))
    return out


def _has_room(places: Places, names: Mapping[str, str], a: str, b: str, text: str) -> bool:
    """Whether a straight edge has room for its text: between neighbours in a row it may have none."""
    (x, y), (u, v) = places[a], places[b]
    if abs(y - v) > 0.1:
        return True
    return abs(x - u) - half_width(names[a]) - half_width(names[b]) > 0.11 * len(text) + 0.3


def _sizes(graph: TrainGraph, name: str) -> str:
    """Teeth; of a ratio that and its carrier, where thin edges do not tell who that is."""
    circuit = next(c for c in graph.circuits if c.name == name)
    text = circuit.gear.sizes_text
    told = all(axis.reference == circuit.carrier for axis in (circuit.axis_a, circuit.axis_b))
    return text.partition(" in ")[0] if told else text.replace(" in ", "\nin ")


def extent(
    places: Places, names: Mapping[str, str], ways: Sequence[tuple[Any, np.ndarray, str]]
) -> tuple[float, float, float, float]:
    """Left, right, lowest and highest of all that is drawn, with room around it."""
    boxes = boxes_of(places, names) or [(0, 0, 1, 1)]
    # A label is written on the middle part of its curve.
    boxes += [(x, y, half_width(text), 0.12) for _, points, text in ways for x, y in points[6:19]]
    x, y, wide, tall = np.array(boxes, dtype=float).T
    left, right = float((x - wide).min()), float((x + wide).max())
    return left - 0.2, right + 0.2, float((y - tall).min()) - 0.3, float((y + tall).max()) + 0.2


Box = tuple[float, float, float, float]
"""What covers a picture: x, y, half its width, half its height."""


def boxes_of(places: Places, names: Mapping[str, str]) -> list[Box]:
    """The vertices, on which no label is written."""
    return [(x, y, half_width(names[link]), RADIUS) for link, (x, y) in places.items()]


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


def bulge(places: Places, names: Mapping[str, str], a: str, b: str, others: Sequence[float] = ()) -> float:
    """The straightest way that keeps clear of the other vertices, and of `others` between these two."""
    start, end = np.array(places[a]), np.array(places[b])

    def clearance(bulge: float) -> float:
        points = curve(start, end, bulge)
        gaps = [10.0]
        for link, place in places.items():
            if link not in (a, b):
                beyond = np.abs(points - place) - [half_width(names[link]), RADIUS]
                gaps.append(float(np.hypot(*np.maximum(beyond, 0).T).min()))
        return min(gaps)

    free = [bulge for bulge in BENDS if bulge not in others] or BENDS
    good = [bulge for bulge in free if clearance(bulge) >= 0.5 * RADIUS]
    return good[0] if good else max(free, key=clearance)


def label(
    axes: Any,
    points: np.ndarray,
    text: str,
    others: Sequence[Box],
    look: Theme,
    *,
    color: str,
    italic: bool = False,
) -> Box:
    """Write a label on an edge, in the middle unless something else is there; returns what it covers."""
    rows = text.split("\n")
    wide, high = 0.045 * max(map(len, rows)) + 0.05, 0.11 * len(rows)

    def room(place: np.ndarray) -> float:
        gaps = (max(abs(place[0] - x) - w - wide, abs(place[1] - y) - h - high) for x, y, w, h in others)
        return min(gaps, default=10.0)

    points = _beside_short(points, wide, high)
    middles = [points[k] for k in (12, 10, 14, 9, 15, 8, 16, 7, 17)]
    place = next((at for at in middles if room(at) > 0), max(middles, key=room))
    box = {"boxstyle": "round,pad=0.15", "facecolor": look.paper, "edgecolor": "none"}
    style = "italic" if italic else "normal"
    axes.text(
        *place, text, color=color, fontsize=8.5, style=style, ha="center", va="center", zorder=3, bbox=box
    )
    return float(place[0]), float(place[1]), wide, high


def _beside_short(points: np.ndarray, wide: float, high: float) -> np.ndarray:
    """Where the label of an edge goes: on it, or outside of its bulge where little of the edge would be seen."""
    start, end = points[0], points[-1]
    if abs(start[1] - end[1]) > 0.1 or abs(start[0] - end[0]) - 2 * RADIUS > 2 * wide + 0.6:
        return points
    up = points[12][1] >= start[1] - 1e-9
    return np.add(points, (0.0, (high + 0.06) * (1 if up else -1)))


def vertex(axes: Any, x: float, y: float, name: str, fill: str, look: Theme, *, bold: bool = False) -> None:
    """A box with round ends and a name."""
    angle = np.radians(np.linspace(-90, 90, 19))
    right = half_width(name) - RADIUS + RADIUS * np.cos(angle)
    across, up = np.append(right, -right), np.append(RADIUS * np.sin(angle), -RADIUS * np.sin(angle))
    width = 2.2 if bold else 1.2
    axes.fill(
        x + across, y + up, facecolor=fill, edgecolor=look.ink, linewidth=width, linestyle="-", zorder=4
    )
    axes.text(x, y - 0.01, name, ha="center", va="center", fontsize=9, color=look.ink, zorder=5)


def _styles(graph: TrainGraph, look: Theme) -> dict[str, dict[str, Any]]:
    """Lines of the kinds of edges that there are, and what the legend has besides."""

    def line(color: str, width: float, style: str, words: str) -> dict[str, Any]:
        return {"color": color, "linewidth": width, "linestyle": style, "label": words}

    thin, heavy = look.soft, look.series[HEAVY]
    styles = {"turning": line(thin, 1.2, "-", "turning pair, by axis")}
    if any(axis.kind == "sliding" for axis in graph.axes.values()):
        styles["sliding"] = line(thin, 1.2, "--", "sliding pair")
    what = "teeth" if all(c.gear.carrier is None for c in graph.circuits) else "teeth or ratio and carrier"
    if graph.circuits:
        styles["heavy"] = line(heavy, 4.0, "-", f"gear pair, by {what}")
    if graph.ties:
        styles["tied"] = line(heavy, 2.0, "--", "coupler")
    if any(data["kind"] == "open" for _, _, data in graph.edges()):
        styles["open"] = line(look.series[OPEN], 1.6, ":", "clutch or brake, open")
    filled = {"marker": "o", "markerfacecolor": look.fill, "markeredgecolor": look.ink}
    return {**styles, "major": {**filled, "linestyle": "none", "label": "major link"}}


def below(axes: Any, entries: Sequence[Mapping[str, Any]]) -> None:
    """A legend under the picture."""
    if isinstance(axes, Sketch):
        axes.legend(entries)
        return
    lines = [mpl_lines.Line2D([], [], **entry) for entry in entries]
    axes.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(lines), frameon=False)
