"""The motion that a run has recorded: states, and what follows from them when somebody asks.

Accelerations and reactions are solved when first read, for all times in one pass; functions of the elements (tooth
forces, spring forces, energies) are evaluated in machine code. Both in threads. Each time stands for itself, so that
the digits depend neither on the number of threads nor on when it was done, before or after a result was saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, cast

import numpy as np

from wheelwork.lazy import casadi as ca
from wheelwork.system.motion import Motion
from wheelwork.system.program import Numbers, Program

from .code import Kernels, kernels
from .compiled_core import core
from .engine import Engine
from .native_system import declared
from .threads import in_threads

Happened = Mapping[str, Sequence[tuple[float, float]]]
"""What happened to elements at single moments: times and sizes, by name."""
SURVEYED = 9
"""States of a motion from which follows what holds for all of it."""


def follows_from_states(program: Program) -> bool:
    """Whether accelerations and reactions follow from the state alone: nothing sticks, slides, opens or closes."""
    return not program.frictions and not program.contacts


class Reactions:
    """Accelerations and multipliers along one motion, from its states (N, n)."""

    def __init__(self, program: Program, numbers: Numbers, t: np.ndarray, state: np.ndarray):
        self._program, self._numbers = program, numbers
        chosen = np.linspace(0, len(t) - 1, min(SURVEYED, len(t))).round().astype(int)
        self._surveyed = t[chosen], state[chosen]

    @cached_property
    def _engine(self) -> Engine:
        """One of its own: that of the run may have other numbers by now, or be at work."""
        engine = Engine(self._program, self._numbers)
        engine.system.survey(*self._surveyed)
        engine.system.alone.hand_over()
        return engine

    def solve(self, t: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._engine.system.reactions(t, state)


class RecordedMotion(Motion):
    """`t` (N) and `state` (N, n) of a run.

    efforts: accelerations, multipliers and friction forces, of a run that has them; else what solves for them
    sides: rows of time, state and efforts (where these are given) on both sides of events at which modes change or
        speeds jump, in pairs
    """

    def __init__(
        self,
        program: Program,
        numbers: Numbers,
        t: np.ndarray,
        state: np.ndarray,
        efforts: Sequence[np.ndarray] | Reactions | None = None,
        skips: Happened | None = None,
        losses: Happened | None = None,
        code: OutputCode | None = None,
        sides: np.ndarray | None = None,
    ):
        if efforts is None:
            efforts = Reactions(program, numbers, t, state)
        given = {"program": program, "numbers": numbers, "t": t, "state": state, "skips": skips or {}}
        given["losses"] = losses or {}
        given["sides"] = np.zeros((0, 1 + state.shape[1])) if sides is None else sides
        for name, value in {**given, "given_efforts": efforts, "_kept": {}}.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_code", code or OutputCode(program))

    given_efforts: Sequence[np.ndarray] | Reactions
    sides: np.ndarray
    _code: OutputCode

    @cached_property
    def _efforts(self) -> Sequence[np.ndarray]:
        if isinstance(self.given_efforts, Reactions):
            solved = self.given_efforts.solve(self.t, self.state)
            return *solved, np.zeros((self.count, len(self.program.frictions)))
        return self.given_efforts

    @property
    def follows_from_states(self) -> bool:
        """Whether accelerations and reactions need not be kept: they are solved from the states."""
        return isinstance(self.given_efforts, Reactions)

    @property
    def solved(self) -> bool:
        """Whether accelerations and reactions are known by now."""
        return "_efforts" in self.__dict__ or not self.follows_from_states

    @cached_property
    def acceleration(self) -> np.ndarray:  # type: ignore[override]
        return self._efforts[0]

    @cached_property
    def multipliers(self) -> np.ndarray:  # type: ignore[override]
        return self._efforts[1]

    @cached_property
    def friction(self) -> np.ndarray:  # type: ignore[override]
        return self._efforts[2]

    def moments(self, chosen: np.ndarray) -> RecordedMotion:
        efforts = [array[chosen] for array in self._efforts] if self.solved else self.given_efforts
        t, sides = self.t[chosen], self.sides
        if len(sides):
            inside = (sides[::2, 0] >= t[0]) & (sides[1::2, 0] <= t[-1])
            sides = sides[np.repeat(inside, 2)]
        return self.other(t, self.state[chosen], efforts, sides)

    @cached_property
    def on_sides(self) -> RecordedMotion:
        """The motion on both sides of events, a moment for each row of `sides`."""
        t, state, given = self.sides[:, 0], self.sides[:, 1 : 1 + self.program.n], self.given_efforts
        if not isinstance(given, Reactions):
            at = 1 + self.program.n + np.cumsum([0, *(array.shape[1] for array in given)])
            given = [self.sides[:, first:end] for first, end in pairwise(at)]
        return self.other(t, state, given)

    def other(
        self,
        t: np.ndarray,
        state: np.ndarray,
        efforts: Sequence[np.ndarray] | Reactions,
        sides: np.ndarray | None = None,
    ) -> RecordedMotion:
        return RecordedMotion(
            self.program, self.numbers, t, state, efforts, self.skips, self.losses, self._code, sides
        )

    def evaluate(self, function: ca.Function, columns: list[np.ndarray]) -> list[np.ndarray]:
        return self._code.evaluate(function, columns)


def recorded(motion: Motion) -> RecordedMotion:
    """The same motion, evaluated in machine code."""
    if isinstance(motion, RecordedMotion):
        return motion
    efforts = (motion.acceleration, motion.multipliers, motion.friction)
    return RecordedMotion(
        motion.program, motion.numbers, motion.t, motion.state, efforts, motion.skips, motion.losses
    )


class OutputCode:
    """Machine code of the functions with which the elements of a program tell about themselves."""

    def __init__(self, program: Program):
        self._program = program
        self._more: dict[str, Kernels] = {}

    @cached_property
    def _kernels(self) -> tuple[Kernels, set[str]]:
        functions = [_dense(function) for function in output_functions(self._program)]
        return kernels(functions), {function.name() for function in functions}

    def _address(self, function: ca.Function) -> int:
        code, known = self._kernels
        name = function.name()
        if name not in known:
            code = self._more.setdefault(name, kernels([_dense(function)]))
        return code.address(name)

    def evaluate(self, function: ca.Function, columns: list[np.ndarray]) -> list[np.ndarray]:
        """A function at many points, in threads; each argument and result has a column for each point."""
        count = columns[0].shape[1]
        arguments = [_by_points(column) for column in columns]
        results = [np.empty((count, *reversed(function.size_out(k)))) for k in range(function.n_out())]
        run, address = declared(core("spatial")).ww_evaluate, self._address(function)

        def part(first: int, last: int) -> None:
            kept = []  # tables that the call reads
            for arrays in (arguments, results):
                places = np.array([a.ctypes.data + first * a.strides[0] for a in arrays], dtype=np.uintp)
                kept += [len(arrays), places, np.array([a.strides[0] // 8 for a in arrays], dtype=np.int64)]
            run(address, last - first, *(k if isinstance(k, int) else k.ctypes.data for k in kept))

        in_threads(part, count)
        return [result[:, 0].T if result.shape[1] == 1 else result.transpose(2, 1, 0) for result in results]


def output_functions(program: Program) -> Iterator[ca.Function]:
    """What signals, powers and pictures of a program evaluate."""
    if program.formulas is not None:
        yield program.formulas
    for constraint in program.constraints:
        yield constraint.kernel.full
    for force in program.forces:
        yield from (force.kernel.signals, force.kernel.wrench)
    for mesh in program.meshes:
        yield from (mesh.kernel.signals, mesh.kernel.separating, mesh.kernel.tooth_force)
    for follow in program.follows:
        yield from (follow.kernel.where, follow.kernel.follow)
    for relation in program.relations:
        kernel: Any = program.constraints[relation.constraint].kernel
        yield kernel.state


def _dense(function: ca.Function) -> ca.Function:
    if all(function.sparsity_out(k).is_dense() for k in range(function.n_out())):
        return function
    symbols = function.sx_in()
    return ca.Function(function.name(), symbols, [ca.densify(part) for part in function.call(symbols)])


def _by_points(column: np.ndarray) -> np.ndarray:
    """(points, numbers), the numbers of each point side by side in memory."""
    rows = column.T
    if rows.dtype == np.float64 and (rows.shape[1] < 2 or rows.strides[1] == 8):
        return rows
    return cast(np.ndarray, np.ascontiguousarray(rows, float))
