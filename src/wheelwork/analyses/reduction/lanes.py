"""A mechanism in minimal coordinates for code that runs many variants (:mod:`wheelwork.engine.lane_code`).

The equations are those of :mod:`.straight_line`; numbers that do not vary are written into the code, where most of them
vanish. Signals are written down beside them, so that measures can be taken while a variant runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from wheelwork.equations.cams.spline import cubic
from wheelwork.equations.forces import EventType
from wheelwork.equations.values import SymbolicOps
from wheelwork.system.program import Numbers, Program
from wheelwork.system.signals import SignalCatalogue
from wheelwork.system.space import PLANAR
from wheelwork.system.symbolic_motion import SymbolicMotion, symbolic_numbers, symbols_of_moment, value_of
from wheelwork.system.uses import ConstraintKind

from .reduce import Reduction, turns
from .straight_line import LONGEST, NUMBERS, STATE, TIME, TreeModel, Writing
from .vectors import Factor, dot, plus

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
    writing.derivative, writing.multipliers = derivative, {}
    closing = writing.closed(derivative, extra, t, start) if extra else []
    sorted_events: dict[EventType, list[Scalar]] = {kind: [] for kind in EventType}
    for use in model.program.forces:
        for k, kind in enumerate(use.kernel.event_types):
            sorted_events[kind].append(events[use.first_event + k])
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
    """Of the rows of loops that are met, by their number among all rows."""

    def _inputs(self) -> list[Scalar]:
        found = super()._inputs()
        for table in self.program.tables:
            knot, *c = self._piece(self.t, table.knots, np.column_stack([table.knots, table.pieces]))
            found[3 * table.input : 3 * table.input + 3] = cubic(c, self.t - knot)
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
        uses = [self.program.constraints[c] for c in self.model.reduction.cuts]
        places = [use.first_row + k for use in uses for k in range(use.rows)]
        self.multipliers = {places[r]: value for r, value in zip(rows, found, strict=True)}
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
        """As the catalogue defines it, of what is known of a variant at a moment."""
        program = self.program
        if name == "t":
            return self.t
        if name in program.parameter_names:
            return self.data[program.parameter_names.index(name)]
        owner, _, label = name.rpartition(".")
        bearing = program.joints.get(program.flat.rotors.get(owner, ""))
        if bearing is not None and label == "acceleration" and bearing.turn not in self.integrated:
            first = self.tree.scalars + 4 * len(self.e)
            rates = self.derivative[first : first + self.tree.n]
            return dot(self.numbers["turn_ratio"][bearing.turn], rates)
        try:
            value = value_of(self._catalogue[name], self._moment)
        except (KeyError, ValueError):
            raise NoSignal(name) from None
        used = [(symbol, find()) for symbol, find in self._inputs_with_values if ca.depends_on(value, symbol)]
        symbols = [symbol for symbol, _ in used]
        function = ca.Function("signal", symbols, [ca.densify(value)], {"allow_free": True})
        if function.has_free():
            raise NoSignal(name)
        force = next(
            (use for use in program.forces if name == use.name or name.startswith(f"{use.name}.")), None
        )
        atan2 = None if force is None or force.kernel.has_formula else self.angles.atan2
        return self.graph.call(function, [values for _, values in used], atan2)[0][0]

    @cached_property
    def _catalogue(self) -> SignalCatalogue:
        return SignalCatalogue(self.program)

    @cached_property
    def _symbols(self) -> dict[str, ca.SX]:
        return symbols_of_moment(self.program)

    @cached_property
    def _record_symbols(self) -> ca.SX:
        """Symbols of the bodies' records, a column each."""
        return ca.SX.sym("record", self.program.space.record, len(self.program.bodies))

    @cached_property
    def _moment(self) -> LaneMotion:
        numbers = symbolic_numbers(self.program, self._symbols["data"])
        return LaneMotion.of_records(self.program, numbers, self._symbols, self._record_symbols)

    @property
    def _inputs_with_values(self) -> Iterator[tuple[ca.SX, Callable[[], list[Scalar]]]]:
        """Symbols of what is known of a variant, and their values in the program."""
        program, symbols = self.program, self._symbols
        yield symbols["t"], lambda: [self.t]
        yield symbols["state"][program.nq + program.nv :], lambda: self.turns
        yield symbols["inputs"], lambda: self.inputs[: 3 * program.inputs]
        yield symbols["data"], lambda: self.data
        for k in range(len(program.bodies)):
            yield self._record_symbols[:, k], lambda k=k: self.record(k)
        for row, value in self.multipliers.items():
            yield symbols["multipliers"][row], lambda value=value: [value]


class LaneMotion(SymbolicMotion):
    """One moment of a variant: records of the bodies and counted angles are known, Euler parameters are not."""

    @classmethod
    def of_records(
        cls, program: Program, numbers: Numbers, symbols: dict[str, ca.SX], records: ca.SX
    ) -> LaneMotion:
        made, space = cls.of(program, numbers, symbols), program.space
        own = np.array([ca.vertsplit(column) for column in ca.horzsplit(records)], object)[None]
        ground = np.broadcast_to(space.ground().astype(object), (1, 1, space.record))
        vars(made)["records"] = np.concatenate([own, ground], axis=1)
        vars(made)["_own_v"] = own[:, :, space.twist :]
        if space is PLANAR:
            vars(made)["q"] = own[:, :, [0, 1, 4]]
        else:
            vars(made)["_poses"] = own[:, :, :3], own[:, :, 3:12].reshape(1, -1, 3, 3)
        return made

    def _turn(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """The angle as it is counted, which is that of the coordinates."""
        return self.counted(index), super()._turn(index)[1]

    def _frame(self, body: int) -> np.ndarray:
        return self.frames[:, body]
