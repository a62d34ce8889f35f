"""A mechanism in minimal coordinates for code that runs many variants (:mod:`wheelwork.engine.lane_code`).

The equations are those of :mod:`.straight_line`; numbers that do not vary are written into the code, where most of them
vanish. Signals are written down beside them, so that measures can be taken while a variant runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from wheelwork.description import Formula
from wheelwork.engine.affine import shortened
from wheelwork.engine.evaluate import evaluated
from wheelwork.engine.graph import Scalar
from wheelwork.engine.lane_program import Accumulator, LaneProgram
from wheelwork.engine.tape import Tape
from wheelwork.equations.cams.outline import PIECE
from wheelwork.equations.forces import EFFORT, EventType
from wheelwork.equations.values import SymbolicOps
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR
from wheelwork.system.uses import ConstraintKind, FollowUse

from .reduce import Reduction, turns
from .straight_line import LONGEST, NUMBERS, STATE, TIME, TreeModel, Writing
from .vectors import Factor, cross, dot, minus, plus, times

LEAST = 1e-6
"""What must be left of a row beside others, over its length, for it to say something new."""
LONGEST_TABLE = 64
"""Points of a function of time: each takes some instructions at every evaluation."""
LONGEST_CURVE = 128
"""Points of the outline of a cam: the same."""


class NoLanes(Exception):
    """Why a mechanism cannot be run in lanes."""


class NoSignal(Exception):
    """A signal that is not among those that can be computed in lanes."""


@dataclass(frozen=True)
class LaneModel(TreeModel):
    """A model some of whose numbers vary."""

    varies: np.ndarray | None = None
    """Which of `values`."""
    center: np.ndarray | None = None
    """Centres of mass in the bodies' frames (bodies, 3); None: these vary."""

    @cached_property
    def _tree_numbers(self) -> dict[str, np.ndarray]:
        """With nan in place of those that vary."""
        assert self.varies is not None
        found, first = {}, len(self.data)
        for name, numbers in self.tree.numbers.items():
            part = self.varies[first : first + numbers.size].reshape(numbers.shape)
            found[name] = np.where(part, np.nan, numbers)
            first += numbers.size
        return found

    def known(self, name: str) -> np.ndarray:
        return self._tree_numbers[name]


def why_not(program: Program, reduction: Reduction) -> str:
    """What keeps a mechanism in minimal coordinates out of lanes; empty: nothing."""
    if program.measured:
        return f"a formula reads `{program.measured[0]}`, which is found together with the accelerations"
    for use in program.forces:
        if use.kernel.states and (use.kernel.updates or use.sample >= 0):
            return f"`{use.name}` is sampled, or changes its mode"
    for mesh in program.meshes:
        if mesh.constraint in reduction.cuts:
            return f"{program.constraints[mesh.constraint].label} moves its wheels by its tooth force"
    for c in reduction.cuts:
        if program.constraints[c].kind is not ConstraintKind.BILATERAL:
            return f"{program.constraints[c].label} is active only at times"
    for table in program.tables:
        if len(table.knots) > LONGEST_TABLE:
            return f"a function of time has {len(table.knots)} points; at most {LONGEST_TABLE} are supported"
    for curve in program.curves:
        if len(curve.spline.knots) > LONGEST_CURVE:
            return f"an outline has {len(curve.spline.knots)} points; at most {LONGEST_CURVE} are supported"
    return ""


def lane_program(
    model: LaneModel, signals: Sequence[Formula], measures: Sequence[Accumulator], t: float, start: np.ndarray
) -> tuple[Tape, LaneProgram]:
    """The program that finds the numbers of a variant from its `values`, and what its code is made from.

    t, start: the state at which it is looked which rows of cut loops say something new
    Raises NoLanes, NoSignal.
    """
    why = why_not(model.program, model.reduction)
    if why:
        raise NoLanes(why)
    writing = SignalWriting(model)
    derivative, events, *extra = writing.results()
    closing = writing.closed(derivative, extra, t, start) if extra else []
    sorted_events: dict[EventType, list[Scalar]] = {kind: [] for kind in EventType}
    for use in model.program.forces:
        for k, kind in enumerate(use.kernel.event_types):
            sorted_events[kind].append(events[use.first_event + k])
    writing.derivative = derivative
    wanted = [writing.formula(signal) for signal in signals]
    results = [
        derivative,
        *(sorted_events[kind] for kind in (EventType.KINK, EventType.SKIP, EventType.DEEP)),
        wanted,
        closing,
    ]
    first, second = writing.graph.programs("lanes", results, NUMBERS)
    second = shortened(second)
    if len(second.operations) > LONGEST:
        raise NoLanes(
            f"its equations have {len(second.operations)} instructions; at most {LONGEST} are supported"
        )
    tree, reduction = model.tree, model.reduction
    scalars, balls = tree.scalars, reduction.tree.balls
    turning = [k for k, row in enumerate(reduction.independent[:scalars]) if turns(reduction.tree, row)]
    return first, LaneProgram(
        second,
        len(derivative),
        len(first.offsets[0]),
        tuple(turning),
        tuple(scalars + 4 * b for b in range(balls)),
        (scalars + 4 * balls, tree.n),
        (len(derivative) - model.program.states - model.program.followed, model.program.followed),
        tuple(measures),
    )


def independent_rows(M: np.ndarray, G: np.ndarray, natural: np.ndarray) -> list[int]:
    """Rows that say something new, the one with most left first: as in ``core/independent_rows.hpp``."""
    left = np.linalg.solve(np.linalg.cholesky(M), G.T).T
    moves = np.any(np.abs(G) > LEAST * natural, axis=1)
    length = np.where(moves, np.linalg.norm(left, axis=1), 0.0)
    found: list[int] = []
    while len(found) < len(M):
        part = np.linalg.norm(left, axis=1) / np.where(length > 0, length, np.inf)
        part[found] = 0.0
        best = int(np.argmax(part))
        if not part[best] > LEAST:
            break
        q = left[best] / np.linalg.norm(left[best])
        for _ in range(2):
            left = left - np.outer(left @ q, q)
        found.append(best)
    return sorted(found)


class SignalWriting(Writing):
    """Equations with signals beside them, and with loops closed by rows that are chosen once.

    Of the rows of loops that are cut, those that say something new at the start are met, and the others are looked at:
    where they are not met, or those that are become dependent, a lane ends, and its variant says why
    it has no measures.
    """

    model: LaneModel
    derivative: list[Scalar]
    multipliers: dict[int, Scalar]
    """Of the rows that are met, by their place among those of the cuts."""

    def _inputs(self) -> list[Scalar]:
        found = super()._inputs()
        for table in self.program.tables:
            c0, c1, c2, c3, knot = self._piece(
                self.t, table.knots, np.column_stack([table.pieces, table.knots])
            )
            s = self.t - knot
            found[3 * table.input] = c0 + s * (c1 + s * (c2 + s * c3))
            found[3 * table.input + 1] = c1 + s * (2.0 * c2 + s * (3.0 * c3))
            found[3 * table.input + 2] = 2.0 * c2 + 6.0 * s * c3
        for curve in self.program.curves:
            knots, period = curve.spline.knots, curve.spline.period
            s, around = self.turns[len(self.program.turns) + curve.parameter], 0.0
            if period:
                around = period * self.graph.apply(ca.OP_FLOOR, (s - float(knots[0])) / period)
            piece = self._piece(s - around, knots, np.column_stack([knots, curve.spline.pieces]))
            found[3 * curve.input : 3 * curve.input + PIECE] = [piece[0] + around, *piece[1:]]
        return found

    def _piece(self, at: Scalar, knots: np.ndarray, rows: np.ndarray) -> list[Scalar]:
        """The row of the last knot up to here, of the first before it."""
        if len(rows) == 1:
            return rows[0].tolist()
        half, apply = len(rows) // 2, self.graph.apply
        before, after = self._piece(at, knots[:half], rows[:half]), self._piece(at, knots[half:], rows[half:])
        later = apply(ca.OP_LE, float(knots[half]), at)
        earlier = apply(ca.OP_NOT, later)
        return [
            a if isinstance(a, float) and a == b else apply(ca.OP_IF_ELSE_ZERO, later, b)
            + apply(ca.OP_IF_ELSE_ZERO, earlier, a)
            for a, b in zip(before, after, strict=True)
        ]  # fmt: skip

    def closed(
        self, derivative: list[Scalar], extra: list[list[Scalar]], t: float, start: np.ndarray
    ) -> list[Scalar]:
        """Put the accelerations with closed loops into the derivative; returns what closes them.

        That is: what to add to the positions, how far the loops are open, what to add to the speeds, curve parameters
        where they were found, and the least part that is left of a row beside the others (squared).
        """
        n, apply = self.tree.n, self.graph.apply
        M = [extra[0][n * i : n * (i + 1)] for i in range(n)]
        f, _, natural, residuals, speeds, wanted, followed, _ = extra[1:]
        G = [extra[2][n * i : n * (i + 1)] for i in range(len(residuals))]
        first, second = self.graph.programs("rows", [extra[0], extra[2], natural], NUMBERS)
        numbers = evaluated(first, {NUMBERS: self.model.values})[0]
        at = [part.reshape(-1, n) for part in evaluated(second, {TIME: [t], STATE: start, NUMBERS: numbers})]
        rows = independent_rows(*at)
        mass = Factor(M)
        Y = [mass.solve(G[r]) for r in rows]
        S = [[dot(G[r], y) for y in Y] for r in rows]
        across = Factor(S)

        def away(off: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
            """The shortest step that takes this away from the rows, and its multipliers."""
            across_rows = across.solve([off[r] for r in rows])
            return [-dot([y[j] for y in Y], across_rows) for j in range(n)], across_rows

        free = mass.solve(f)
        step, found = away([dot(row, free) - w for row, w in zip(G, wanted, strict=True)])
        self.multipliers = dict(zip(rows, found, strict=True))
        place = self.tree.scalars + 4 * len(self.e)
        derivative[place : place + n] = plus(free, step)
        open_by: Scalar = 0.0
        for g in residuals:
            open_by = apply(ca.OP_FMAX, open_by, apply(ca.OP_FABS, g))
        least: Scalar = 1.0
        for k in range(len(rows)):
            least = apply(ca.OP_FMIN, least, 1.0 / (across.over[k] * S[k][k]))
        rates = away([dot(row, self.rates) - nu for row, nu in zip(G, speeds, strict=True)])[0]
        return [*away(residuals)[0], open_by, *rates, *followed, least]

    def formula(self, formula: Formula) -> Scalar:
        """A formula of signals and parameters."""
        names = sorted(formula.names())
        symbols = [ca.SX.sym(name) for name in names]
        made = formula.evaluate(dict(zip(names, symbols, strict=True)).__getitem__, SymbolicOps())
        function = ca.Function("formula", symbols, [ca.densify(ca.SX(made))])
        return self.graph.call(function, [[self.signal(name)] for name in names])[0][0]

    def signal(self, name: str) -> Scalar:
        program = self.program
        if name == "t":
            return self.t
        if name in program.parameter_names:
            return self.data[program.parameter_names.index(name)]
        for driver, c in program.driver_constraints.items():
            use, given = program.constraints[c], self._effort_of(c)
            effort = EFFORT.get(use.kernel.row_names[0], ("force", "N"))[0]
            if given is not None and name == f"{driver}.{effort}":
                return given
            if given is not None and name == f"{driver}.power":
                return given * self.inputs[3 * use.input + 1]
        for follow in program.follows:
            if name.startswith(f"{follow.name}."):
                found = self._of_cam(follow, name[len(follow.name) + 1 :])
                if found is not None:
                    return found
        for use in program.forces:
            if name == use.name or name.startswith(f"{use.name}."):
                label = name[len(use.name) + 1 :]
                if label in use.kernel.signal_names:
                    atan2 = None if use.kernel.has_formula else self.angles.atan2
                    (values,) = self.graph.call(use.kernel.signals, self.force_arguments(use), atan2)
                    return values[use.kernel.signal_names.index(label) + 1]
        for joint, view in program.joints.items():
            rotors = [rotor for rotor, bearing in program.flat.rotors.items() if bearing == joint]
            for owner in (joint, *rotors):
                if name.startswith(f"{owner}."):
                    found = self._of_joint(
                        view.turn, view.constraint, view.coordinates, name[len(owner) + 1 :]
                    )
                    if found is not None:
                        return found
        for k, body in enumerate(program.bodies):
            if name.startswith(f"{body}.") and body not in program.flat.rotors:
                found = self._of_body(k, name[len(body) + 1 :])
                if found is not None:
                    return found
        raise NoSignal(name)

    def _effort_of(self, cut: int) -> Scalar | None:
        """The effort of a driver or cam; None: its row is not among those that are met."""
        cuts, constraints = self.model.reduction.cuts, self.program.constraints
        if cut not in cuts:
            return None
        found = self.multipliers.get(sum(constraints[c].rows for c in cuts[: cuts.index(cut)]))
        return None if found is None else -found

    def _of_cam(self, follow: FollowUse, what: str) -> Scalar | None:
        """A signal of a cam."""
        use = self.program.constraints[follow.constraint]
        if what == "force.normal":
            return self._effort_of(follow.constraint)
        if what in follow.labels:
            return self.turns[use.turns[follow.labels.index(what)]]
        axes = ("x", "y", "z")[: 2 if self.program.space is PLANAR else 3]
        quantity, _, axis = what.rpartition(".")
        if quantity != "contact.position" or axis not in axes:
            return None
        (point,) = self.graph.call(follow.kernel.where, self.constraint_arguments(use))
        return point[axes.index(axis)]

    def _of_joint(self, turn: int, constraint: int, coordinates: Sequence[str], what: str) -> Scalar | None:
        if "angle" in coordinates and what == "angle":
            return self.turns[turn]
        if "angle" in coordinates and what == "w":
            return self.rate_of_turn(turn)
        if "angle" in coordinates and what == "acceleration" and turn not in self.integrated:
            rates = self.tree.n
            first = self.tree.scalars + 4 * len(self.e)
            return dot(self.numbers["turn_ratio"][turn], self.derivative[first : first + rates])
        if (
            "displacement" in coordinates
            and what in ("displacement", "speed")
            and self.program.space is not PLANAR
        ):
            return self._slide(constraint)[what == "speed"]
        return None

    def _slide(self, constraint: int) -> tuple[Scalar, Scalar]:
        """Displacement of b along the joint's axis in a, and its rate."""
        use = self.program.constraints[constraint]
        markers = self.data[use.data : use.data + 24]
        a, b = self.record(use.a), self.record(use.b)
        Ra, Rb = ([record[3 + 3 * i : 6 + 3 * i] for i in range(3)] for record in (a, b))
        sa, sb = times(Ra, markers[0:3]), times(Rb, markers[12:15])
        z = times(Ra, [markers[5], markers[8], markers[11]])
        d = minus(plus(b[:3], sb), plus(a[:3], sa))
        rate = minus(plus(b[12:15], cross(b[15:18], sb)), plus(a[12:15], cross(a[15:18], sa)))
        return dot(z, d), dot(z, rate) + dot(cross(a[15:18], z), d)

    def _of_body(self, k: int, what: str) -> Scalar | None:
        planar = self.program.space is PLANAR
        record = self.record(k)
        if planar and what in ("angle", "w"):
            return record[4 if what == "angle" else 7]
        quantity, _, axis = what.rpartition(".")
        if axis not in ("x", "y", "z")[: 2 if planar else 3] or quantity not in ("position", "velocity", "w"):
            return None
        if planar and quantity == "w":
            return None
        c = "xyz".index(axis)
        if quantity == "w":
            return record[15 + c]
        if self.model.center is None:
            return None
        center = self.model.center[k].tolist()
        if planar:
            x, R = (
                [record[0], record[1], 0.0],
                [[record[2], -record[3], 0.0], [record[3], record[2], 0.0], [0.0, 0.0, 1.0]],
            )
            v, w = [record[5], record[6], 0.0], [0.0, 0.0, record[7]]
        else:
            x, R = record[:3], [record[3 + 3 * i : 6 + 3 * i] for i in range(3)]
            v, w = record[12:15], record[15:18]
        arm = [-y for y in times(R, center)]
        return (x if quantity == "position" else v)[c] + (
            arm[c] if quantity == "position" else cross(w, arm)[c]
        )
