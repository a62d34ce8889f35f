"""A motion as arrays: states, accelerations and efforts of a program at many times, and frames made from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from wheelwork.lazy import Keeping, dataclass
from wheelwork.lazy import casadi as ca

from .program import Numbers, Program
from .space import SPATIAL
from .uses import FollowUse


@dataclass(frozen=True)
class Motion(Keeping):
    """`t` (N), `state` (N, n), `acceleration` (N, V bodies), `multipliers` (N, rows), `friction` (N, frictions).

    `skips` has (time, 1 or -1) for every tooth of a mesh that skipped, by the name of the mesh; `losses` (time, J) for
    every impulse that took energy, by the name of the element.
    """

    program: Program
    numbers: Numbers
    t: np.ndarray
    state: np.ndarray
    acceleration: np.ndarray
    multipliers: np.ndarray
    friction: np.ndarray
    skips: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    losses: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def at_moment(
        cls, program: Program, numbers: Numbers, t: float, states: np.ndarray, *efforts: np.ndarray
    ) -> Motion:
        """A state (n), or several (N, n), at one moment.

        efforts: accelerations and multipliers of a state, zero where left out; friction is that of what holds
        """
        states = np.atleast_2d(states)
        sizes = (program.nv, program.rows)
        zeros = [np.zeros((len(states), n)) for n in sizes[len(efforts) :]]
        a, multipliers = [*(effort[None] for effort in efforts), *zeros]
        friction = program.holding(multipliers)
        return cls(program, numbers, np.full(len(states), t), states, a, multipliers, friction)

    def evaluate(self, function: ca.Function, columns: list[np.ndarray]) -> list[np.ndarray]:
        """A function at all times: each argument and result has a column for each, matrices as (rows, columns, N)."""
        return evaluate(function, columns)

    def moments(self, chosen: np.ndarray) -> Motion:
        """Some moments of the motion, by index."""
        efforts = [array[chosen] for array in (self.acceleration, self.multipliers, self.friction)]
        return self.other(self.t[chosen], self.state[chosen], efforts)

    def other(self, t: np.ndarray, state: np.ndarray, efforts: Sequence[np.ndarray]) -> Motion:
        """Another motion of the same mechanism; efforts: its accelerations, multipliers and friction forces."""
        acceleration, multipliers, friction = efforts
        return Motion(
            self.program, self.numbers, t, state, acceleration, multipliers, friction, self.skips, self.losses
        )

    @property
    def count(self) -> int:
        return len(self.t)

    @cached_property
    def q(self) -> np.ndarray:
        """Coordinates (N, bodies, Q)."""
        return self.state[:, : self.program.nq].reshape(
            self.count, len(self.program.bodies), self.program.space.Q
        )

    @cached_property
    def v(self) -> np.ndarray:
        """Velocities in space (N, bodies, 6): linear of the centre of mass, angular."""
        return self.program.space.raised(self._own_v)

    @cached_property
    def _own_v(self) -> np.ndarray:
        nq, nv = self.program.nq, self.program.nv
        return self.state[:, nq : nq + nv].reshape(self.count, len(self.program.bodies), self.program.space.V)

    @cached_property
    def a(self) -> np.ndarray:
        """Accelerations in space (N, bodies, 6)."""
        own = self.acceleration.reshape(self.count, len(self.program.bodies), self.program.space.V)
        return self.program.space.raised(own)

    @cached_property
    def _poses(self) -> tuple[np.ndarray, np.ndarray]:
        return self.program.space.poses(self.q)

    @property
    def x(self) -> np.ndarray:
        """Positions of the centres of mass (N, bodies, 3)."""
        return self._poses[0]

    @property
    def R(self) -> np.ndarray:
        """(N, bodies, 3, 3)."""
        return self._poses[1]

    @cached_property
    def e(self) -> np.ndarray:
        """Euler parameters (N, bodies, 4)."""
        return self.program.space.attitudes(self.q)

    @cached_property
    def records(self) -> np.ndarray:
        """Records as kernels take them (N, bodies + 1, record); the last body is ground."""
        bodies, space = len(self.program.bodies), self.program.space
        out = np.empty((self.count, bodies + 1, space.record), self.state.dtype)
        out[:, -1] = space.ground()
        out[:, :bodies] = space.records(self.q, self._own_v)
        return out

    @cached_property
    def frames(self) -> np.ndarray:
        """Frames in space (N, bodies + 1, 18): x, R by rows, v, w; the last body is ground."""
        bodies = len(self.program.bodies)
        out = np.empty((self.count, bodies + 1, SPATIAL.record), self.state.dtype)
        out[:, -1] = SPATIAL.ground()
        out[:, :bodies] = np.concatenate([self.x, self.R.reshape(self.count, bodies, 9), self.v], axis=2)
        return out

    def _frame(self, body: int) -> np.ndarray:
        """That of one body (N, 18), without those of all others where nobody has asked for these."""
        if body < 0 or "frames" in vars(self):
            return self.frames[:, body] if "frames" in vars(self) else SPATIAL.ground()[None]
        space = self.program.space
        x, R = space.poses(self.q[:, body])
        return np.concatenate([x, R.reshape(self.count, 9), space.raised(self._own_v[:, body])], axis=1)

    @cached_property
    def inputs(self) -> np.ndarray:
        """Inputs, (N, inputs, 3): value, first and second derivative of functions of time; pieces of splines."""
        out = np.zeros((self.count, self.program.inputs, 3))
        if self.program.formulas is not None:
            p = np.array([self.numbers.parameters[name] for name in self.program.parameter_names])
            values = self.evaluate(self.program.formulas, [self.t[None, :], self.repeated(p)])[0]
            values = values.reshape(3, -1, self.count, order="F").transpose(2, 1, 0)
            out[:, self.program.formula_inputs, :] = values
        for table in self.program.tables:
            out[:, table.input] = table.at(self.t).T
        for use in self.program.curves:
            z = self.followed(use.parameter)
            out[:, use.input : use.input + 3] = use.spline.piece(z).reshape(self.count, 3, 3)
        return out

    def turn(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        """A relative rotation: angle over whole turns, and rate."""
        return self.once(("turn", index), lambda: self._turn(index))

    def _turn(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        use = self.program.turns[index]
        markers = self.numbers.data[use.data : use.data + 24]
        a, b = self._frame(use.a), self._frame(use.b)
        A = a[:, 3:12].reshape(-1, 3, 3) @ markers[3:12].reshape(3, 3)
        B = b[:, 3:12].reshape(-1, 3, 3) @ markers[15:24].reshape(3, 3)
        sine = np.sum(A[:, :, 1] * B[:, :, 0] - A[:, :, 0] * B[:, :, 1], axis=1)
        cosine = np.sum(A[:, :, 0] * B[:, :, 0] + A[:, :, 1] * B[:, :, 1], axis=1)
        counted = self.state[:, self.program.nq + self.program.nv + index]
        rate = np.sum(A[:, :, 2] * (b[:, 15:18] - a[:, 15:18]), axis=1)
        return self._nearest_angle(sine, cosine, counted), rate

    # -- what symbols do in another way (:mod:`.symbolic_motion`)

    def _nearest_angle(self, sine: np.ndarray, cosine: np.ndarray, counted: np.ndarray) -> np.ndarray:
        """The angle with this sine and cosine that is next to a counted one."""
        angle = np.arctan2(sine, cosine)
        return angle + 2 * np.pi * np.round((counted - angle) / (2 * np.pi))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Largest size over the first axis."""
        return np.max(np.abs(values), axis=0)

    def direction(self, values: np.ndarray, least: float) -> np.ndarray:
        """1 or -1 where a value is larger than `least`, either way; else 0."""
        return np.where(abs(values) > least, np.sign(values), 0.0)

    def about(self, torque: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """A torque (N, 3) about an axis that two directions share; its size where they do not."""
        if np.allclose(first, second, rtol=0, atol=1e-9):
            return np.sum(torque * first, axis=1)
        return np.linalg.norm(torque, axis=1)

    def skipped(self, mesh: str) -> np.ndarray:
        """Teeth by which wheel a of a mesh has gone ahead of b by skipping, up to each time."""
        return _summed(self.skips.get(mesh, ()), self.t, "right")

    def lost(self, element: str) -> np.ndarray:
        """Energy that the impulses of an element took before each time [J]."""
        return _summed(self.losses.get(element, ()), self.t, "left")

    def counted(self, index: int) -> np.ndarray:
        """A relative rotation as counted along the motion (zero for index -1)."""
        if index < 0:
            return np.zeros(self.count)
        if self.program.measured and index >= self.program.first_measured:
            return self.measured[index - self.program.first_measured]
        return self.state[:, self.program.nq + self.program.nv + index]

    @cached_property
    def measured(self) -> np.ndarray:
        """Signals that formulas read once the accelerations are known (signals, N)."""
        assert self.program.measuring is not None
        arguments = [self.t[None, :], self.state.T, self.acceleration.T, self.multipliers.T, self.friction.T]
        inputs = self.inputs.reshape(self.count, -1).T
        data = self.repeated(self.numbers.data)
        return self.evaluate(self.program.measuring, [*arguments, inputs, data])[0]

    def followed(self, index: int) -> np.ndarray:
        """A followed parameter."""
        return self.counted(len(self.program.turns) + index)

    def own_states(self, index: int) -> np.ndarray:
        """The states of a force or block (states, N)."""
        use, first = self.program.forces[index], self.program.first_state
        return self.state[:, first + use.first_state : first + use.first_state + use.kernel.states].T

    def state_rates(self) -> np.ndarray:
        """Rates of the elements' own states (states, N); not a number for those that jump and stay in between."""
        rates = [np.zeros((0, self.count))]
        for k, use in enumerate(self.program.forces):
            if not use.kernel.states:
                continue
            if use.kernel.effect.rates is None:
                rates.append(np.full((use.kernel.states, self.count), np.nan))
            else:
                rates.append(self.evaluate(use.kernel.rate, self.force_arguments(k))[0])
        return np.concatenate(rates)

    def following(self, use: FollowUse) -> np.ndarray:
        """Rates of the followed parameters of a constraint, (parameters, N)."""
        return self.evaluate(use.kernel.follow, self.constraint_arguments(use.constraint))[1]

    def repeated(self, numbers: np.ndarray) -> np.ndarray:
        """The same numbers at all times, one column each."""
        return np.broadcast_to(numbers[:, None], (len(numbers), self.count))

    def constraint_arguments(self, index: int) -> list[np.ndarray]:
        """Arguments of a constraint's kernel functions, one column a time."""
        use = self.program.constraints[index]
        data = self.numbers.data[use.data : use.data + use.kernel.data_size]
        slots = use.kernel.inputs
        inputs = self.inputs[:, use.input : use.input + slots] if slots else np.zeros((self.count, 0))
        turns = [self.counted(turn) for turn in use.turns]
        return [
            *(self.records[:, body].T for body in use.bodies),
            self.repeated(data),
            inputs.reshape(self.count, -1).T,
            np.array(turns) if turns else np.zeros((use.kernel.turns, self.count)),
        ]

    def force_arguments(self, index: int) -> list[np.ndarray]:
        """Arguments of a force's kernel functions, one column a time."""
        use = self.program.forces[index]
        wrench = use.kernel.wrench
        sizes = [wrench.size1_in(k) for k in range(wrench.n_in())]
        n = len(use.bodies)
        data = self.numbers.data[use.data : use.data + sizes[n]]
        inputs = self.inputs[:, use.input : use.input + sizes[n + 1] // 3].reshape(self.count, -1).T
        turns = [self.counted(turn) for turn in use.turns]
        return [
            *(self.records[:, body].T for body in use.bodies),
            self.repeated(data),
            inputs,
            np.array(turns).reshape(len(turns), self.count),
            self.t[None, :],
        ]


def _summed(
    happened: Sequence[tuple[float, float]], t: np.ndarray, side: Literal["left", "right"]
) -> np.ndarray:
    """Sizes of what happened at single moments, added up until each time."""
    events = np.array(happened).reshape(-1, 2)
    return np.append(0.0, np.cumsum(events[:, 1]))[np.searchsorted(events[:, 0], t, side=side)]


def evaluate(function: ca.Function, columns: list[np.ndarray]) -> list[np.ndarray]:
    """A function at many points; each argument and result has a column for each point.

    Results of matrix shape come as (rows, columns, points).
    """
    count = columns[0].shape[1]
    if not all(function.sparsity_out(k).is_dense() for k in range(function.n_out())):
        symbols = function.sx_in()
        dense = [ca.densify(part) for part in function.call(symbols)]
        function = ca.Function(function.name(), symbols, dense)
    results = [np.empty((count, *reversed(function.size_out(k)))) for k in range(function.n_out())]
    if count:
        _run(function.map(count), columns, results)
    return [result[:, 0].T if result.shape[1] == 1 else result.transpose(2, 1, 0) for result in results]


def _run(mapped: ca.Function, columns: list[np.ndarray], results: list[np.ndarray]) -> None:
    """Straight from and into the memory of arrays, which CasADi takes column by column.

    Making its own matrices from them would take far longer than the function itself.
    """
    buffer: Any
    buffer, run = mapped.buffer()
    arguments = [np.ascontiguousarray(column.T, float) for column in columns]
    for k, argument in enumerate(arguments):
        if argument.size:
            buffer.set_arg(k, argument.data)
    for k, result in enumerate(results):
        if result.size:
            buffer.set_res(k, result.data)
    run()
