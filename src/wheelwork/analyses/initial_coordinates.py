"""Joint coordinates at the start: the bodies are moved from the given position to where these are as given.

The coordinates c go to their values along a path on which joints stay closed and the misfits of c shrink
(:mod:`.far`), one joint after the other; what is kept so far are rows beside the constraints. A coordinate that
the constraints and those before it already tell must agree with them: else it contradicts them, with both numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wheelwork.description import Problem
from wheelwork.lazy import dataclass
from wheelwork.problems import listed
from wheelwork.system.kernels import ConstraintKernel
from wheelwork.system.matrices import full_jacobian, inverse_root_mass, position_rows
from wheelwork.system.uses import GivenCoordinate

from .far import drawn_together, with_turns
from .prepare import Prepared

AGREE = 1e-6
"""rad, or of the mechanism's size: coordinates that depend on each other are the same below."""
TOLERANCE = 1e-12
HALVINGS = 12
"""Of the way to a coordinate that is not reached, to find how far it goes."""
DEPENDS = 1e-7
"""What is left of a row of length 1 beside others that tell it."""


@dataclass(frozen=True)
class CoordinateRows:
    """Given coordinates as rows beside the constraints."""

    prepared: Prepared
    uses: Sequence[GivenCoordinate]
    last: float | None = None
    """Where the last one is to go in place of its given value."""

    def targets(self) -> np.ndarray:
        given = [self.prepared.numbers.data[use.value] for use in self.uses]
        return np.array(given if self.last is None else [*given[:-1], self.last])

    def at(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (n), and rows (n, nv) that give their rates."""
        values, rows = np.zeros(len(self.uses)), np.zeros((len(self.uses), self.prepared.program.nv))
        for k, use in enumerate(self.uses):
            values[k], rows[k] = coordinate(self.prepared, y, use)
        return values, rows

    def left(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far they are from what was given, and the rows."""
        values, rows = self.at(y)
        return values - self.targets(), rows


def coordinate(prepared: Prepared, y: np.ndarray, use: GivenCoordinate) -> tuple[float, np.ndarray]:
    """A joint coordinate at a state, and the row that gives its rate."""
    program = prepared.program
    view = program.joints[use.joint]
    constraint = program.constraints[view.constraint]
    turn = y[program.nq + program.nv + view.turn] if view.turn >= 0 else 0.0
    return first_row(prepared, y, use.kernel, constraint.bodies, constraint.data, turn)


def first_row(
    prepared: Prepared,
    y: np.ndarray,
    kernel: ConstraintKernel,
    bodies: Sequence[int],
    data: int,
    turn: float = 0.0,
) -> tuple[float, np.ndarray]:
    """Value of the first row of a constraint at a state, one of the program or not, and the row that gives its rate."""
    program = prepared.program
    V = program.space.V
    v = np.zeros((len(program.bodies), V))
    records = np.concatenate([program.space.records(program.coordinates(y), v), program.space.ground()[None]])
    own = prepared.numbers.data[data:][: kernel.data_size]
    arguments = [*(records[body] for body in bodies), own, np.zeros(0), np.full(kernel.turns, turn)]
    g, *jacobians = kernel.full.call(arguments)[:3]
    row = np.zeros((len(program.bodies) + 1, V))
    for body, G in zip(bodies, jacobians, strict=True):
        row[body] += G[0, :].full().ravel()
    return float(g[0]), row[:-1].ravel()


def with_given_coordinates(
    prepared: Prepared, t: float, state: np.ndarray, size: float
) -> tuple[np.ndarray, list[Problem]]:
    """A state on the constraints moved to where the given coordinates are, and what contradicts them.

    size: of the mechanism, m
    """
    program, engine = prepared.program, prepared.engine
    kept: list[GivenCoordinate] = []
    for use in program.given_coordinates:
        if use.value < 0:
            continue
        scale = 1.0 if use.coordinate == "angle" else size
        value, row = coordinate(prepared, state, use)
        wanted = prepared.numbers.data[use.value]
        others = _given_by(prepared, t, state, kept, row)
        if others is not None:
            if abs(value - wanted) > AGREE * max(scale, abs(wanted)):
                return state, [_contradiction(prepared, t, use, value, others)]
            continue
        moved, done = _moved(prepared, t, state, size, CoordinateRows(prepared, [*kept, use]))
        if not done:
            limit = _limit(prepared, t, state, size, [*kept, use])
            return state, [_unreached(prepared, use, limit, kept)]
        state = moved
        kept.append(use)
    if kept:
        state = engine.project(t, state, TOLERANCE, 10)[0]
    return state, []


def _moved(
    prepared: Prepared, t: float, y: np.ndarray, size: float, rows: CoordinateRows
) -> tuple[np.ndarray, bool]:
    """The state at which coordinates are as given, and whether it was reached."""
    return _finished(prepared, t, drawn_together(prepared, t, y, size, rows), rows)


def _limit(
    prepared: Prepared, t: float, y: np.ndarray, size: float, uses: Sequence[GivenCoordinate]
) -> float:
    """How far the last coordinate goes on its way to a value that is not reached."""
    reached, _ = coordinate(prepared, y, uses[-1])
    beyond = float(prepared.numbers.data[uses[-1].value])
    for _ in range(HALVINGS):
        middle = 0.5 * (reached + beyond)
        moved, done = _moved(prepared, t, y, size, CoordinateRows(prepared, uses, middle))
        if done:
            y, reached = moved, middle
        else:
            beyond = middle
    return reached


def _given_by(
    prepared: Prepared, t: float, y: np.ndarray, kept: list[GivenCoordinate], row: np.ndarray
) -> list[GivenCoordinate] | None:
    """Given coordinates that settle a row together with the constraints; None where they do not."""
    program = prepared.program
    root = inverse_root_mass(program, prepared.numbers, y)
    G = full_jacobian(program, prepared.engine.constraints(t, y)[1])[position_rows(program)]
    known = np.vstack([G, CoordinateRows(prepared, kept).at(y)[1]]) @ root
    own = row @ root
    lengths = np.linalg.norm(known, axis=1)
    known = known / np.where(lengths > 0, lengths, 1.0)[:, None]
    own = own / max(float(np.linalg.norm(own)), 1e-300)
    weights = np.linalg.lstsq(known.T, own, rcond=1e-10)[0] if len(known) else np.zeros(0)
    if np.linalg.norm(own - weights @ known) > DEPENDS:
        return None
    return [use for use, weight in zip(kept, weights[len(G) :], strict=True) if abs(weight) > 1e-6]


def _finished(prepared: Prepared, t: float, y: np.ndarray, rows: CoordinateRows) -> tuple[np.ndarray, bool]:
    """Newton's method on constraints and coordinates together, to round-off; whether it got there."""
    program, engine = prepared.program, prepared.engine
    held = position_rows(program)
    best, least = y, np.inf
    for _ in range(20):
        g, G, _, _ = engine.constraints(t, y)
        left, own = rows.left(y)
        residual = np.concatenate([g[held], left])
        worst = float(np.max(np.abs(residual), initial=0.0))
        if worst >= least and worst < TOLERANCE:
            break
        if worst < least:
            best, least = y, worst
        root = inverse_root_mass(program, prepared.numbers, y)
        J = np.vstack([full_jacobian(program, G)[held], own]) @ root
        step = -root @ (np.linalg.pinv(J, rcond=1e-10) @ residual)
        if not np.all(np.isfinite(step)) or program.largest_turn(step) > 0.5:
            break
        y = with_turns(program, prepared.numbers.data, program.displaced(y, step))
    return best, least < 1e3 * TOLERANCE


def words(coordinate: str, value: float) -> str:
    """A coordinate as a user writes it."""
    unit = "rad" if coordinate == "angle" else "m"
    value = value if abs(value) > 1e-9 else 0.0
    text = f"{value:.6g} {unit}"
    return text if unit == "m" else f"{text} ({np.degrees(value):.6g} deg)"


def _contradiction(
    prepared: Prepared, t: float, use: GivenCoordinate, needed: float, others: list[GivenCoordinate]
) -> Problem:
    data = prepared.numbers.data
    given = words(use.coordinate, data[use.value])
    what = "joints, meshes and drivers" if prepared.program.driver_constraints else "joints and meshes"
    why, hint = f"contradicts {what}", "leave it out, or give what they allow"
    if others:
        named = [f"{words(one.coordinate, data[one.value])} of `{one.joint}`" for one in others]
        why, hint = (
            f"contradicts the given {' and '.join(named)}: with {what}",
            "leave one of them out, which then follows",
        )
    text = f"the given {use.coordinate} {given} {why}, it is {words(use.coordinate, needed)} at t = {t:g} s"
    return prepared.flat.joints[use.joint].problem(text, hint, ("initial", use.coordinate))


def _unreached(
    prepared: Prepared, use: GivenCoordinate, reached: float, kept: list[GivenCoordinate]
) -> Problem:
    given, there = (words(use.coordinate, x) for x in (prepared.numbers.data[use.value], reached))
    beside = f", with what is given for {listed([one.joint for one in kept])}" if kept else ""
    return prepared.flat.joints[use.joint].problem(
        f"the given {use.coordinate} {given} is not reached from the given position{beside}: the joints go no further "
        f"than about {there}",
        "give one that they reach, or bodies nearer to it",
        ("initial", use.coordinate),
    )
