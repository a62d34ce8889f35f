"""From a mechanism at an assembled state to minimal coordinates.

1. Bodies that are rigid with each other become links; joints between the same two links are taken together.
2. The links are spanned by a tree of joints from ground.
3. Every row of a joint or mesh that is left says something about the rates of the tree's coordinates: G J q' = 0. Rows
   of gear meshes have constant coefficients, and so have those of screws and racks. They are solved for some of the
   coordinates: q = B u, B a matrix of ratios (Chen (3)). Rows without coefficients are redundant.
4. At other positions, chosen at random, all of this must still hold: q = B u must meet every joint and mesh. A joint
   that does not hold closes a loop that is not a gear; such loops are cut there, and closed by constraints on the
   coordinates. So are meshes whose separating force does work, as it needs the tooth force (:mod:`.moved_wheels`).
"""

from __future__ import annotations

from dataclasses import field
from random import Random
from typing import Any

import numpy as np

from wheelwork.analyses.assemble import with_turns
from wheelwork.engine.engine import Engine
from wheelwork.engine.records import records, structures
from wheelwork.lazy import Keeping, dataclass
from wheelwork.system.attitude import about
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR
from wheelwork.system.uses import ConstraintKind

from .grow import carried_inertia, grow
from .joints import StepType
from .links import Edge, find_links, in_space, needs_constraints, on_coordinates
from .moved_wheels import mesh_that_moves_wheels, undetermined_mesh
from .tree import Tree, TreeBody

HOLDS = 1e-10
"""Residual of a joint elsewhere (m or rad, relative to the size of the mechanism) that shows a closed loop.

That to which runs project; gear trains, also of hundreds of wheels, have 1e-15."""
CONSTANT = 1e-12
"""Change of a ratio elsewhere that is round-off."""
MOST_COORDINATES = 64
"""With gear ratios or cut loops, where the mass matrix is full; an open tree takes time in proportion to its links."""


class NotReducible(Exception):
    """A mechanism stays in absolute coordinates; the text says why."""


@dataclass(frozen=True)
class Reduction(Keeping):
    """A mechanism in minimal coordinates, zero at the state it was made from."""

    tree: Tree = field(repr=False)
    start: np.ndarray = field(repr=False)
    """The state it was made from, in absolute coordinates."""
    B: np.ndarray = field(repr=False)
    """(tree coordinates, coordinates): rates of the tree's coordinates by those of the independent ones."""
    independent: list[int]
    """Rows of the tree that are the coordinates, those of ball joints last."""
    rates: np.ndarray
    """Of the coordinates, at the start."""
    turns: np.ndarray = field(repr=False)
    """(turns, coordinates): rates of the rotations counted over whole turns; nan where they are not constant ratios."""
    cuts: list[int]
    """Constraints that close loops which are not gears, prescribe motions, follow curves, or come and go."""
    unknowns: tuple[int, int]
    """Velocities and multipliers in absolute coordinates, for comparison."""
    _kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What was made from it."""

    @property
    def names(self) -> list[str]:
        """Of the coordinates."""
        return [self.tree.names[k] for k in self.independent]

    @property
    def scalars(self) -> int:
        return len(self.independent) - 3 * self.tree.balls


def reduce(
    engine: Engine, t: float, y: np.ndarray, cut_loops: bool = False, constrained: bool = False
) -> Reduction:
    """Minimal coordinates about an assembled state; raises NotReducible.

    constrained: whether prescribed motions, cams, and joints and contacts while they stick or last become constraints
        on the coordinates; else a mechanism that has any is not reducible
    cut_loops: the same for loops that are not gears, and for meshes that move their wheels
    """
    program, numbers = engine.program, engine.numbers
    why = needs_constraints(program)
    if why and not constrained:
        raise NotReducible(why)
    x, R = program.space.poses(program.coordinates(y))
    bodies = [
        TreeBody(
            name,
            numbers.mass[k],
            x[k],
            R[k],
            R[k] @ numbers.inertia[k] @ R[k].T,
            bool(np.any(numbers.gravity[k])),
        )
        for k, name in enumerate(program.bodies)
    ]
    size = max(float(np.linalg.norm(np.ptp(np.vstack([x, np.zeros((1, 3))]), axis=0))), 1e-6)
    G = in_space(program, engine.constraints(t, y)[1])
    apart: set[str] = set()
    tree, edges, at_start, velocities, coefficients = _spanned(engine, bodies, x, R, G, size, apart)
    cuts = {*program.driver_constraints.values(), *(follow.constraint for follow in program.follows)}
    cuts |= {
        c
        for c, use in enumerate(program.constraints)
        if use.kind is not ConstraintKind.BILATERAL or not use.holonomic
    }
    while True:
        B, independent = _solved(
            tree, coefficients, _rows(program, cuts), size, _elimination_order(program, tree)
        )
        motions = velocities @ B
        turns = _turn_ratios(engine, at_start, velocities, B)
        why = "closes a loop that is not a gear"
        wrong = _over_balls(program, tree, coefficients, cuts)
        places = [(y, motions)]
        if wrong is None:
            wrong = _wrong_elsewhere(engine, t, y, tree, B, size, turns, cuts, places)
        if wrong is None:
            why = "moves a wheel that is not held against it, and so needs its tooth force at every moment"
            found = (mesh_that_moves_wheels(engine, t, *place, size, cuts) for place in places)
            wrong = next((c for c in found if c is not None), None)
        if wrong is None:
            break
        if not cut_loops:
            raise NotReducible(f"{program.constraints[wrong].label} {why}")
        together = _joints_beside(program, edges, wrong) - apart
        if together:
            apart |= together
            tree, edges, at_start, velocities, coefficients = _spanned(engine, bodies, x, R, G, size, apart)
        else:
            cuts.add(wrong)
    if not independent:
        raise NotReducible("nothing in it can move")
    tied = bool(cuts) or len(independent) < tree.rows
    if tied and len(independent) > MOST_COORDINATES:
        raise NotReducible(f"it has {len(independent)} coordinates; at most {MOST_COORDINATES} are supported")
    uses = {
        c: program.constraints[c] for c in cuts if program.constraints[c].kind is ConstraintKind.BILATERAL
    }
    cut_rows = {c: coefficients[use.first_row : use.first_row + use.rows] @ B for c, use in uses.items()}
    shared = undetermined_mesh(engine, t, y, motions, size, cut_rows)
    if shared is not None:
        raise NotReducible(
            f"{program.constraints[shared].label} moves a wheel with a tooth force that it shares with other joints "
            "in a statically indeterminate way"
        )
    own = y[program.nq : program.nq + program.nv].reshape(len(bodies), program.space.V)
    v = program.space.raised(own).ravel()
    free = velocities.reshape(-1, tree.rows) @ B
    rates = np.linalg.lstsq(free, v, rcond=None)[0] if v.any() else np.zeros(free.shape[1])
    left = float(np.max(np.abs(free @ rates - v), initial=0.0))
    if left > 1e-7 * max(1.0, float(np.max(np.abs(v), initial=0.0))):
        raise NotReducible("the velocities at the start do not fit the joints")
    return Reduction(
        tree, np.array(y), B, independent, rates, turns, sorted(cuts), (program.nv, program.rows)
    )


def _spanned(
    engine: Engine,
    bodies: list[TreeBody],
    x: np.ndarray,
    R: np.ndarray,
    G: np.ndarray,
    size: float,
    apart: set[str],
) -> tuple[Tree, list[Edge], np.ndarray, np.ndarray, np.ndarray]:
    """The tree and the edges it was grown from; at the start: rotations of the bodies, their velocities by coordinates,
    and those of all rows."""
    program = engine.program
    links, edges = find_links(program, engine.numbers.data, x, R, G, size, apart)
    tree = grow(bodies, links, edges, planar=program.space is PLANAR)
    if not tree.rows:
        raise NotReducible("nothing in it can move")
    _, at_start, velocities = tree.place(np.zeros(tree.rows), {})
    return tree, edges, at_start, velocities, on_coordinates(program, G, velocities)


def _joints_beside(program: Program, edges: list[Edge], wrong: int) -> set[str]:
    """The joints between the same two links as a constraint that does not hold elsewhere, if there are several.

    They may have been taken as one turn about an axis that is none at other positions.
    """
    for edge in edges:
        if len(edge.joints) > 1 and any(program.joints[name].constraint == wrong for name in edge.joints):
            return set(edge.joints)
    return set()


def needs_reactions(program: Program, data: np.ndarray) -> bool:
    """Whether friction depends on reactions, or formulas read them or accelerations: these are then found in absolute
    coordinates at every moment."""
    return bool(program.measured) or any(data[friction.data + 1] != 0.0 for friction in program.frictions)


def _rows(program: Program, cuts: set[int]) -> np.ndarray:
    """Rows of joints and meshes that the coordinates are to meet by themselves."""
    parts = [
        np.arange(use.first_row, use.first_row + use.rows)
        for c, use in enumerate(program.constraints)
        if c not in cuts
    ]
    return np.concatenate([np.zeros(0, int), *parts])


def _over_balls(program: Program, tree: Tree, coefficients: np.ndarray, cuts: set[int]) -> int | None:
    """A constraint that ties the rates of a ball joint to others: these are not ratios of angles."""
    balls = sorted(tree.ball_rows())
    for c, use in enumerate(program.constraints):
        rows = coefficients[use.first_row : use.first_row + use.rows]
        if c not in cuts and balls and np.max(np.abs(rows[:, balls]), initial=0.0) > CONSTANT:
            return c
    return None


def _elimination_order(program: Program, tree: Tree) -> list[int]:
    """Rows of the tree in the order in which they are solved for; those of ball joints never are.

    Wheels that transmit from one mesh to another go first, planets before suns, then those in a single mesh, from the
    base outward. What is left to be coordinates are the joints of the open-loop chain with the output at its end, as
    Chen has them.
    """
    meshes = [0] * len(tree.bodies)
    for mesh in program.meshes:
        use = program.constraints[mesh.constraint]
        for body in (use.a, use.b):
            if body >= 0:
                meshes[body] += 1
    depth = {-1: 0}
    for i, node in enumerate(tree.nodes):
        depth[i] = depth[node.parent] + 1
    spins = []
    for carrier, spin in tree.spins():
        hands_on = sum(meshes[k] for k in spin.bodies) > 1
        spins.append((not hands_on, -depth[carrier] if hands_on else depth[carrier], spin.row))
    order = [row for *_, row in sorted(spins)]
    return order + [k for k in reversed(range(tree.rows)) if k not in tree.ball_rows() and k not in order]


def _solved(
    tree: Tree, coefficients: np.ndarray, rows: np.ndarray, size: float, order: list[int]
) -> tuple[np.ndarray, list[int]]:
    """B and the independent coordinates from rows that must vanish: elimination in the given order, and back."""
    n = tree.rows
    balls = tree.ball_rows()
    scale = np.maximum(coefficients.max(axis=1, initial=0.0), -coefficients.min(axis=1, initial=0.0))
    rows = rows[scale[rows] > 1e-9 * size]
    C = coefficients[rows] / scale[rows, None]
    dependent: list[int] = []
    pivot_rows: list[int] = []
    left = np.ones(len(C), bool)
    largest = np.max(np.abs(C), axis=1, initial=0.0)
    for column in order:
        if not left.any():
            break
        entries = np.where(left, np.abs(C[:, column]), -1.0)
        best = int(np.argmax(entries))
        if entries[best] < 1e-9 * max(1.0, float(np.max(largest[left]))):
            continue
        C[best] /= C[best, column]
        left[best] = False
        others = np.flatnonzero(left & (C[:, column] != 0))  # few, in a train
        C[others] -= C[others, column, None] * C[best]
        largest[others] = np.max(np.abs(C[others]), axis=1, initial=0.0)
        dependent.append(column)
        pivot_rows.append(best)
    taken = {*dependent, *balls}
    independent = [k for k in range(n) if k not in taken] + sorted(balls)
    B = np.zeros((n, len(independent)))
    for j, k in enumerate(independent):
        B[k, j] = 1.0
    for column, r in zip(reversed(dependent), reversed(pivot_rows), strict=True):
        known = np.flatnonzero(C[r])
        known = known[known != column]  # solved for later, and so known by now, or independent
        B[column] = -C[r, known] @ B[known]
    B[np.abs(B) < 1e-14] = 0.0
    return B, independent


def _turn_ratios(engine: Engine, R: np.ndarray, J: np.ndarray, B: np.ndarray | None = None) -> np.ndarray:
    """Rates of the counted rotations by those of the coordinates: z_a . (w_b - w_a).

    J: of the bodies by these, or by the rows of B
    """
    program = engine.program
    out = np.zeros((len(program.turns), J.shape[2] if B is None else B.shape[1]))
    for k, turn in enumerate(program.turns):
        axis = engine.numbers.marker(turn.data)[1][:, 2]
        axis = axis if turn.a < 0 else R[turn.a] @ axis
        for body, sign in ((turn.b, 1.0), (turn.a, -1.0)):
            if body >= 0:
                w = axis @ J[body, 3:]
                out[k] += sign * w if B is None else sign * w @ B
    return out


def _wrong_elsewhere(
    engine: Engine,
    t: float,
    y: np.ndarray,
    tree: Tree,
    B: np.ndarray,
    size: float,
    ratios: np.ndarray,
    cuts: set[int],
    places: list[tuple[np.ndarray, np.ndarray]],
) -> int | None:
    """A constraint that does not hold at other positions, if there is one: a joint rather than a mesh.

    `ratios` of turns that are not the same there become nan. These positions are added to `places`: the state, and how
    the bodies move with the coordinates.
    """
    program = engine.program
    rng = Random(1)  # NumPy's own take 7 ms to load
    rows = _rows(program, cuts)
    for _ in range(2):
        # large also behind gears of any ratio: a loop must show
        u = np.array([rng.uniform(-1, 1) for _ in range(B.shape[1])])
        q = B @ u
        turns = {i: about(_unit(rng), 0.7) for i, node in enumerate(tree.nodes) if node.ball >= 0}
        x, R, J = tree.place(q, turns, B)
        elsewhere = _turn_ratios(engine, R, J)
        size_of_ratios = np.max(np.abs(elsewhere), axis=1, initial=1.0, keepdims=True)
        varying = np.any(np.abs(elsewhere - ratios) > CONSTANT * size_of_ratios, axis=1)
        varying |= np.any(np.abs(elsewhere[:, B.shape[1] - 3 * tree.balls :]) > 1e-12, axis=1)
        ratios[varying] = np.nan
        state = np.array(y)
        Q = program.space.Q
        for k in range(len(tree.bodies)):
            angle = program.coordinates(y)[k, -1] + J[k, 5] @ u  # in the plane
            state[Q * k : Q * (k + 1)] = program.space.coordinates(x[k], R[k], float(angle))
        state[program.nq : program.nq + program.nv] = 0.0
        first_turn = program.nq + program.nv
        state[first_turn : first_turn + len(program.turns)] += np.nan_to_num(ratios) @ u
        places.append((state, J))
        g, G, _, _ = engine.constraints(t, with_turns(program, engine.numbers.data, state))
        tied = on_coordinates(program, in_space(program, G), J)[rows]
        tied /= max(1.0, float(np.max(np.abs(B), initial=0.0)))
        wrong = np.zeros(program.rows)
        wrong[rows] = np.maximum(np.abs(g[rows]), np.max(np.abs(tied), axis=1, initial=0.0))
        limit = HOLDS * max(1.0, size)
        meshes = {mesh.constraint for mesh in program.meshes}
        found = [
            (c not in meshes, float(np.max(wrong[use.first_row : use.first_row + use.rows], initial=0.0)), c)
            for c, use in enumerate(program.constraints)
        ]
        found = [entry for entry in found if entry[1] > limit]
        if found:
            return max(found)[2]
    return None


def turns(tree: Tree, row: int) -> bool:
    """Whether a coordinate of the tree is an angle."""
    return not any(node.row == row and node.step.type is StepType.SLIDE for node in tree.nodes)


def _unit(rng: Random) -> np.ndarray:
    v = np.array([rng.gauss(0.0, 1.0) for _ in range(3)])
    return v / np.linalg.norm(v)


def tables(reduction: Reduction, engine: Engine) -> dict[str, np.ndarray | int]:
    """The numbers that ``core/tree.hpp`` takes; they depend on no numbers of forces."""
    return reduction.once("tables", lambda: _tables(reduction, engine.program, engine.numbers.gravity))


def _tables(reduction: Reduction, program: Program, gravity: np.ndarray) -> dict[str, np.ndarray | int]:
    tree = reduction.tree
    lanes = program.space.lanes
    n = len(reduction.independent)
    columns = max(1, -(-n // lanes)) * lanes
    ratio = np.zeros((max(1, tree.rows), columns))
    ratio[: tree.rows, :n] = reduction.B
    spins = tree.spins()
    first = {-1: 0}
    for index, (node, _) in enumerate(spins):
        first.setdefault(node, index)
    nodes, geometry, inertia = [], [], []
    for i, node in enumerate(tree.nodes):
        parent_origin = tree.nodes[node.parent].origin if node.parent >= 0 else np.zeros(3)
        kind = {"parent": node.parent, "type": int(node.step.type), "row": node.row}
        nodes.append({**kind, "first_spin": first.get(i, 0), "spins": len(node.spins)})
        ends = {"point": node.step.point - parent_origin, "out": node.origin - node.step.point}
        geometry.append({"axis": node.step.axis, **ends})
        I = carried_inertia(tree, node)
        J = I.tensor
        moment = I.weight * (I.weight_center - I.center)
        tensor = [J[a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        inertia.append({"mass": I.mass, "tensor": tensor, "weight": I.weight, "moment": moment})
    integrated = np.any(np.isnan(reduction.turns), axis=1) if len(program.turns) else np.zeros(0, bool)
    needed = {body for use in program.forces for body in use.bodies} | {
        body for c in reduction.cuts for body in program.constraints[c].bodies
    }
    needed |= {
        body for turn, own in zip(program.turns, integrated, strict=True) if own for body in (turn.a, turn.b)
    }
    turn_ratio = np.zeros((max(1, len(program.turns)), columns))
    turn_ratio[: len(program.turns), :n] = np.where(integrated[:, None], 0.0, reduction.turns)
    body_table = np.zeros(len(tree.bodies), structures()["BodyRow"])
    pose = np.zeros(len(tree.bodies), structures()["PoseRow"])
    for i in range(-1, len(tree.nodes)):
        origin = tree.nodes[i].origin if i >= 0 else np.zeros(3)
        held = tree.nodes[i].bodies if i >= 0 else tree.ground_bodies
        own = [(k, None) for k in held]
        own += [
            (k, spin) for spin in (tree.nodes[i].spins if i >= 0 else tree.ground_spins) for k in spin.bodies
        ]
        for k, spin in own:
            body_table[k] = i, -1 if spin is None else spin.row, int(k in needed)
            pose["R"][k], pose["x"][k] = tree.bodies[k].R.ravel(), tree.bodies[k].x - origin
            if spin is not None:
                pose["axis"][k], pose["point"][k] = spin.step.axis, spin.step.point - origin
    angles = np.zeros((len(tree.bodies), 1 + columns))
    if program.space is PLANAR:
        turning = tree.place(np.zeros(tree.rows), {})[2][:, 5, :] @ reduction.B
        angles[:, 0] = program.coordinates(reduction.start)[:, 2]
        angles[:, 1 : 1 + n] = turning
    weights = gravity[np.any(gravity != 0, axis=1)]
    return {
        "nodes": len(tree.nodes),
        "spins": len(spins),
        "ground_spins": len(tree.ground_spins),
        "scalars": reduction.scalars,
        "balls": tree.balls,
        "columns": columns,
        "rows": tree.rows,
        "node": records("NodeRow", nodes),
        "geometry": records("GeometryRow", geometry),
        "inertia": records("InertiaRow", inertia),
        "ratio": ratio,
        "spin": records("SpinRow", ({"axis": spin.step.axis, "polar": spin.polar} for _, spin in spins)),
        "spin_row": np.array([spin.row for _, spin in spins], np.int32),
        "body": body_table,
        "body_angle": angles,
        "body_pose": pose,
        "turning": np.array([turns(tree, k) for k in reduction.independent[: reduction.scalars]], np.int32),
        "turn_ratio": turn_ratio,
        "turn_state": np.where(integrated, np.cumsum(integrated) - 1, -1).astype(np.int32),
        "turn_states": int(np.sum(integrated)),
        "cuts": len(reduction.cuts),
        "cut": np.array(reduction.cuts, np.int32),
        "gravity": weights[0] if len(weights) else np.zeros(3),
    }
