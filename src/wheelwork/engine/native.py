"""The compiled engine: a program's tables and kernels in the C++ runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.equations.program import Numbers, Program

from .code import kernels
from .compiled_core import core
from .engine import Engine, Integration
from .native_system import NativeReport, NativeSystem
from .options import RunOptions
from .outcome import Outcome, Report
from .reduced import ReducedSystem
from .tables import Tables, tables_of


def kernel_groups(program: Program, implicit: bool) -> list[list[ca.Function]]:
    """The functions of a program, one group for each element type."""
    groups: dict[str, list[ca.Function]] = {}
    for use in program.constraints:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = [kernel.full, kernel.residual, kernel.gamma]
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for use in program.forces:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = [kernel.wrench, *([kernel.event] if kernel.events else [])]
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for friction in program.frictions:
        if friction.load is not None:
            groups[friction.load.name()] = [friction.load]
    for follow in program.follows:
        groups[follow.kernel.follow.name()] = [follow.kernel.follow]
    for mesh in program.meshes:
        groups[mesh.kernel.separating.name()] = [mesh.kernel.separating]
    if program.formulas is not None:
        groups["formulas"] = [program.formulas]
    return list(groups.values())


def report_of(native: NativeReport, tables: Tables) -> Report:
    """The runtime's report with names in it."""
    worst = native.worst_constraint
    label = tables.labels["constraints"][worst] if worst >= 0 else ""
    if native.bad_force >= 0:
        what = "force" if native.outcome == Outcome.NOT_FINITE else "mesh"
        label = f"{what} `{tables.labels['forces'][native.bad_force]}`"
    return Report(
        outcome=Outcome(native.outcome),
        t=native.t,
        worst_element=label,
        worst_residual=native.worst_residual,
        last_step=native.last_step,
        steps=native.steps,
        rejected=native.rejected,
        evaluations=native.evaluations,
        factorisations=native.factorisations,
        newton_iterations=native.newton_iterations,
    )


class NativeEngine(Engine):
    """A program in machine code."""

    name = "native"

    def __init__(self, program: Program, numbers: Numbers, implicit: bool = False):
        """`implicit`: with derivatives for `sdirk4`."""
        super().__init__(program, numbers)
        functions = [function for group in kernel_groups(program, implicit) for function in group]
        self.code = kernels(functions)  # which must live as long as its addresses are used
        self.system = NativeSystem(
            tables_of(program, implicit), core(program.space.name), self.code.addresses
        )
        self.set_numbers(numbers)
        self.system.alone.hand_over()

    def set_numbers(self, numbers: Numbers) -> None:
        self.system.set_numbers(numbers.data, numbers.mass, numbers.inertia, numbers.gravity)
        self.numbers = numbers

    def derivative(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.system.derivative(t, y)

    def repeat_derivative(self, t: float, y: np.ndarray, times: int) -> None:
        """The derivative again and again, for measuring."""
        self.system.repeat_derivative(t, y, times)

    def constraints(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.system.constraints(t, y)

    def project(self, t: float, y: np.ndarray, tolerance: float, iterations: int) -> tuple[np.ndarray, bool]:
        return self.system.project(t, y, tolerance, iterations)

    def follow(
        self, times: np.ndarray, y: np.ndarray, tolerance: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
        """A driven motion; see :meth:`NativeSystem.follow`."""
        return self.system.follow(times, y, tolerance, self.program.finest_tooth(self.numbers))

    def integrate_reduced(
        self,
        tables: Mapping[str, Any],
        rates: np.ndarray,
        y: np.ndarray,
        grid: np.ndarray,
        options: RunOptions,
        progress: Callable[[float, int], bool] | None = None,
    ) -> Integration:
        """The same as `integrate` in minimal coordinates; `y` is the absolute state at which these are zero."""
        system = ReducedSystem(self.system, tables, rates)
        records, events, final, native = system.integrate(y, grid, options, progress)
        return Integration.from_records(
            self.program, records, events, final, report_of(native, self.system.tables)
        )

    def integrate(
        self,
        y: np.ndarray,
        grid: np.ndarray,
        options: RunOptions,
        progress: Callable[[float, int], bool] | None = None,
    ) -> Integration:
        records, events, final, native = self.system.integrate(y, grid, options, progress)
        return Integration.from_records(
            self.program, records, events, final, report_of(native, self.system.tables)
        )
