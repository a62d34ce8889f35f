"""Order of elimination for the multipliers, and where blocks fill in.

S = G M^-1 G^T has a block for every pair of constraints that share a moving body. Constraints are eliminated in
an order of least degree (weighted by rows), which keeps chains and trees free of fill and rings nearly so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

NO_BLOCK = -(2**31)
"""Reference to the block of a body that is ground."""


@dataclass(frozen=True)
class Elimination:
    """Order and fill of a symmetric block pattern; see `Plan` in ``core/block_ldl.hpp``."""

    order: np.ndarray
    below_start: np.ndarray
    below_node: np.ndarray
    update_start: np.ndarray
    update: np.ndarray
    slot: dict[tuple[int, int], int]
    """Off-diagonal block of (later node, earlier node)."""
    step_of: dict[int, int]


@dataclass(frozen=True)
class EliminationPlan:
    """Tables for the multipliers; `coupling` lists the blocks of S that couple two constraints through a body."""

    order: np.ndarray
    below_start: np.ndarray
    below_node: np.ndarray
    update_start: np.ndarray
    update: np.ndarray
    coupling: np.ndarray


@dataclass(frozen=True)
class ImplicitPlan:
    """Tables for the matrices of implicit methods; see ``core/sdirk4.hpp``."""

    elimination: Elimination
    force_pair: np.ndarray
    constraint_pair: np.ndarray


def least_degree(
    neighbours: list[set[int]], weights: Sequence[int], after: Sequence[set[int]] | None = None
) -> tuple[list[int], list[list[int]]]:
    """An order of elimination, and for each step the nodes that the eliminated one is still tied to.

    Among nodes of equal degree the one whose surroundings changed longest ago goes first: neighbours in the
    order then depend on each other as little as can be (both ends of a chain by turns), and a processor can
    work on several at once. `after[k]` are nodes that must come before k.
    """
    graph = [set(nodes) for nodes in neighbours]
    waiting = [set(nodes) for nodes in after] if after else [set() for _ in graph]
    left = set(range(len(graph)))
    ready = {k for k in left if not waiting[k]}
    degree = {k: sum(weights[j] for j in graph[k]) for k in left}
    touched = [0] * len(graph)
    order, ties = [], []
    while left:
        node = min(ready, key=lambda k: (degree[k], touched[k], k))
        around = graph[node]
        order.append(node)
        ties.append(sorted(around))
        left.remove(node)
        ready.remove(node)
        for k in around:
            graph[k] |= around
            graph[k] -= {k, node}
        for k in around:
            degree[k] = sum(weights[j] for j in graph[k])
            touched[k] = len(order)
        for k in left - ready:
            waiting[k].discard(node)
            if not waiting[k]:
                ready.add(k)
    return order, ties


def eliminate(
    neighbours: list[set[int]], weights: Sequence[int], after: Sequence[set[int]] | None = None
) -> Elimination:
    """Order, fill and updates of a block pattern."""
    order, ties = least_degree(neighbours, weights, after)
    step_of = {node: step for step, node in enumerate(order)}
    below_start, below_node, slot = [0], [], {}
    for node, around in zip(order, ties, strict=True):
        for other in sorted(around, key=step_of.__getitem__):
            slot[other, node] = len(below_node)
            below_node.append(other)
        below_start.append(len(below_node))
    update_start, update = [0], []
    for node, around in zip(order, ties, strict=True):
        nodes = sorted(around, key=step_of.__getitem__)
        for position, k in enumerate(nodes):
            for i in nodes[position:]:
                target = ~k if i == k else slot[i, k]
                update.append((slot[i, node], slot[k, node], target))
        update_start.append(len(update))
    return Elimination(
        _table(order),
        _table(below_start),
        _table(below_node),
        _table(update_start),
        _table(update, 3),
        slot,
        step_of,
    )


def plan(bodies: Sequence[tuple[int, int]], rows: Sequence[int]) -> EliminationPlan:
    """The plan of S. `bodies`: the two bodies of each constraint (-1: ground); `rows`: its number of rows."""
    of_body: dict[int, list[tuple[int, int]]] = {}
    for node, pair in enumerate(bodies):
        for side, body in enumerate(pair):
            if body >= 0:
                of_body.setdefault(body, []).append((node, side))
    neighbours: list[set[int]] = [set() for _ in bodies]
    shared = []
    for uses in of_body.values():
        for (i, side_i), (j, side_j) in combinations(uses, 2):
            if i != j:
                neighbours[i].add(j)
                neighbours[j].add(i)
                shared.append((i, side_i, j, side_j))
    e = eliminate(neighbours, rows)
    coupling = []
    for i, side_i, j, side_j in shared:
        late, early = (i, side_i), (j, side_j)
        if e.step_of[i] < e.step_of[j]:
            late, early = early, late
        coupling.append((e.slot[late[0], early[0]], *late, *early))
    return EliminationPlan(
        e.order, e.below_start, e.below_node, e.update_start, e.update, _table(coupling, 5)
    )


def implicit_plan(
    bodies: int, constraints: Sequence[tuple[int, int]], forces: Sequence[tuple[list[int], int]]
) -> ImplicitPlan:
    """The plan of the matrix [[M + ..., G^T], [G + ..., 0]]: nodes are bodies, then constraints.

    `constraints`: two bodies each; `forces`: the bodies each sees and how many of them (the first ones) it acts on.
    """
    count = bodies + len(constraints)
    neighbours: list[set[int]] = [set() for _ in range(count)]
    after: list[set[int]] = [set() for _ in range(count)]

    def tie(i: int, j: int) -> None:
        if i >= 0 and j >= 0 and i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)

    for c, (a, b) in enumerate(constraints):
        node = bodies + c
        tie(a, b)
        for body in (a, b):
            tie(body, node)
            if body >= 0:
                after[node].add(body)
    for seen, acting in forces:
        for i in seen[:acting]:
            for j in seen:
                tie(i, j)
    e = eliminate(neighbours, [6] * count, after)

    def reference(row: int, column: int) -> int:
        if row < 0 or column < 0:
            return NO_BLOCK
        if row == column:
            return ~row
        if e.step_of[row] > e.step_of[column]:
            return 2 * e.slot[row, column]
        return 2 * e.slot[column, row] + 1

    force_pair = [reference(i, j) for seen, acting in forces for i in seen[:acting] for j in seen]
    pairs = []
    for c, (a, b) in enumerate(constraints):
        node = bodies + c
        for row, column in ((a, a), (a, b), (b, a), (b, b), (a, node), (node, a), (b, node), (node, b)):
            pairs.append(reference(row, column))
    return ImplicitPlan(e, _table(force_pair), _table(pairs))


def _table(values: Sequence[object], width: int = 1) -> np.ndarray:
    array = np.array(values, dtype=np.int32)
    return array.reshape(-1, width) if width > 1 else array
