"""How a run will be integrated: in which coordinates, with which settings."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.engine.engine import Engine, Integration, RunOptions, integrated
from wheelwork.engine.options import Progress
from wheelwork.engine.outcome import RunReport
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.lazy import dataclass, uncollected
from wheelwork.problems import users_level
from wheelwork.system.driver_jumps import check_drivers
from wheelwork.system.uses import ConstraintKind

from .assemble import Assembled
from .prepare import Prepared, reduction_pays
from .reduction import NotReducible, Reduction, reduce
from .reduction.reduce import needs_reactions, tables
from .reduction.straight_line import LONGEST, SHORT, straight_line


@dataclass(frozen=True)
class Planned:
    """How a run will be integrated."""

    run: RunOptions
    reduced: tuple[dict[str, Any], np.ndarray] | None = None
    """Tables and rates of minimal coordinates, where these are taken."""
    words: str = "absolute"
    renewed: Callable[[np.ndarray], np.ndarray] | None = None
    """Numbers of straight-line code from other numbers of the elements."""

    def carried_out(self, at: Assembled, grid: np.ndarray, progress: Progress | None = None) -> Integration:
        system = at.prepared.engine.system
        reduced = None if self.reduced is None else ReducedSystem(system, *self.reduced)
        done = integrated(system, at.state, grid, self.run, progress, reduced)
        return replace(done, report=replace(done.report, formulation=self.words))


@uncollected()
def planned(at: Assembled, run: RunOptions, formulation: str) -> Planned:
    """With the coordinates asked for, or those that suit the mechanism."""
    engine = at.prepared.engine
    began = (
        run.start if run.origin is None else run.origin
    )  # steps that are made again may lie before the start
    run = replace(run, corners=at.prepared.program.corners(at.prepared.numbers, began, run.end))
    check_drivers(at.prepared.program, at.prepared.numbers, at.prepared.flat, run.start, run.end, run.corners)
    reduction = chosen_reduction(at, run, formulation)
    if reduction is None:
        return Planned(run)
    numbers = tables(reduction, engine)
    # long code is waited for by those who ask; else it is made beside this run, for the next one
    direct = straight_line(reduction, engine, numbers, LONGEST if formulation == "reduced" else SHORT)
    renewed = direct.pop("renewed", None)
    words = _words(at.prepared, reduction, bool(direct))
    return Planned(run, ({**numbers, **direct}, reduction.rates), words, renewed)


def _words(prepared: Prepared, reduction: Reduction, direct: bool) -> str:
    """The coordinates of a run."""
    velocities, multipliers = reduction.unknowns
    count = len(reduction.independent)
    words = f"reduced: {count} coordinate{'s' * (count > 1)} for {velocities} velocities and {multipliers} multipliers"
    if direct:
        words += ", in straight-line code"
    uses = [prepared.program.constraints[c] for c in reduction.cuts]
    lasting = sum(use.rows for use in uses if use.kind is ConstraintKind.BILATERAL)
    if lasting:
        words += f", and {lasting} constraints that close loops, hold speeds, follow cams, prescribe motions or carry "
        words += "tooth forces"
    switching = sum(use.kind is not ConstraintKind.BILATERAL for use in uses)
    if switching:
        words += f", and {switching} that hold while a joint sticks or a contact lasts"
    if needs_reactions(prepared.program, prepared.numbers.data):
        what = "formulas read them" if prepared.program.measured else "friction depends on them"
        words += f", with the reactions at every step, because {what}"
    return words


def chosen_reduction(at: Assembled, run: RunOptions, formulation: str) -> Reduction | None:
    """Minimal coordinates, where these are asked for or suit the mechanism; None: absolute ones."""
    if formulation == "absolute":
        return None
    engine = at.prepared.engine
    try:
        if run.method == "sdirk4" and formulation == "auto":
            return None  # whose exact derivatives are of elements in absolute coordinates
        if run.stabilisation != "projection":
            raise NotReducible("stabilisation is for absolute coordinates")
        program, loops = at.prepared.program, formulation == "reduced"
        if not loops and not reduction_pays(program, needs_reactions(program, at.prepared.numbers.data)):
            return None
        content = (at.t, loops, at.state.tobytes(), *program.kinematic(at.prepared.numbers))
        found = program.recent("reduction", content, lambda: _reduced(engine, at.t, at.state, loops))
        if isinstance(found, str):
            raise NotReducible(found)
        return found
    except NotReducible as reason:
        if formulation == "auto":
            return None
        raise ModelError(
            f"the mechanism cannot be simulated in minimal coordinates: {reason}",
            path="analysis.formulation",
            hint="take `absolute`, or `auto`",
        ) from None


def _reduced(engine: Engine, t: float, y: np.ndarray, loops: bool) -> Reduction | str:
    """Minimal coordinates, or why there are none."""
    try:
        return reduce(engine, t, y, cut_loops=loops, constrained=True)
    except NotReducible as reason:
        return str(reason)


def run_options(settings: Any, store_steps: bool = False) -> RunOptions:
    """Settings of the description in the engine's terms."""
    s = settings.stabilisation
    values = {
        "baumgarte": lambda: (s.alpha, s.beta, 0.0, 0.0, 0.0, 0.0),  # type: ignore[union-attr]
        "augmented_lagrangian": lambda: (0.0, 0.0, s.penalty, s.omega, s.mu, s.tolerance),  # type: ignore[union-attr]
    }
    return RunOptions(
        start=float(settings.start),
        end=float(settings.end),
        method=settings.method,
        step=None if settings.step is None else float(settings.step),
        rtol=float(settings.rtol),
        atol=float(settings.atol),
        max_steps=settings.max_steps,
        stabilisation=s.type,
        stabilisation_values=tuple(float(x) for x in values.get(s.type, lambda: (0.0,) * 6)()),
        stabilisation_iterations=s.iterations if s.type == "augmented_lagrangian" else 0,
        projection_tolerance=float(s.tolerance) if s.type == "projection" else 1e-11,
        skipping=settings.skipping,
        store_steps=store_steps,
    )


class RunWarning(UserWarning):
    """A run did not get to its end; its result holds what there is."""


def warn_of_end(report: RunReport) -> None:
    """That a run did not get to its end, at the line that asked for it."""
    warnings.warn(report.text, RunWarning, stacklevel=users_level())
