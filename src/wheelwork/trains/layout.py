"""Where the vertices of a picture go: in rows by their distance from the base, in an order with short heavy edges."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from .graph import TrainGraph

Places = dict[str, tuple[float, float]]
TRIES = 4000
"""Exchanges of two neighbours that are tried,"""
EFFORT = 1_500_000
"""and for large graphs fewer: so many comparisons of edges take about a second."""


def alike(graph: TrainGraph) -> dict[str, list[str]]:
    """Links that do the same as others: planets with one carrier and equal meshes; by the first of them."""
    found: dict[object, list[str]] = {}
    carriers = {rate.parent for rate in graph.rates}
    carriers |= {link for a, b, data in graph.edges() if data["kind"] == "tied" for link in (a, b)}
    for link in graph.level:
        rate = graph.joint_of(link)
        meshes = sorted(
            (c.b if c.a == link else c.a, c.gear.type, c.a == link, c.sense, c.gear.sizes, c.carrier)
            for c in graph.meshes_of(link)
        )
        if rate is None or link in carriers or not meshes:
            found[link] = [link]
        else:
            found.setdefault((rate.parent, tuple(meshes)), []).append(link)
    return {links[0]: links for links in found.values()}


def arrange(graph: TrainGraph, shown: Mapping[str, str]) -> Places:
    """Place of each link: x to the right, y up, the base on top; neighbours in a row are apart.

    shown: the links that are to be placed, with what will be written on them
    """
    children: dict[str, list[str]] = {link: [] for link in shown}
    for link in sorted(shown, key=lambda link: graph.level[link]):
        rate = graph.joint_of(link)
        if rate is not None:
            children[rate.parent].append(link)
    edges = [(a, b) for a, b, data in graph.edges() if data["kind"] != "thin" and a in shown and b in shown]
    widths = {link: max(1.0, 0.11 * len(text) + 0.55) for link, text in shown.items()}
    thin = [(parent, link) for parent, below in children.items() for link in below]
    present = _places(graph, children, widths)
    score = _score(present, edges, thin)
    best, lowest = present, score
    movable = [link for link, below in children.items() if len(below) > 1]
    dice = random.Random(1)
    tries = min(TRIES, EFFORT // (1 + (len(edges) + len(thin)) * (len(edges) + len(shown))))
    known: dict[tuple[str, ...], tuple[Places, float]] = {}
    orders = math.prod(math.factorial(len(below)) for below in children.values())
    for k in range(tries if movable and edges else 0):
        if len(known) == orders:  # a small train: all have been looked at
            break
        # Simulated annealing: a worse order is taken now and then, less and less often.
        heat = 2.0 * (1 - k / tries) ** 2 + 1e-9
        below = children[dice.choice(movable)]
        i, j = dice.sample(range(len(below)), 2)
        below[i], below[j] = below[j], below[i]
        order = tuple(link for links in children.values() for link in links)
        if order not in known:
            places = _places(graph, children, widths)
            known[order] = places, _score(places, edges, thin)
        places, new = known[order]
        if new <= score or dice.random() < math.exp((score - new) / heat):
            present, score = places, new
            if score < lowest:
                best, lowest = present, score
        else:
            below[i], below[j] = below[j], below[i]
    # Wide pictures have their rows further apart, so that edges do not lie flat.
    width = max((x for x, _ in best.values()), default=0.0)
    return {link: (x, y * max(1.0, 0.09 * width)) for link, (x, y) in best.items()}


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
