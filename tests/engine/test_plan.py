"""The elimination plan, by an interpreter of its tables in NumPy that knows nothing else, against a dense solve."""

import numpy as np
import pytest

from wheelwork.engine.plan import (
    NO_BLOCK,
    Elimination,
    EliminationPlan,
    hubs_of,
    implicit_plan,
    least_degree,
    plan,
)

Pairs = list[tuple[int, ...]]
"""The bodies of each constraint: two, but of ratios and couplers."""


def chain(n: int) -> Pairs:
    return [(k - 1, k) for k in range(n)]


def loop(n: int) -> Pairs:
    """Closed over ground, as a four-bar is with three bodies."""
    return [*chain(n), (n - 1, -1)]


def ring(n: int) -> Pairs:
    """Closed in itself, floating."""
    return [(k, (k + 1) % n) for k in range(n)]


def tree(n: int) -> Pairs:
    return [((k - 1) // 2 if k else -1, k) for k in range(n)]


def star(n: int) -> Pairs:
    """All on one body: every constraint is tied to every other."""
    return [(-1, 0), *((0, k) for k in range(1, n))]


def random_graph(n: int, seed: int) -> Pairs:
    """Loops, several constraints between the same two bodies, ground on either side."""
    rng = np.random.default_rng(seed)
    pairs = [tuple(int(b) for b in rng.choice(n + 1, size=2, replace=False) - 1) for _ in range(2 * n)]
    return [*pairs, pairs[0], pairs[1][::-1]]  # type: ignore[list-item]


GRAPHS = {
    "one": [(-1, 0)],
    "two on one pair": [(0, 1), (1, 0)],
    "apart": [(-1, 0), (-1, 1), (2, -1)],
    "chain 2": chain(2),
    "chain 20": chain(20),
    "loop 3": loop(3),
    "loop 12": loop(12),
    "ring 3": ring(3),
    "ring 12": ring(12),
    "tree 15": tree(15),
    "star 8": star(8),
    "ratio": [(-1, 0), (-1, 1), (-1, 2), (0, 1, 2)],
    "coupled chain": [*chain(8), (-1, 0, 3, 4, 6, 7), (1, 2, 5)],
} | {f"random {seed}": random_graph(8, seed) for seed in range(5)}


class Problem:
    """S = G M^-1 G^T of a mechanism with random masses and rows: positive definite where G has full rank."""

    def __init__(self, pairs: Pairs, rows: list[int], seed: int = 0):
        rng = np.random.default_rng(seed)
        self.pairs, self.rows = pairs, rows
        self.G = [rng.normal(size=(len(pair), m, 6)) for pair, m in zip(pairs, rows, strict=True)]
        factors = rng.normal(size=(1 + max(max(pair) for pair in pairs), 6, 6))
        self.inverse_mass = np.array([f @ f.T + np.eye(6) for f in factors])
        edges = np.cumsum([0, *rows])
        self.range = [slice(end - m, end) for end, m in zip(edges[1:], rows, strict=True)]
        full = np.zeros((edges[-1], 6 * len(factors)))
        for where, pair, G in zip(self.range, pairs, self.G, strict=True):
            for body, part in zip(pair, G, strict=True):
                if body >= 0:
                    full[where, 6 * body : 6 * body + 6] += part
        # more rows than coordinates: as for the solver, a shift makes it definite
        mass = np.zeros((full.shape[1], full.shape[1]))
        for body, inverse in enumerate(self.inverse_mass):
            mass[6 * body : 6 * body + 6, 6 * body : 6 * body + 6] = inverse
        self.shift = 1.0
        self.S = full @ mass @ full.T + self.shift * np.eye(edges[-1])
        self.mass = np.linalg.inv(self.inverse_mass)
        self.right = rng.normal(size=edges[-1])


def solve(problem: Problem, tables: EliminationPlan) -> np.ndarray:
    """What the core does with the tables (block_ldl.hpp and schur_blocks.hpp), one line for each of its steps."""
    hubs = tables.hub.tolist()
    rows = [*problem.rows, *[6] * len(hubs)]
    count = len(rows)
    diagonal = [problem.shift * np.eye(m) for m in problem.rows]
    for node, pair in enumerate(problem.pairs):
        for side, body in enumerate(pair):
            if body >= 0 and body not in hubs:
                G = problem.G[node][side]
                diagonal[node] += G @ problem.inverse_mass[body] @ G.T
    diagonal += [-problem.mass[hub] for hub in hubs]
    below = [None] * len(tables.below_node)
    for step, node in enumerate(tables.order):
        for k in range(tables.below_start[step], tables.below_start[step + 1]):
            below[k] = np.zeros((rows[tables.below_node[k]], rows[node]))
    for block, i, side_i, j, side_j in tables.coupling:
        body = problem.pairs[i][side_i]
        assert body == problem.pairs[j][side_j] >= 0
        below[block] += problem.G[i][side_i] @ problem.inverse_mass[body] @ problem.G[j][side_j].T
    for block, c, side, hub, constraint_first in tables.hub_tie:
        assert problem.pairs[c][side] == hubs[hub - len(problem.rows)]
        below[block] -= problem.G[c][side].T if constraint_first else problem.G[c][side]

    x = [problem.right[where].copy() for where in problem.range] + [np.zeros(6) for _ in hubs]
    inverse, scaled = [None] * count, [None] * len(below)
    for step, node in enumerate(tables.order):
        inverse[node] = np.linalg.inv(diagonal[node])
        span = range(tables.below_start[step], tables.below_start[step + 1])
        for k in span:
            scaled[k] = below[k] @ inverse[node]
        for i, k, target in tables.update[tables.update_start[step] : tables.update_start[step + 1]]:
            into = below[target] if target >= 0 else diagonal[~target]
            into -= scaled[i] @ below[k].T
        for k in span:
            x[tables.below_node[k]] -= scaled[k] @ x[node]
    for step in reversed(range(count)):
        node = tables.order[step]
        x[node] = inverse[node] @ x[node]
        for k in range(tables.below_start[step], tables.below_start[step + 1]):
            x[node] -= scaled[k].T @ x[tables.below_node[k]]
    return np.concatenate(x[: len(problem.rows)])


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("seed", range(3))
def test_the_plan_solves_what_a_dense_solver_solves(name, seed):
    pairs = GRAPHS[name]
    rows = [int(m) for m in np.random.default_rng(seed).integers(1, 7, size=len(pairs))]
    problem = Problem(pairs, rows, seed)
    expected = np.linalg.solve(problem.S, problem.right)
    # condition numbers here are below 1e4
    np.testing.assert_allclose(solve(problem, plan(pairs, rows)), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("hubs", [[0], [0, 1], [1, 2]])
@pytest.mark.parametrize("name", [name for name in GRAPHS if max(max(pair) for pair in GRAPHS[name]) > 1])
def test_any_body_may_be_a_hub(name, hubs):
    pairs = GRAPHS[name]
    rows = [int(m) for m in np.random.default_rng(1).integers(1, 7, size=len(pairs))]
    problem, tables = Problem(pairs, rows), plan(pairs, rows, hubs=hubs)
    assert tables.hub.tolist() == hubs
    expected = np.linalg.solve(problem.S, problem.right)
    np.testing.assert_allclose(solve(problem, tables), expected, rtol=0, atol=1e-11)


def neighbours(pairs: Pairs) -> list[set[int]]:
    """Constraints that share a moving body."""
    moving = [{body for body in pair if body >= 0} for pair in pairs]
    return [{j for j, b in enumerate(moving) if j != i and a & b} for i, a in enumerate(moving)]


def fill(pairs: Pairs) -> int:
    """Blocks that are not in S but in its factor, without hubs."""
    return len(plan(pairs, [5] * len(pairs), hubs=[]).below_node) - sum(map(len, neighbours(pairs))) // 2


@pytest.mark.parametrize("n", [1, 2, 5, 43, 150])
def test_chains_have_no_fill(n):
    assert fill(chain(n)) == 0
    assert len(plan(chain(n), [5] * n).below_node) == n - 1


@pytest.mark.parametrize("n", [3, 15, 100])
def test_trees_have_no_fill(n):
    """Whatever hangs on a body is tied together already: the graph of constraints of a tree is chordal."""
    assert fill(tree(n)) == 0


def test_stars_have_no_fill():
    assert fill(star(10)) == 0


@pytest.mark.parametrize("n", [3, 10, 100])
def test_a_loop_over_ground_is_a_chain_of_constraints(n):
    assert fill(loop(n)) == 0


@pytest.mark.parametrize("n", [3, 10, 100])
def test_a_floating_ring_fills_as_little_as_can_be(n):
    """A cycle of n constraints needs n - 3 more ties to be chordal, and no order does with less."""
    assert fill(ring(n)) == n - 3


@pytest.mark.parametrize("name", GRAPHS)
def test_tables_are_well_formed(name):
    pairs = GRAPHS[name]
    tables = plan(pairs, [3] * len(pairs))
    count = len(pairs) + len(tables.hub)
    step_of = {node: step for step, node in enumerate(tables.order.tolist())}
    assert sorted(step_of) == list(range(count))
    assert len(tables.below_start) == len(tables.update_start) == count + 1
    assert tables.below_start[-1] == len(tables.below_node)
    assert tables.update_start[-1] == len(tables.update)
    for step in range(count):
        span = tables.below_node[tables.below_start[step] : tables.below_start[step + 1]].tolist()
        assert all(step_of[node] > step for node in span)
        assert len(set(span)) == len(span)
    for array in tables.tables().values():
        assert {kind for kind, *_ in (array.dtype.fields or {"": (array.dtype,)}).values()} == {
            np.dtype(np.int32)
        }


def test_no_constraints_is_a_plan_too():
    tables = plan([], [])
    assert len(tables.order) == len(tables.below_node) == len(tables.update) == len(tables.coupling) == 0
    assert tables.below_start.tolist() == tables.update_start.tolist() == [0]


def train(wheels: int) -> tuple[Pairs, list[int]]:
    """Wheels that mesh in a row, on bearings in a housing (body 0) that turns."""
    bearings, meshes = [(0, k) for k in range(1, wheels + 1)], [(k, k + 1) for k in range(1, wheels)]
    return [(-1, 0), *bearings, *meshes], [5] * (wheels + 1) + [1] * (wheels - 1)


def operations(tables: EliminationPlan, rows: list[int]) -> int:
    """Multiplications of a factorisation."""
    size = [*rows, *[6] * len(tables.hub)]
    total = 0
    for step, node in enumerate(tables.order):
        m = size[node]
        total += m**3 // 6
        span = range(tables.below_start[step], tables.below_start[step + 1])
        total += sum(size[tables.below_node[k]] * m * m // 2 for k in span)
        for i, k, _ in tables.update[tables.update_start[step] : tables.update_start[step + 1]]:
            total += m * size[tables.below_node[i]] * size[tables.below_node[k]]
    return total


def test_the_work_of_a_hub_grows_with_the_number_of_its_joints():
    sizes = (10, 30, 100, 300, 1000)
    work = [operations(plan(*train(n)), train(n)[1]) for n in sizes]
    assert np.polyfit(np.log(sizes), np.log(work), 1)[0] < 1.02
    assert operations(plan(*train(30), hubs=[]), train(30)[1]) > 20 * work[1]  # as the cube, without


def test_a_constraint_between_hubs_and_ground_waits_for_them():
    """Nothing but the hub stands on its diagonal; wheels in bearings do not wait."""
    tables = plan(*train(10))
    step_of = {node: step for step, node in enumerate(tables.order.tolist())}
    hub = 20
    assert tables.hub.tolist() == [0]
    assert step_of[0] > step_of[hub]
    assert all(step_of[c] < step_of[hub] for c in range(1, 11))


def test_joints_that_stick_go_before_the_hub_where_there_is_room():
    """Ten wheels that mesh in a row have 60 freedoms, bearings and meshes hold 59: one bearing may stick besides."""
    pairs, rows = train(10)
    sticking = range(len(pairs), len(pairs) + 10)
    tables = plan([*pairs, *((0, k) for k in range(1, 11))], [*rows, *[1] * 10], passing=sticking)
    step_of = {node: step for step, node in enumerate(tables.order.tolist())}
    assert tables.hub.tolist() == [0]
    hub = len(pairs) + 10
    assert sum(step_of[c] < step_of[hub] for c in sticking) == 1
    assert all(step_of[c] < step_of[hub] for c in range(1, len(pairs)))


def test_more_rows_than_room_wait_for_the_hub():
    """Ten links between ground and a body, hinged at both ends: with the body held, a link has room for one hinge."""
    pairs = [pair for k in range(1, 11) for pair in ((-1, k), (0, k))]
    tables = plan(pairs, [5] * 20)
    step_of = {node: step for step, node in enumerate(tables.order.tolist())}
    assert all(step_of[2 * k + 1] > step_of[20] for k in range(10))
    # hinge and ball fit: 5 + 3 rows do not, 3 + 3 do
    assert operations(plan(pairs, [3] * 20), [3] * 20) < operations(plan(pairs, [5, 3] * 10), [5, 3] * 10)


def test_least_degree_counts_rows_and_not_nodes():
    """A node with one neighbour of six rows waits for a node with two neighbours of one row each."""
    around = [{1}, {0}, {3, 4}, {2, 4}, {2, 3}]
    order, _ = least_degree(around, [6, 6, 1, 1, 1])
    assert order[0] in (2, 3, 4)


def test_the_plan_is_the_same_every_time():
    pairs = random_graph(20, 3)
    first, second = (plan(pairs, [3] * len(pairs)) for _ in range(2))
    for a, b in zip(vars(first).values(), vars(second).values(), strict=True):
        np.testing.assert_array_equal(a, b)


# -- matrices of implicit methods: bodies and constraints as nodes, values not symmetric


SQUARE = 6


class Blocks:
    """A matrix kept as the runtime keeps it (runtime/block_lu.hpp), filled by reference."""

    def __init__(self, e: Elimination):
        self.e = e
        self.diagonal = np.zeros((len(e.order), SQUARE, SQUARE))
        self.lower = np.zeros((len(e.below_node), SQUARE, SQUARE))
        self.upper = np.zeros_like(self.lower)

    def add(self, reference: int, block: np.ndarray) -> None:
        if reference == NO_BLOCK:
            return
        where = self.diagonal if reference < 0 else self.upper if reference % 2 else self.lower
        where[~reference if reference < 0 else reference // 2] += block

    def solve(self, right: np.ndarray) -> np.ndarray:
        e, x = self.e, right.reshape(-1, SQUARE).copy()
        diagonal, lower, upper = self.diagonal.copy(), self.lower.copy(), self.upper.copy()
        scaled = np.zeros_like(lower)
        for step, node in enumerate(e.order):
            diagonal[node] = np.linalg.inv(diagonal[node])
            span = range(e.below_start[step], e.below_start[step + 1])
            for k in span:
                scaled[k] = lower[k] @ diagonal[node]
            for i, k, target in e.update[e.update_start[step] : e.update_start[step + 1]]:
                if target < 0:
                    diagonal[~target] -= scaled[i] @ upper[k]
                else:
                    lower[target] -= scaled[i] @ upper[k]
                    upper[target] -= scaled[k] @ upper[i]
            for k in span:
                x[e.below_node[k]] -= scaled[k] @ x[node]
        for step in reversed(range(len(e.order))):
            node = e.order[step]
            for k in range(e.below_start[step], e.below_start[step + 1]):
                x[node] -= upper[k] @ x[e.below_node[k]]
            x[node] = diagonal[node] @ x[node]
        return x.ravel()


def random_forces(bodies: int, seed: int) -> list[tuple[list[int], int]]:
    """Forces that see more bodies than they act on, and ground among them."""
    rng = np.random.default_rng(seed)
    forces = []
    for _ in range(3):
        seen = [int(b) for b in rng.choice(bodies + 1, size=min(3, bodies + 1), replace=False) - 1]
        forces.append((seen, int(rng.integers(1, len(seen) + 1))))
    return forces


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("seed", range(2))
def test_the_plan_of_implicit_methods_solves_what_a_dense_solver_solves(name, seed):
    pairs, rng = GRAPHS[name], np.random.default_rng(seed)
    bodies = 1 + max(max(pair) for pair in pairs)
    forces = random_forces(bodies, seed)
    tables = implicit_plan(bodies, pairs, forces, [3] * len(pairs))
    count = bodies + len(pairs)
    ours, dense = Blocks(tables), np.zeros((SQUARE * count, SQUARE * count))

    def add(reference: int, row: int, column: int, block: np.ndarray) -> None:
        ours.add(reference, block)
        if row >= 0 and column >= 0:
            dense[SQUARE * row : SQUARE * (row + 1), SQUARE * column : SQUARE * (column + 1)] += block

    for body in range(bodies):
        add(~body, body, body, 20 * np.eye(SQUARE) + rng.normal(size=(SQUARE, SQUARE)))
    places = [(i, j) for seen, acting in forces for i in seen[:acting] for j in seen]
    for reference, (row, column) in zip(tables.force_blocks, places, strict=True):
        add(reference, row, column, rng.normal(size=(SQUARE, SQUARE)))
    blocks = iter(tables.constraint_blocks)
    for c, touched in enumerate(pairs):
        node, rows = bodies + c, int(rng.integers(1, 4))
        used = np.diag(np.arange(SQUARE) < rows).astype(float)
        places = [(i, j) for i in touched for j in touched]
        places += [(i, node) for i in touched] + [(node, i) for i in touched]
        references = [next(blocks) for _ in places]
        for reference, (row, column) in zip(references, places, strict=True):
            block = rng.normal(size=(SQUARE, SQUARE))
            add(
                reference,
                row,
                column,
                used @ block if row == node else block @ used if column == node else block,
            )
        # nothing on the diagonal of a constraint but what stands for rows it does not have, and a shift for
        # the random graphs, which have more constraints than freedom
        add(~node, node, node, np.eye(SQUARE) - used - 5.0 * used)
    right = rng.normal(size=SQUARE * count)
    np.testing.assert_allclose(ours.solve(right), np.linalg.solve(dense, right), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", GRAPHS)
def test_a_constraint_comes_after_its_bodies(name):
    """Its diagonal is zero until they are eliminated."""
    pairs = GRAPHS[name]
    bodies = 1 + max(max(pair) for pair in pairs)
    step_of = implicit_plan(bodies, pairs, [], [5] * len(pairs)).step_of
    hubs = hubs_of(pairs)
    for c, pair in enumerate(pairs):
        assert all(step_of[bodies + c] > step_of[body] for body in pair if body >= 0 and body not in hubs)


def test_the_implicit_work_of_a_hub_grows_with_the_number_of_its_joints():
    sizes = (10, 30, 100, 300)
    updates = [len(implicit_plan(n + 1, train(n)[0], [], train(n)[1]).update) for n in sizes]
    assert np.polyfit(np.log(sizes), np.log(updates), 1)[0] < 1.05
