"""Exudyn's integrators with the choices it leaves, for all models of this folder.

One thread, no files, no sensors, no printing, the compiled module without range checks and with AVX2
(`sys.exudynFast`). Needs Exudyn 1.13 or later (the names of the settings changed in 1.12).
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from dataclasses import dataclass
from typing import Any

sys.exudynFast = True  # type: ignore[attr-defined]  # must be set before the first import of exudyn
with contextlib.redirect_stdout(io.StringIO()):
    import exudyn as exu
    import exudyn.itemInterface as items

__all__ = ["Settings", "Solved", "bare", "clock", "exu", "implicit", "items", "solve"]

clock = (
    time.process_time
)  # both sides of the benchmark use processor time; `child.py` puts the wall clock here


@dataclass(frozen=True)
class Settings:
    """Of the implicit methods; each model says which are its best."""

    method: str = "TrapezoidalIndex2"
    linear: str = "EigenSparse"
    reuse_pattern: bool = True
    modified_newton: bool = True
    update_each_step: bool = False
    contractivity: float = 0.5
    connector_derivative: bool = False
    spectral_radius: float = 0.9
    tolerance: float = 1e-4
    absolute_tolerance: float | None = None
    threads: int = 1


@dataclass
class Solved:
    """Seconds of initialisation and of the steps, and their number."""

    initialise: float
    steps: float
    count: int

    @property
    def solve(self) -> float:
        return self.initialise + self.steps


def bare(method: str, step: float, end: float) -> Any:
    """Settings of fixed steps of about this size."""
    options = exu.SimulationSettings()
    options.solution.file.write = False
    options.solution.sensors.active = False
    options.parallel.numberOfThreads = 1
    integration = options.timeIntegration
    integration.solverType = getattr(exu.DynamicSolverType, method)
    integration.endTime = end
    integration.numberOfSteps = round(end / step)
    integration.adaptiveStep = False
    integration.verboseMode = 0
    return options


def implicit(step: float, end: float, settings: Settings) -> Any:
    """Settings of an implicit method."""
    options = bare(settings.method, step, end)
    options.linearSolver.solverType = getattr(exu.LinearSolverType, settings.linear)
    options.linearSolver.reuseAnalyzedPattern = settings.reuse_pattern
    options.parallel.numberOfThreads = settings.threads
    newton = options.timeIntegration.newton
    newton.useModifiedNewton = settings.modified_newton
    newton.modifiedNewtonJacUpdatePerStep = settings.update_each_step
    newton.modifiedNewtonContractivity = settings.contractivity
    newton.numericalDifferentiation.jacobianConnectorDerivative = settings.connector_derivative
    newton.relativeTolerance = settings.tolerance
    newton.absoluteTolerance = (
        settings.tolerance / 10 if settings.absolute_tolerance is None else settings.absolute_tolerance
    )
    alpha = options.timeIntegration.generalizedAlpha
    alpha.spectralRadius = settings.spectral_radius
    alpha.useNewmark = alpha.useIndex2Constraints = settings.method == "TrapezoidalIndex2"
    return options


def solve(mbs: Any, options: Any, explicit: bool = False) -> Solved:
    """Run an assembled system to its end."""
    solver = exu.MainSolverExplicit() if explicit else exu.MainSolverImplicitSecondOrder()
    start = clock()
    ready = solver.InitializeSolver(mbs, options)
    initialised = clock()
    done = ready and solver.SolveSteps(mbs, options)
    end = clock()
    if not done:
        raise RuntimeError("Exudyn did not reach the end time")
    count = solver.it.currentStepIndex - 1  # Exudyn's index stands at the next step
    solver.FinalizeSolver(mbs, options)
    return Solved(initialised - start, end - initialised, count)
