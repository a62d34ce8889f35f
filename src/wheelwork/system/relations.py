"""Relations in a program: their kernels, and how they enter it with their losses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wheelwork.equations.frames import MARKER_RECORD, BodyFrame, Marker
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.relation import Losses, Relation, friction_of_ratio
from wheelwork.equations.rows import Row, WideRow, combined
from wheelwork.lazy import casadi as ca
from wheelwork.problems import ModelError

from .kernels import ConstraintArguments, ConstraintKernel, short_name, turn_kernel
from .matrices import dependent_rows
from .space import SPATIAL, Space
from .uses import PER_TERM, ConstraintKind, FrictionUse, RelationUse

if TYPE_CHECKING:
    from wheelwork.description import Placed

    from .build import _Builder


class Term(NamedTuple):
    """A coordinate of a relation: whose it is, between which of the bodies, and which of the counted angles it is."""

    equations: JointEquations
    coordinate: str
    a: int
    b: int
    turn: int


class RelationKernel(ConstraintKernel):
    """One row: sum of c_k x_k - offset - error(x_1) = 0, or with a ratio i that varies x_1' - i x_2' = 0.

    data: markers and factor of each term, then the offset, then amplitude and phase of each harmonic of the error
    orders: of these harmonics
    ratio: where i comes from: empty, `time` (an input) or `state` (the last two of `turns`: i and its rate)
    state: (as all its functions) -> effort along each coordinate for a unit multiplier, -c_k; rates of the coordinates;
        the error
    """

    def __init__(
        self,
        terms: Sequence[Term],
        sides: int,
        ratio: str = "",
        space: Space = SPATIAL,
        orders: Sequence[int] = (),
    ):
        key = ";".join(f"{t.equations.key}.{t.coordinate}:{t.a}:{t.b}:{t.turn}" for t in terms)
        super().__init__(
            f"relation:{sides}:{ratio}:{key}:{[*orders]}",
            ("relation",),
            _no_pair,
            PER_TERM * len(terms) + 1 + 2 * len(orders),
            1 if ratio == "time" else 0,
            space,
            speeds=1 if ratio else 0,
        )
        self.terms, self.sides, self.ratio, self.orders = list(terms), sides, ratio, tuple(orders)

    @property
    def data_size(self) -> int:
        return self.extras

    @property
    def offset(self) -> int:
        """Where the offset is in its data."""
        return PER_TERM * len(self.terms)

    def _error(self, x: ca.SX, arguments: ConstraintArguments) -> tuple[ca.SX, ca.SX, ca.SX]:
        """Function of the first coordinate, with two derivatives."""
        error, slope, bend = ca.SX(0), ca.SX(0), ca.SX(0)
        for k, n in enumerate(self.orders):
            start = self.offset + 1 + 2 * k
            amplitude, phase = ca.vertsplit(arguments.data[start : start + 2])
            sine = amplitude * ca.sin(n * x + phase)
            error, bend = error + sine, bend - n**2 * sine
            slope += n * amplitude * ca.cos(n * x + phase)
        return error, slope, bend

    @cached_property
    def _arguments(self) -> ConstraintArguments:
        counted = 1 + max((term.turn for term in self.terms), default=-1)
        turns = max(counted + (2 if self.ratio == "state" else 0), 1)
        return ConstraintArguments.make(self.data_size, self.inputs, self.space, self.sides, turns)

    def _coordinates(
        self, frames: Sequence[BodyFrame], arguments: ConstraintArguments
    ) -> list[tuple[Row, ca.SX]]:
        """The coordinates as rows, and their rates."""
        found = []
        for k, term in enumerate(self.terms):
            start = PER_TERM * k
            a, b = (
                Marker.from_record(
                    frames[body], arguments.data[start + first : start + first + MARKER_RECORD]
                )
                for body, first in ((term.a, 0), (term.b, MARKER_RECORD))
            )
            counted = arguments.turns[term.turn] if term.turn >= 0 else ca.SX(0)
            row = term.equations.coordinate(term.coordinate, a, b, counted)
            found.append((row, row.rate(a, b)))
        return found

    def _ratio(self, arguments: ConstraintArguments) -> tuple[ca.SX, ca.SX]:
        """That varies, and its rate."""
        if self.ratio == "time":
            return arguments.inputs[0], arguments.inputs[1]
        return arguments.turns[-2], arguments.turns[-1]

    def _factors(self, arguments: ConstraintArguments, slope: ca.SX) -> list[ca.SX]:
        if self.ratio:
            return [ca.SX(1), -self._ratio(arguments)[0]]
        first, *others = (arguments.data[PER_TERM * (k + 1) - 1] for k in range(len(self.terms)))
        return [first - slope, *others]

    def _rows(self, frames: Sequence[BodyFrame], arguments: ConstraintArguments) -> Sequence[WideRow]:
        coordinates = self._coordinates(frames, arguments)
        x, rate = coordinates[0]
        error, slope, bend = self._error(x.value, arguments)
        factors = self._factors(arguments, slope)
        row = combined(
            [(c, x, t.a, t.b) for c, (x, _), t in zip(factors, coordinates, self.terms, strict=True)],
            self.sides,
        )
        if self.ratio:  # d/dt (x_1' - i x_2') = 0
            turning = self._ratio(arguments)[1] * coordinates[1][1]
            return [WideRow(ca.SX(0), row.sides, row.gamma + turning, ca.SX(0))]
        value = row.value + slope * x.value - arguments.data[self.offset]
        return [WideRow(value - error, row.sides, row.gamma + bend * rate**2, row.nu)]

    @cached_property
    def state(self) -> ca.Function:
        arguments = self._arguments
        frames = [self.space.frame(record) for record in arguments.bodies]
        coordinates = self._coordinates(frames, arguments)
        rates = [rate for _, rate in coordinates]
        error, slope, _ = self._error(coordinates[0][0].value, arguments)
        efforts = -ca.vertcat(*self._factors(arguments, slope))
        return self._function("state", [ca.densify(one) for one in (efforts, ca.vertcat(*rates), error)])


def _no_pair(*_: Any) -> list[Row]:
    raise TypeError("a relation has no rows of two bodies")


def add_relation(builder: _Builder, placed: Placed[Any], relation: Relation) -> None:
    """A relation as a constraint of the program, with its losses."""
    bodies = list(dict.fromkeys(body for term in relation.terms for body in term.bodies))
    turns = list(dict.fromkeys(term.turn for term in relation.terms if term.turn >= 0))
    terms = [
        Term(
            x.equations,
            x.coordinate,
            bodies.index(x.bodies[0]),
            bodies.index(x.bodies[1]),
            turns.index(x.turn) if x.turn >= 0 else -1,
        )
        for x in relation.terms
    ]
    ratio = "state" if relation.followed else "" if relation.varying is None else "time"
    made = RelationKernel(terms, len(bodies), ratio, builder.space, [h.order for h in relation.harmonics])
    kernel = builder.kernel(made.key, lambda: made)
    first = builder.data_size
    for factor, x in zip(relation.factors, relation.terms, strict=True):
        builder.add_data(*x.markers, factor)
    builder.add_data(relation.offset, *(x for h in relation.harmonics for x in (h.amplitude, h.phase)))
    constraint = builder.constrain(
        kernel,
        bodies,
        first,
        placed,
        placed.element.noun,
        input=builder.inputs.function_of_time(relation.varying) if ratio == "time" else -1,
        turns=(*turns, *relation.followed),
    )
    friction = -1
    if relation.losses is not None:
        friction = _add_losses(builder, placed, relation, relation.losses, constraint)
    units = ["N m" if x.coordinate == "angle" else "N" for x in relation.terms]
    builder.program.relations.append(
        RelationUse(
            placed.name,
            constraint,
            tuple(zip(relation.labels, units, strict=True)),
            friction,
            relation.supported,
        )
    )


def _add_losses(
    builder: _Builder, placed: Placed[Any], relation: Relation, losses: Losses, constraint: int
) -> int:
    """Friction on the first shaft against the support, which may hold it: in proportion to the torque of the ratio."""
    shaft = relation.terms[0]
    row = builder.constrain(
        builder.kernel("rate:turn", lambda: turn_kernel(builder.space)),
        shaft.bodies,
        builder.program.constraints[constraint].data,
        placed,
        f"friction of {placed.element.noun}",
        name=f"{placed.name}.friction",
        kind=ConstraintKind.FRICTION,
    )
    sizes = len(losses.driving), len(losses.driven)
    load = builder.kernel(f"losses:{sizes}", lambda: loss_function(*sizes))
    builder.program.frictions.append(
        FrictionUse(
            f"{placed.name}.friction",
            constraint,
            row,
            builder.add_data(losses.no_load, 1.0, 1.0),
            builder.add_data(losses.ratio, *losses.driving, *losses.driven),
            load,
            "angle",
            geared=True,
        )
    )
    return len(builder.program.frictions) - 1


def loss_function(driving: int, driven: int) -> ca.Function:
    """(torque of the ratio on a, (ratio, efficiency while a drives, while b drives)) -> friction on a in both cases."""
    torque, data = ca.SX.sym("T"), ca.SX.sym("d", 1 + driving + driven)
    ratio, first, second = data[0], ca.vertsplit(data[1 : 1 + driving]), ca.vertsplit(data[1 + driving :])
    friction = ca.vertcat(*friction_of_ratio(torque, ratio, first, second))
    return ca.Function(short_name("losses", f"{driving}:{driven}"), [torque, data], ca.cse([friction]))


def check_couplers(builder: _Builder) -> None:
    """Relations of joints that say the same, or contradict each other: all constant ones taken together."""
    constraints, relations = builder.program.constraints, builder.program.relations
    kernels: list[Any] = [constraints[use.constraint].kernel for use in relations]
    constant = [(u, k) for u, k in zip(relations, kernels, strict=True) if k.holonomic and not k.orders]
    if len(constant) < 2:
        return
    rows, offsets, names = [], [], []
    columns: dict[tuple[int, str, tuple[int, ...]], int] = {}
    every = ca.vertcat(*builder.data)
    for use, kernel in constant:
        constraint = constraints[use.constraint]
        # no more than these: a parameter whose number is read here is settled for good
        places = [PER_TERM * (k + 1) - 1 for k in range(len(kernel.terms))] + [kernel.offset]
        *factors, offset = builder.layout.number(every[[constraint.data + place for place in places]])
        row: dict[int, float] = {}
        for factor, term in zip(factors, kernel.terms, strict=True):
            pair = constraint.bodies[term.a], constraint.bodies[term.b]
            sign = 1.0 if pair[0] < pair[1] else -1.0
            key = (*sorted(pair), term.coordinate)
            column = columns.setdefault(key, len(columns))  # type: ignore[arg-type]
            row[column] = row.get(column, 0.0) + sign * float(factor)
        rows.append(row)
        offsets.append(float(offset))
        names.append(use.name)
    matrix = np.zeros((len(rows), len(columns) + 1))
    for k, row in enumerate(rows):
        for column, factor in row.items():
            matrix[k, column] = factor
        matrix[k] /= max(np.abs(matrix[k]).max(), 1e-300)
        matrix[k, -1] = offsets[k]
    alone = matrix[:, :-1] / np.linalg.norm(matrix[:, :-1], axis=1, keepdims=True)
    for k in dependent_rows(alone):
        found = np.linalg.lstsq(alone[:k].T, alone[k], rcond=None)[0]
        others = [f"`{names[j]}`" for j in range(k) if abs(found[j]) > 1e-9]
        scale = np.linalg.norm(matrix[:, :-1], axis=1)
        off = matrix[k, -1] / scale[k] - found @ (matrix[:k, -1] / scale[:k])
        placed = builder.flat.forces[names[k]]
        said = "contradicts" if abs(off) > 1e-9 else "says nothing beyond"
        raise ModelError(
            placed.problem(f"{said} {', '.join(others)}, which tie the same coordinates", "leave one out")
        )
