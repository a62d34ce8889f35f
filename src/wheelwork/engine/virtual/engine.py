"""The engine that needs no compiler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wheelwork.equations.program import Kind, Numbers, Program

from ..engine import Engine, Integration, RunOptions
from ..one_thread import OneThread, by_one_thread
from .methods import Dopri5, Method, Rk4
from .projection import project_position, project_velocity
from .run import Run
from .sdirk4 import Sdirk4
from .system import Stabilisation, System


class VirtualEngine(Engine):
    """A program on CasADi's virtual machine.

    `implicit` makes no difference here: derivatives for implicit methods are made when first needed.
    """

    name = "virtual"

    def __init__(self, program: Program, numbers: Numbers, implicit: bool = False):
        super().__init__(program, numbers)
        del implicit
        self._system = System(program, numbers)
        self.alone = OneThread()

    def set_numbers(self, numbers: Numbers) -> None:
        with self.alone.use(sets_numbers=True):
            self.numbers = numbers
            self._system.set_numbers(numbers)

    def _reset(self, stabilisation: Stabilisation) -> System:
        """The system with all joints free of friction and all contacts open."""
        system = self._system
        system.stabilisation = stabilisation
        system.fewest_small, system.near_singular_since = np.inf, False
        system.friction.slip[:] = 0
        system.friction.force[:] = 0.0
        system.teeth.force[:] = 0.0
        system.multipliers = np.zeros(self.program.rows)
        bilateral = [use.kind is Kind.BILATERAL for use in self.program.constraints]
        system.set_active(np.array(bilateral, bool))
        return system

    # -- evaluation

    @by_one_thread
    def derivative(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivative of the state, accelerations, multipliers (of least norm, if constraints are redundant)."""
        system = self._reset(Stabilisation())
        dy = system.derivative(t, np.asarray(y, float))
        system.complete_reactions()
        return dy, system.acceleration[:-1].ravel(), system.multipliers[system.program_rows]

    @by_one_thread
    def constraints(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        system = self._reset(Stabilisation())
        system.inputs.evaluate(t)
        system.place(np.asarray(y, float))
        system.evaluate_constraints("full")
        rows = system.program_rows
        return (
            system.g[rows],
            system.jacobian[rows].reshape(-1, 2 * system.V),
            system.gamma[rows],
            system.nu[rows],
        )

    @by_one_thread
    def project(self, t: float, y: np.ndarray, tolerance: float, iterations: int) -> tuple[np.ndarray, bool]:
        system = self._reset(Stabilisation())
        y, found = project_position(system, t, system.normalised(y), tolerance, iterations, renew=True)
        if not found:
            return y, False
        system.prepare(t, y)
        y = system.settled(y)
        for _ in range(2):  # the second time for what round-off left
            y = project_velocity(system, y)
        return y, True

    @by_one_thread
    def integrate(
        self,
        y: np.ndarray,
        grid: np.ndarray,
        options: RunOptions,
        progress: Callable[[float, int], bool] | None = None,
    ) -> Integration:
        system = self._reset(
            Stabilisation(
                options.stabilisation,
                *map(float, options.stabilisation_values),
                iterations=options.stabilisation_iterations,
            )
        )
        system.evaluations = system.factorisations = 0
        # inside, time is counted from the start of the run
        origin = system.inputs.origin = options.start
        inside = replace(
            options, start=0.0, end=options.end - origin, corners=tuple(c - origin for c in options.corners)
        )
        told = progress and (lambda t, steps: progress(origin + t, steps))
        run = Run(system, self._method(inside), inside, np.asarray(grid, float) - origin, told)
        try:
            run.integrate(np.array(y, float))
            report = run.report()
        finally:
            system.inputs.origin = 0.0
        first = np.array([origin])
        width = 1 + self.program.n + self.program.nv + self.program.rows + len(self.program.frictions)
        return Integration.from_records(
            self.program,
            np.array(run.records).reshape(-1, width) + np.pad(first, (0, width - 1)),
            np.array(run.switching.log).reshape(-1, 4) + np.pad(first, (0, 3)),
            run.final_state,
            replace(report, t=origin + report.t),
        )

    def _method(self, options: RunOptions) -> Method:
        if options.method == "rk4":
            return Rk4(self._system.derivative)
        if options.method == "dopri5":
            return Dopri5(self._system.derivative)
        if options.method == "sdirk4":
            return Sdirk4(self._system, options.rtol, options.atol)
        raise ValueError(f"no method {options.method!r}: there are rk4, dopri5 and sdirk4")
