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
from wheelwork.engine.graph import Scalar
from wheelwork.engine.lane_code import Accumulator, LaneProgram
from wheelwork.engine.tape import Tape
from wheelwork.equations.forces import EventType
from wheelwork.equations.values import SymbolicOps
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR

from .reduce import Reduction, turns
from .straight_line import LONGEST, NUMBERS, TreeModel, Writing
from .tree_equations import cross, dot, minus, plus, times


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
    if reduction.cuts:
        label = program.constraints[reduction.cuts[0]].label
        return f"{label} closes a loop, prescribes a motion or carries tooth forces"
    if program.tables:
        return "a function of time is given by a table"
    if program.curves or program.follows:
        return "a joint follows a curve"
    return ""


def lane_program(
    model: LaneModel, signals: Sequence[Formula], measures: Sequence[Accumulator]
) -> tuple[Tape, LaneProgram]:
    """The program that finds the numbers of a variant from its `values`, and what its code is made from.

    Raises NoLanes, NoSignal.
    """
    why = why_not(model.program, model.reduction)
    if why:
        raise NoLanes(why)
    writing = SignalWriting(model)
    derivative, events = writing.results()
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
    ]
    first, second = writing.graph.programs("lanes", results, NUMBERS)
    if len(second.operations) > LONGEST:
        raise NoLanes(
            f"its equations have {len(second.operations)} instructions; up to {LONGEST} are worth it"
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
        tuple(measures),
    )


class SignalWriting(Writing):
    """Equations with signals beside them."""

    model: LaneModel
    derivative: list[Scalar]

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
        for use in program.forces:
            if name.startswith(f"{use.name}."):
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


def tape_function(tape: Tape, places: Sequence[tuple[int, int]]) -> ca.Function:
    """A tape as a function of one column with these entries of its arguments; others are not in it."""
    x = ca.SX.sym("x", len(places))
    at = {place: k for k, place in enumerate(places)}
    out = [[ca.SX(0.0)] * len(entries) for entries in tape.offsets]
    work: dict[int, ca.SX] = {}
    for k, op in enumerate(tape.operations):
        if op == ca.OP_INPUT:
            work[k] = x[at[tape.places[k]]]
        elif op == ca.OP_CONST:
            work[k] = ca.SX(tape.constants[k])
        elif op == ca.OP_OUTPUT:
            which, entry = tape.places[k]
            out[which][tape.offsets[which][entry]] = work[tape.terms[k][0]]
        else:
            terms = [work[s] for s in tape.terms[k]]
            work[k] = ca.SX.binary(op, *terms) if len(terms) == 2 else ca.SX.unary(op, *terms)
    return ca.Function(tape.name, [x], [ca.densify(ca.vertcat(ca.SX(0, 1), *column)) for column in out])
