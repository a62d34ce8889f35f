"""Where the vertices of a picture go: in rows by their distance from the base, in an order with short heavy edges."""

from __future__ import annotations

import math
import random

from .graph import TrainGraph

Places = dict[str, tuple[float, float]]
TRIES = 4000
"""Exchanges of two neighbours that are tried,"""
EFFORT = 1_500_000
"""and for large graphs fewer: so many comparisons of edges take about a second."""


def arrange(graph: TrainGraph) -> Places:
    """Place of each link: x to the right, y up, the base on top; neighbours in a row are at least one unit apart."""
    children: dict[str, list[str]] = {link: [] for link in graph.level}
    for link in sorted(graph.level, key=lambda link: graph.level[link]):
        rate = graph.joint_of(link)
        if rate is not None:
            children[rate.parent].append(link)
    edges = [(c.a, c.b) for c in graph.circuits]
    widths = {link: max(1.0, 0.11 * len(link) + 0.55) for link in graph.level}
    thin = [(parent, link) for parent, below in children.items() for link in below]
    present = _places(graph, children, widths)
    score = _score(present, edges, thin)
    best, lowest = present, score
    movable = [link for link, below in children.items() if len(below) > 1]
    dice = random.Random(1)
    tries = min(TRIES, EFFORT // (1 + (len(edges) + len(thin)) * (len(edges) + len(graph.level))))
    for k in range(tries if movable and edges else 0):
        # Simulated annealing: a worse order is taken now and then, less and less often.
        heat = 2.0 * (1 - k / tries) ** 2 + 1e-9
        below = children[dice.choice(movable)]
        i, j = dice.sample(range(len(below)), 2)
        below[i], below[j] = below[j], below[i]
        places = _places(graph, children, widths)
        new = _score(places, edges, thin)
        if new <= score or dice.random() < math.exp((score - new) / heat):
            present, score = places, new
            if score < lowest:
                best, lowest = present, score
        else:
            below[i], below[j] = below[j], below[i]
    return best


def _places(graph: TrainGraph, children: dict[str, list[str]], widths: dict[str, float]) -> Places:
    """A tree with each link in the middle above what it carries."""
    out: Places = {}
    # Links with something below them keep their neighbours' subtrees out of the way, row by row.
    edge: dict[int, float] = {}

    def put(link: str) -> float:
        row = graph.level[link]
        below = [put(child) for child in children[link]]
        width = widths[link]
        x = (below[0] + below[-1]) / 2 if below else edge.get(row, 0.0) + width / 2
        left = edge.get(row, 0.0) + width / 2
        if x < left:
            shift = left - x
            for child in children[link]:
                _move(child, shift)
            x = left
        out[link] = (x, -1.25 * row)
        edge[row] = x + width / 2
        return x

    def _move(link: str, shift: float) -> None:
        x, y = out[link]
        out[link] = (x + shift, y)
        row = graph.level[link]
        edge[row] = max(edge[row], x + shift + widths[link] / 2)
        for child in children[link]:
            _move(child, shift)

    for base in graph.bases:
        put(base)
    return out


def _score(places: Places, heavy: list[tuple[str, str]], thin: list[tuple[str, str]]) -> float:
    """Short and uncrossed heavy edges are good."""
    lines = [(*places[a], *places[b]) for a, b in heavy]
    tree = [(*places[a], *places[b]) for a, b in thin]
    length = sum(abs(x1 - x2) + 0.3 * abs(y1 - y2) for x1, y1, x2, y2 in lines)
    crossings = sum(_cross(p, q) for k, p in enumerate(lines) for q in lines[k + 1 :])
    mixed = sum(_cross(p, q) for p in lines for q in tree)
    over = sum(_passes_over(line, p) for line in lines for p in places.values())
    return length + 3.0 * crossings + 1.0 * mixed + 2.0 * over


Line = tuple[float, float, float, float]


def _cross(p: Line, q: Line) -> bool:
    def side(line: Line, x: float, y: float) -> float:
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    return side(p, q[0], q[1]) * side(p, q[2], q[3]) < 0 and side(q, p[0], p[1]) * side(q, p[2], p[3]) < 0


def _passes_over(line: Line, point: tuple[float, float]) -> bool:
    """Whether a vertex other than its ends is on a line."""
    x1, y1, x2, y2 = line
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    t = ((point[0] - x1) * dx + (point[1] - y1) * dy) / square if square else 0.0
    if not 0.02 < t < 0.98:
        return False
    gap = ((x1 + t * dx - point[0]) ** 2 + (y1 + t * dy - point[1]) ** 2) ** 0.5
    return gap < 0.3
