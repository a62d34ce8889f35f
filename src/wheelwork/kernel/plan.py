"""Order of elimination for the multipliers, and where blocks fill in.

S = G M^-1 G^T has a block for every pair of constraints that share a moving body. Constraints are eliminated in an order of
least degree (weighted by rows), which keeps chains and trees free of fill and rings nearly so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np


@dataclass(frozen=True)
class EliminationPlan:
    """Tables for the runtime; see ``runtime/block_ldl.hpp`` and ``program.hpp``."""

    order: np.ndarray
    below_start: np.ndarray
    below_node: np.ndarray
    update_start: np.ndarray
    update: np.ndarray
    coupling: np.ndarray


def least_degree(neighbours: list[set[int]], weights: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """An order of elimination, and for each step the nodes that the eliminated one is still tied to."""
    graph = [set(nodes) for nodes in neighbours]
    left = set(range(len(graph)))
    degree = {k: sum(weights[j] for j in graph[k]) for k in left}
    order, ties = [], []
    while left:
        node = min(left, key=lambda k: (degree[k], k))
        around = graph[node]
        order.append(node)
        ties.append(sorted(around))
        left.remove(node)
        del degree[node]
        for k in around:
            graph[k] |= around
            graph[k] -= {k, node}
        for k in around:
            degree[k] = sum(weights[j] for j in graph[k])
    return order, ties


def plan(bodies: Sequence[tuple[int, int]], rows: Sequence[int]) -> EliminationPlan:
    """`bodies`: the two bodies of each constraint (-1: ground); `rows`: its number of rows."""
    count = len(bodies)
    of_body: dict[int, list[tuple[int, int]]] = {}
    for node, pair in enumerate(bodies):
        for side, body in enumerate(pair):
            if body >= 0:
                of_body.setdefault(body, []).append((node, side))
    neighbours: list[set[int]] = [set() for _ in range(count)]
    shared = []
    for uses in of_body.values():
        for (i, side_i), (j, side_j) in combinations(uses, 2):
            if i != j:
                neighbours[i].add(j)
                neighbours[j].add(i)
                shared.append((i, side_i, j, side_j))
    order, ties = least_degree(neighbours, rows)
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
    coupling = []
    for i, side_i, j, side_j in shared:
        late, early = ((i, side_i), (j, side_j)) if step_of[i] > step_of[j] else ((j, side_j), (i, side_i))
        coupling.append((slot[late[0], early[0]], *late, *early))

    def table(values: Sequence[object], width: int = 1) -> np.ndarray:
        array = np.array(values, dtype=np.int32)
        return array.reshape(-1, width) if width > 1 else array

    return EliminationPlan(
        table(order), table(below_start), table(below_node), table(update_start), table(update, 3), table(coupling, 5)
    )
