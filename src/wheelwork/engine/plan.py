"""Order of elimination for the multipliers, and where blocks fill in.

S = G M^-1 G^T has a block for every pair of constraints that share a moving body. A body that carries many joints, a
hub, would tie all of them to each other; its accelerations stay unknowns beside the multipliers instead,

    [  S'    -G_h ] [ lambda ]   [ b ]
    [ -G_h^T -M_h ] [ a_h    ] = [ 0 ],        S = S' + G_h M_h^-1 G_h^T,

where S' has what the other bodies contribute. Nodes are eliminated in an order of least degree (weighted by rows),
which keeps chains and trees free of fill and rings nearly so. A constraint may go before its hub where the rows of all
that go before fit onto the bodies that are not hubs; any other waits for the hub, as its pivots need the hub's mass.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np

from wheelwork.lazy import dataclass

from .records import records

NO_BLOCK = -(2**31)
"""Reference to the block of a body that is ground."""

HUB_FROM = 6
"""Bodies joined to one from which on it is a hub: with fewer, a full block of multipliers is as quick."""


@dataclass(frozen=True)
class Elimination:
    """Order and fill of a symmetric block pattern; see `EliminationPlan` in ``core/program.hpp``."""

    order: np.ndarray
    below_start: np.ndarray
    below_node: np.ndarray
    update_start: np.ndarray
    update: np.ndarray
    slot: dict[tuple[int, int], int]
    """Off-diagonal block of (later node, earlier node)."""
    step_of: dict[int, int]

    def tables(self) -> dict[str, np.ndarray]:
        return {name: table for name, table in vars(self).items() if isinstance(table, np.ndarray)}


@dataclass(frozen=True)
class EliminationPlan(Elimination):
    """Tables for the multipliers; `coupling` lists the blocks of S' that couple two constraints through a body, `hub`
    the bodies that are nodes after the constraints, `hub_tie` the blocks between constraints and hubs."""

    coupling: np.ndarray
    hub: np.ndarray
    hub_tie: np.ndarray


@dataclass(frozen=True)
class ImplicitPlan(Elimination):
    """Tables for the matrices of implicit methods; see ``core/sdirk4.hpp``."""

    force_blocks: np.ndarray
    constraint_blocks: np.ndarray


def least_degree(
    neighbours: list[set[int]], weights: Sequence[int], after: Sequence[set[int]] | None = None
) -> tuple[list[int], list[list[int]]]:
    """An order of elimination, and for each step the nodes that the eliminated one is still tied to.

    Among nodes of equal degree the one whose surroundings changed longest ago goes first: neighbours in the
    order then depend on each other as little as can be (both ends of a chain by turns), and a processor can
    work on several at once. `after[k]` are nodes that must come before k.
    """
    graph = [set(nodes) for nodes in neighbours]
    waiting = [len(nodes) for nodes in after] if after else [0] * len(graph)
    waited_for: list[list[int]] = [[] for _ in graph]
    for k, nodes in enumerate(after or ()):
        for node in nodes:
            waited_for[node].append(k)
    # a node is in the queue again whenever its key changes; the old entries are passed over
    key = [(sum(weights[j] for j in around), 0, k) for k, around in enumerate(graph)]
    queue = [key[k] for k in range(len(graph)) if not waiting[k]]
    heapq.heapify(queue)
    done = [False] * len(graph)
    order, ties = [], []
    while queue:
        entry = heapq.heappop(queue)
        node = entry[2]
        if done[node] or entry != key[node]:
            continue
        done[node] = True
        around = graph[node]
        order.append(node)
        ties.append(sorted(around))
        for k in around:
            new = around - graph[k]
            new.discard(k)
            graph[k] |= new
            graph[k].discard(node)
            key[k] = (key[k][0] + sum(weights[j] for j in new) - weights[node], len(order), k)
            if not waiting[k]:
                heapq.heappush(queue, key[k])
        for k in waited_for[node]:
            waiting[k] -= 1
            if not waiting[k]:
                heapq.heappush(queue, key[k])
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
        records("UpdateRow", update),
        slot,
        step_of,
    )


def hubs_of(bodies: Sequence[tuple[int, ...]]) -> list[int]:
    """The bodies with joints to so many others that they stay unknowns beside the multipliers."""
    count: dict[int, int] = {}
    for pair in {*bodies}:  # a joint and the friction in it count as one
        for body in {*pair}:
            count[body] = count.get(body, 0) + 1
    return sorted(body for body, number in count.items() if body >= 0 and number >= HUB_FROM)


def waiting_for_hubs(
    bodies: Sequence[tuple[int, ...]],
    rows: Sequence[int],
    hubs: set[int],
    room: int,
    passing: Collection[int] = (),
) -> set[int]:
    """Constraints that come after their hubs, since the other bodies have no room for all of their rows.

    Rows are handed out to the bodies that are not hubs, `room` to each, moving others on where a body is full: where
    this cannot be done, rows must depend on each other while the hubs are held. `passing` constraints, which hold at
    times only (joints that stick), come last, as if all of them held: with fewer, pivots are larger.
    """
    light = [[body for body in dict.fromkeys(pair) if body >= 0 and body not in hubs] for pair in bodies]
    holds: dict[int, dict[int, int]] = {body: {} for own in light for body in own}  # rows by constraint
    full = dict.fromkeys(holds, 0)

    def place(c: int) -> bool:
        """One row of a constraint more, on the nearest body with room; rows on the way there move on by one body."""
        came: dict[int, tuple[int, int]] = {body: (-1, c) for body in light[c]}  # from a body, with a row of
        queue = list(came)
        for body in queue:
            if full[body] < room:
                full[body] += 1
                while body >= 0:
                    origin, moved = came[body]
                    holds[body][moved] = holds[body].get(moved, 0) + 1
                    if origin >= 0:
                        holds[origin][moved] -= 1
                    body = origin
                return True
            for moved, number in holds[body].items():
                for other in light[moved] if number else ():
                    if other not in came:
                        came[other] = (body, moved)
                        queue.append(other)
        return False

    late, seldom = set(), set(passing)
    for c in sorted(range(len(bodies)), key=lambda c: (c in seldom, any(body in hubs for body in bodies[c]))):
        if not all(place(c) for _ in range(rows[c])) and any(body in hubs for body in bodies[c]):
            late.add(c)
            for body in light[c]:
                full[body] -= holds[body].pop(c, 0)
    return late


def plan(
    bodies: Sequence[tuple[int, ...]],
    rows: Sequence[int],
    freedoms: int = 6,
    passing: Collection[int] = (),
    late: Collection[int] = (),
    hubs: Sequence[int] | None = None,
) -> EliminationPlan:
    """The plan of S.

    bodies: those of each constraint (-1: ground)
    rows: its number of rows
    freedoms: of a body
    passing: constraints that hold at times only
    late: constraints that come after all hubs: those that need the mass of one, which need not be their own
    hubs: bodies that stay unknowns; where not given, `hubs_of`
    """
    chosen = hubs_of(bodies) if hubs is None else list(hubs)
    node_of = {body: len(bodies) + k for k, body in enumerate(chosen)}
    waiting = {*late, *(waiting_for_hubs(bodies, rows, set(chosen), freedoms, passing) if chosen else ())}
    of_body: dict[int, list[tuple[int, int]]] = {}
    for node, pair in enumerate(bodies):
        for side, body in enumerate(pair):
            if body >= 0:
                of_body.setdefault(body, []).append((node, side))
    neighbours: list[set[int]] = [set() for _ in range(len(bodies) + len(chosen))]
    every_hub = set(node_of.values())
    after = [set(every_hub) if c in late else set() for c in range(len(neighbours))]
    shared, tied = [], []
    for body, uses in of_body.items():
        if body in node_of:
            hub = node_of[body]
            for c, side in uses:
                neighbours[c].add(hub)
                neighbours[hub].add(c)
                tied.append((c, side, hub))
                if c in waiting:
                    after[c].add(hub)
            continue
        for (i, side_i), (j, side_j) in combinations(uses, 2):
            if i != j:
                neighbours[i].add(j)
                neighbours[j].add(i)
                shared.append((i, side_i, j, side_j))
    e = eliminate(neighbours, [*rows, *[freedoms] * len(chosen)], after)
    coupling = []
    for i, side_i, j, side_j in shared:
        first, second = sorted(((i, side_i), (j, side_j)), key=lambda use: e.step_of[use[0]])
        coupling.append((e.slot[second[0], first[0]], *second, *first))
    ties = []
    for c, side, hub in tied:
        before = e.step_of[c] < e.step_of[hub]
        ties.append((e.slot[(hub, c) if before else (c, hub)], c, side, hub, int(before)))
    return EliminationPlan(
        **vars(e),
        coupling=records("CouplingRow", coupling),
        hub=_table(chosen),
        hub_tie=records("HubTieRow", ties),
    )


def implicit_plan(
    bodies: int,
    constraints: Sequence[tuple[int, ...]],
    forces: Sequence[tuple[list[int], int]],
    rows: Sequence[int],
    freedoms: int = 6,
    passing: Collection[int] = (),
    late: Collection[int] = (),
) -> ImplicitPlan:
    """The plan of the matrix [[M + ..., G^T], [G + ..., 0]]: nodes are bodies, then constraints.

    A constraint comes after its bodies, but before a hub where that does for S too; see `plan`.
    forces: the bodies each sees and how many of them (the first ones) it acts on
    """
    hubs = set(hubs_of(constraints))
    waiting = {*late, *waiting_for_hubs(constraints, rows, hubs, freedoms, passing)} if hubs else set()
    count = bodies + len(constraints)
    neighbours: list[set[int]] = [set() for _ in range(count)]
    after: list[set[int]] = [set() for _ in range(count)]

    def tie(i: int, j: int) -> None:
        if i >= 0 and j >= 0 and i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)

    for c, touched in enumerate(constraints):
        node = bodies + c
        for a, b in combinations(touched, 2):
            tie(a, b)
        for body in touched:
            tie(body, node)
            if body >= 0 and (body not in hubs or c in waiting):
                after[node].add(body)
        if c in late:
            after[node] |= hubs
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

    force_blocks = [reference(i, j) for seen, acting in forces for i in seen[:acting] for j in seen]
    constraint_blocks: list[int] = []
    for node, touched in enumerate(constraints, bodies):
        constraint_blocks += [reference(row, column) for row in touched for column in touched]
        constraint_blocks += [reference(body, node) for body in touched]
        constraint_blocks += [reference(node, body) for body in touched]
    return ImplicitPlan(
        **vars(e), force_blocks=_table(force_blocks), constraint_blocks=_table(constraint_blocks)
    )


def _table(values: Sequence[object]) -> np.ndarray:
    return np.array(values, dtype=np.int32)
