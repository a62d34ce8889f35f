"""Element kernels: what an element *type* computes, as CasADi functions of the frames it touches.

A mechanism with a hundred hinges has a hundred sets of numbers but one kernel. So the functions here have as arguments
only body records, the element's own numbers (`data`), functions of time (`inputs`: value, first and second derivative
of each), counts of whole turns and time. Neither a body's name nor a parameter's value is in them: changing numbers,
adding bodies or joints of a type already seen compiles nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from wheelwork.equations.contact import gap_row
from wheelwork.equations.differentiate import rows_from_residual
from wheelwork.equations.frames import MARKER_RECORD, BodyFrame, Marker
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import Row, WideRow, turn_about_axis
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .space import SPATIAL, Space


def short_name(prefix: str, key: str) -> str:
    """A C identifier that is the same for the same key on every machine."""
    return f"{prefix}_{hashlib.sha256(key.encode()).hexdigest()[:12]}"


@dataclass(frozen=True)
class ConstraintArguments:
    """Symbols of a constraint kernel."""

    bodies: tuple[ca.SX, ...]
    data: ca.SX
    inputs: ca.SX
    turns: ca.SX

    @classmethod
    def make(
        cls, data: int, inputs: int, space: Space = SPATIAL, bodies: int = 2, turns: int = 1
    ) -> ConstraintArguments:
        return cls(
            tuple(ca.SX.sym(f"b{k}", space.record) for k in range(bodies)),
            ca.SX.sym("d", data),
            ca.SX.sym("u", 3 * inputs),
            ca.SX.sym("z", turns),
        )

    def as_list(self) -> list[ca.SX]:
        return [*self.bodies, self.data, self.inputs, self.turns]


RowMaker = Callable[[Marker, Marker, ca.SX, ca.SX, ca.SX], Sequence[Row] | ca.SX]
"""(marker a, marker b, extras, inputs as 3 x n, whole turns) -> rows or residuals."""


class ConstraintKernel:
    """Functions of one type of constraint: `full`, `residual`, `gamma`, and the exact `jacobian` for implicit solvers.

    All take the bodies (a and b, or as many as `sides`), then (data, inputs, turns).
      full      -> g (8), G of each body (8 x V), gamma (8), nu (8)
      residual  -> g (8)
      gamma     -> gamma (8)
      jacobian  -> d(G^T lambda)/d(small motion) (nV x nV), d(G a - gamma)/d(small motion, twist) (8 x 2nV), n bodies
    V is the number of velocities of a body: 6 in space, 3 in the plane; there 4 lanes stand for the 8.
    """

    sides = 2

    def __init__(
        self,
        key: str,
        row_names: Sequence[str],
        make: RowMaker,
        extras: int = 0,
        inputs: int = 0,
        space: Space = SPATIAL,
        speeds: int = 0,
    ):
        """`speeds`: how many rows, the last ones, hold speeds and no positions."""
        self.key = space.key(key)
        self.space = space
        self.row_names = tuple(row_names)
        self.extras = extras
        self.inputs = inputs
        self.speeds = speeds
        self._make = make

    @property
    def holonomic(self) -> bool:
        """Whether all its rows hold positions, and not speeds alone."""
        return not self.speeds

    @property
    def rows(self) -> int:
        return len(self.row_names)

    @property
    def data_size(self) -> int:
        """Numbers of one constraint: two markers and its own."""
        return 2 * MARKER_RECORD + self.extras

    @property
    def turns(self) -> int:
        """Counted angles or followed parameters that its functions take."""
        return self._arguments.turns.numel()

    def row_expressions(self, arguments: ConstraintArguments) -> Sequence[Row | WideRow]:
        """The rows, by closed form or by differentiation."""
        return self._rows([self.space.frame(record) for record in arguments.bodies], arguments)

    def _rows(self, frames: Sequence[BodyFrame], arguments: ConstraintArguments) -> Sequence[Row | WideRow]:
        a, b = frames
        u = ca.reshape(arguments.inputs, 3, self.inputs)
        extras = arguments.data[2 * MARKER_RECORD :]

        def made(frame_a: BodyFrame, frame_b: BodyFrame, inputs: ca.SX) -> Sequence[Row] | ca.SX:
            markers = Marker.pair((frame_a, frame_b), arguments.data)
            return self._make(*markers, extras, inputs, arguments.turns)

        rows = made(a, b, u)
        if not isinstance(rows, ca.SX):
            return list(rows)

        def residual(frame_a: BodyFrame, frame_b: BodyFrame, values: ca.SX) -> ca.SX:
            inputs = ca.vertcat(values.T, u[1:, :]) if self.inputs else u
            result = made(frame_a, frame_b, inputs)
            assert isinstance(result, ca.SX)
            return result

        return rows_from_residual(residual, a, b, [u[k, :].T for k in range(3)])

    @cached_property
    def _arguments(self) -> ConstraintArguments:
        return ConstraintArguments.make(self.data_size, self.inputs, self.space)

    @cached_property
    def _parts(self) -> tuple[ca.SX, ...]:
        return self._parts_of(self.row_expressions(self._arguments))

    def _parts_of(self, rows: Sequence[Row | WideRow]) -> tuple[ca.SX, ...]:
        """g, G of each body, gamma and nu, with rows of zeros up to the number of lanes."""
        pad = self.space.lanes - len(rows)
        columns = self.space.columns

        def column(values: list[ca.SX]) -> ca.SX:
            return ca.vertcat(*(ca.sparsify(ca.SX(value)) for value in values), ca.SX(pad, 1))

        def jacobian(side: int) -> ca.SX:
            full = ca.vertcat(*(columns(*row.sides[side]).T for row in rows))
            return ca.sparsify(ca.vertcat(full, ca.SX(pad, self.space.V)))

        return (
            column([row.value for row in rows]),
            *(jacobian(side) for side in range(self.sides)),
            column([row.gamma for row in rows]),
            column([row.nu for row in rows]),
        )

    @cached_property
    def holds_points(self) -> bool:
        """Whether the first rows are the difference of two points in world axes: velocity of b minus that of a, and
        what their rotations add. No other row has linear velocities."""
        sides = [part[:, self.space.linear] for part in self._parts[1:-2]]
        if len(sides) != 2 or not all(side.is_constant() for side in sides):
            return False
        a, b = (ca.DM(side).full() for side in sides)
        return bool((b == -a).all() and (b == np.eye(*b.shape)).all())

    def _function(self, kind: str, outputs: Sequence[ca.SX]) -> ca.Function:
        simplified = ca.cse(list(outputs))
        return ca.Function(short_name(kind, self.key), self._arguments.as_list(), simplified)

    @cached_property
    def full(self) -> ca.Function:
        return self._function("full", self._parts)

    @cached_property
    def residual(self) -> ca.Function:
        return self._function("residual", self._parts[:1])

    @cached_property
    def gamma(self) -> ca.Function:
        return self._function("gamma", self._parts[-2:-1])

    @cached_property
    def jacobian(self) -> ca.Function:
        """Exact derivatives for implicit methods and linearisation.

        Further arguments: multipliers (8), accelerations of the bodies (nV). The small motions are (dx, turn) of each
        body, the twists (dv, dw), all in world axes.
        """
        arguments, space, V = self._arguments, self.space, self.space.V
        size = self.sides * V
        multipliers, accelerations = ca.SX.sym("l", space.lanes), ca.SX.sym("acc", size)
        nudge = ca.SX.sym("nudge", 2 * size)
        parts = ca.vertsplit(nudge, V)
        moved = [
            space.nudged(space.frame(record), parts[k], parts[self.sides + k])
            for k, record in enumerate(arguments.bodies)
        ]
        rows = self._rows(moved, arguments)
        full = ca.vertcat(*(ca.horzcat(*(space.columns(*side).T for side in row.sides)) for row in rows))
        wrench = ca.mtimes(full.T, multipliers[: len(rows)])
        gamma = ca.vertcat(*(row.gamma for row in rows))
        acceleration = ca.mtimes(full, accelerations) - gamma
        zero = ca.SX.zeros(2 * size, 1)
        stiffness = ca.substitute(ca.jacobian(wrench, nudge)[:, :size], nudge, zero)
        bottom = ca.substitute(ca.jacobian(acceleration, nudge), nudge, zero)
        bottom = ca.vertcat(bottom, ca.SX(space.lanes - len(rows), 2 * size))
        return ca.Function(
            short_name("cjac", self.key),
            [*arguments.as_list(), multipliers, accelerations],
            ca.cse([ca.sparsify(stiffness), ca.sparsify(bottom)]),
        )


def joint_kernel(joint: JointEquations, space: Space = SPATIAL) -> ConstraintKernel:
    """Constraint of a joint."""
    return ConstraintKernel(
        f"joint:{joint.key}",
        joint.row_names,
        lambda a, b, extras, inputs, turns: joint.equations(a, b, joint.named(extras), turns),
        extras=len(joint.extras),
        space=space,
        speeds=joint.speeds,
    )


def joint_signals(joint: JointEquations, space: Space = SPATIAL) -> ca.Function:
    """(as all functions of its kernel, then its multipliers) -> the signals that a joint has of its own."""
    arguments = ConstraintArguments.make(2 * MARKER_RECORD + len(joint.extras), 0, space)
    a, b = Marker.pair(map(space.frame, arguments.bodies), arguments.data)
    multipliers = ca.SX.sym("l", len(joint.row_names))
    values = joint.signal_values(a, b, joint.named(arguments.data[2 * MARKER_RECORD :]), multipliers)
    outputs = [ca.densify(ca.SX(value)) for value in values]
    name = short_name("signals", space.key(f"joint:{joint.key}"))
    return ca.Function(name, [*arguments.as_list(), multipliers], ca.cse(outputs))


def driver_kernel(joint: JointEquations, coordinate: str, space: Space = SPATIAL) -> ConstraintKernel:
    """A joint coordinate follows a function of time: coordinate - u(t) = 0."""
    return ConstraintKernel(
        f"driver:{joint.key}:{coordinate}",
        (coordinate,),
        lambda a, b, _, u, turns: [
            joint.coordinate(coordinate, a, b, turns).minus(u[0, 0], u[1, 0], u[2, 0])
        ],
        inputs=1,
        space=space,
    )


def rate_kernel(joint: JointEquations, coordinate: str, space: Space = SPATIAL) -> ConstraintKernel:
    """The rate of a joint coordinate as a row, for friction: the joint sticks while the row is active."""
    key = f"rate:{joint.key}:{coordinate}"
    row: RowMaker = lambda a, b, extras, inputs, turns: [joint.coordinate(coordinate, a, b, turns)]  # noqa: E731
    return ConstraintKernel(key, ("friction",), row, space=space)


def turn_kernel(space: Space = SPATIAL) -> ConstraintKernel:
    """The same of the turn between two shafts, which need no joint."""
    return ConstraintKernel("rate:turn", ("friction",), lambda a, b, *_: [turn_about_axis(a, b)], space=space)


def stop_kernel(
    joint: JointEquations, coordinate: str, side: str, space: Space = SPATIAL
) -> ConstraintKernel:
    """The way of a joint coordinate to a bound as a switchable constraint."""

    def make(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX):
        above = joint.coordinate(coordinate, a, b, turns).minus(extras[0], ca.SX(0), ca.SX(0))
        return [above if side == "lower" else Row(ca.SX(0)).plus(above, -1.0)]

    return ConstraintKernel(f"stop:{joint.key}:{coordinate}:{side}", ("gap",), make, extras=1, space=space)


def gap_kernel(partner: str, space: Space = SPATIAL) -> ConstraintKernel:
    """The gap as a switchable constraint."""
    row: RowMaker = lambda a, b, extras, *_: [gap_row(partner, a, b, extras[0])]  # noqa: E731
    return ConstraintKernel(f"gap:{partner}", ("gap",), row, extras=1, space=space)


def load_function(coordinate: str, with_radius: bool, space: Space = SPATIAL) -> ca.Function:
    """What presses in a joint with dry friction: (body b, (marker on b, radius), wrench on b about its centre of mass)
    -> load.

    Friction force or torque along a joint coordinate: at most  F = F0 + mu N  while sliding and `static_ratio`
    times that while sticking, with N from the joint's reaction (Bai (1.19), (1.20)). While a joint sticks, the rate
    of its coordinate is held at zero by a constraint whose multiplier is the friction needed; when that exceeds the
    limit the joint slides, with F against the motion. The load N, from reaction force f and torque m (about the
    joint's point) in joint axes with z along the coordinate:

        angle         r |f|                      a journal of radius r that carries all of the force
        displacement  hypot(f_x, f_y) + |m| / r  a guide; m counts only where a radius r is given (half its length)
    """
    record, data, given = ca.SX.sym("b", space.record), ca.SX.sym("d", 13), ca.SX.sym("f", space.V)
    marker = Marker.from_record(space.frame(record), data[:12])
    wrench = space.in_space(given)
    force, torque = wrench[:3], wrench[3:] - ca.cross(marker.s, wrench[:3])
    radius = data[12]
    if coordinate == "angle":
        load = radius * ca.norm_2(force)
    else:
        load = ca.sqrt(ca.dot(marker.ex, force) ** 2 + ca.dot(marker.ey, force) ** 2)
        if with_radius:
            load = load + ca.norm_2(torque) / radius
    name = short_name("load", space.key(f"{coordinate}:{with_radius}"))
    return ca.Function(name, [record, data, given], [load])


MOST = 1000


class KernelStore:
    """Kernels that were made in this process, so that the next mechanism with the same types of elements finds them.

    A kernel depends on nothing but its key: deriving it again for every run of a study would take longer than many a
    run. The oldest go when there are many; those asked for last are kept longest.
    """

    def __init__(self, most: int = MOST) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._most = most

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        kernel = make()
        with self._lock:
            kernel = self._kept.setdefault(key, kernel)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return kernel

    def __len__(self) -> int:
        return len(self._kept)


KERNELS = KernelStore()
