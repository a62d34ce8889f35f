"""Motion under forces."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError, Problem, Simulate
from wheelwork.engine.engine import Engine, Integration, RunOptions, integrated, skips_of
from wheelwork.engine.kept_run import KeptRun
from wheelwork.engine.outcome import RunReport
from wheelwork.engine.recorded import RecordedMotion, follows_from_states
from wheelwork.engine.watch import Watch
from wheelwork.problems import said, users_level
from wheelwork.results import Result
from wheelwork.system.driver_jumps import check_drivers
from wheelwork.system.motion import Motion
from wheelwork.system.program import ConstraintKind

from .assemble import Assembled, assembled
from .feasible import check_run
from .options import merged, one_engine
from .part import NO_PART, FinishedPart, about, joined
from .prepare import Prepared, prepare, reduction_pays
from .reduction import NotReducible, Reduction, reduce
from .reduction.reduce import needs_reactions, tables
from .reduction.straight_line import LONGEST, SHORT, straight_line

LONGEST_TURN = 1.0
"""Of a wheel in one fixed step, rad: beyond, its angle may be off by more than half a tooth."""


@one_engine
def simulate(
    description: Description,
    end: float | str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    store_steps: bool = False,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    kept_as: str | None = None,
    **options: Any,
) -> Result:
    """Integrate the motion until `end` [s].

    Options are those of :class:`wheelwork.description.Simulate` (`start`, `output`, `method`, `step`, `rtol`, `atol`,
    `max_steps`, `stabilisation`, `formulation`, `skipping`); what is left out comes from the mechanism's own `analysis`
    section, or is the default. The result holds `output` + 1 states, however many steps were taken; `store_steps`
    keeps every step as well. `progress` shows a bar (default: when standard error is a terminal). Ctrl-C and SIGTERM
    keep what there is.

    `part`: a file in which a run of more than some seconds keeps what it has done, every few seconds; `resume` goes on
    from there after it was killed: with a fixed step to the same digits, else within the tolerances. The file stays
    until it is taken away.

    `kept_as`: name in the cache under which the prepared run is kept (:mod:`wheelwork.loaded`).
    """
    said_before = said()
    settings: Any = merged(description, Simulate, {"end": end, **options}, parameters)
    run = run_options(settings, store_steps)
    prepared = prepare(description, parameters, run.method)
    check_run(prepared.program, run.start, run.end, settings.output, run.rtol)
    at = assembled(prepared, run.start)
    grid = np.linspace(settings.start, settings.end, settings.output + 1)
    # accelerations and reactions that follow from the states can wait until somebody asks
    waits = run.stabilisation == "projection" and follows_from_states(prepared.program)
    run = replace(run, states_only=waits)
    kept = None if part is None else FinishedPart(part, about(prepared, settings, store_steps))
    earlier = None
    if resume:
        earlier, run = _earlier(kept, prepared, run)
    elif kept is not None:
        run = replace(run, keep=kept)
    with Watch(run.start, run.end, progress, description.name) as watch:
        plan = planned(at, run, settings.formulation)
        integration = plan.carried_out(at, grid, watch.step)
    if earlier is not None:
        integration = joined(earlier, integration, run.skipping)
    result = result_of(at, integration, settings, watch.seconds + (kept.seconds if kept else 0.0))
    if run.method == "rk4" and integration.report.formulation == "absolute":
        _warn_of_long_steps(result.motion, float(run.step or 0.0))
    elif kept_as is not None and said() == said_before:  # who warns once warns every time
        told = {
            "name": description.name,
            "outputs": description.outputs,
            "file": result.provenance.file,
            "analysis": result.provenance.analysis,
            "seconds": watch.seconds,
        }
        engine, words = prepared.engine, integration.report.formulation
        KeptRun.of(engine, at.state, grid, plan.run, words, plan.reduced, told).keep(kept_as)
    return result


def _warn_of_long_steps(motion: Motion, step: float) -> None:
    """Ideal teeth close on any tooth: a fixed step that turns a wheel far can put it on another one."""
    program = motion.program
    for mesh in program.meshes:
        use = program.constraints[mesh.constraint]
        for body in (use.a, use.b):
            speed = 0.0 if body < 0 else np.linalg.norm(motion.v[:, body, 3:], axis=1).max(initial=0.0)
            if speed * step > LONGEST_TURN:
                warnings.warn(
                    f"a step of `rk4` turns `{program.bodies[body]}` by up to {speed * step:.3g} rad: angles are not "
                    f"accurate, and the ideal teeth of mesh `{mesh.name}` may jump unseen. Make `step` smaller than "
                    f"{LONGEST_TURN / speed:.1e} s, or take `dopri5`",
                    RunWarning,
                    stacklevel=users_level(),
                )
                return


def _earlier(
    kept: FinishedPart | None, prepared: Prepared, run: RunOptions
) -> tuple[Integration, RunOptions]:
    """The part that is done, and options that go on from there."""
    if kept is None:
        raise ModelError([NO_PART])
    earlier, carried = kept.read(prepared.engine.system.tables, run.states_only)
    return earlier, replace(run, keep=kept, carried=carried)


@dataclass(frozen=True)
class Planned:
    """How a run will be integrated."""

    run: RunOptions
    reduced: tuple[dict[str, Any], np.ndarray] | None = None
    """Tables and rates of minimal coordinates, where these are taken."""
    words: str = "absolute"

    def carried_out(
        self, at: Assembled, grid: np.ndarray, progress: Callable[[float, int], bool]
    ) -> Integration:
        done = integrated(at.prepared.engine.system, at.state, grid, self.run, progress, self.reduced)
        return replace(done, report=replace(done.report, formulation=self.words))


def integrate(
    at: Assembled, grid: np.ndarray, run: RunOptions, formulation: str, progress: Callable[[float, int], bool]
) -> Integration:
    """Integrate in the coordinates asked for, or in those that suit the mechanism."""
    return planned(at, run, formulation).carried_out(at, grid, progress)


def planned(at: Assembled, run: RunOptions, formulation: str) -> Planned:
    """With the coordinates asked for, or those that suit the mechanism."""
    engine = at.prepared.engine
    run = replace(run, corners=at.prepared.program.corners(at.prepared.numbers, run.start, run.end))
    check_drivers(at.prepared.program, at.prepared.numbers, at.prepared.flat, run.start, run.end, run.corners)
    reduction = chosen_reduction(at, run, formulation)
    if reduction is None:
        return Planned(run)
    numbers = tables(reduction, engine)
    # long code is waited for by those who ask; else it is made beside this run, for the next one
    direct = straight_line(reduction, engine, numbers, LONGEST if formulation == "reduced" else SHORT)
    return Planned(
        run, ({**numbers, **direct}, reduction.rates), _words(at.prepared, reduction, bool(direct))
    )


def _words(prepared: Prepared, reduction: Reduction, direct: bool) -> str:
    """The coordinates of a run."""
    velocities, multipliers = reduction.unknowns
    count = len(reduction.independent)
    words = f"reduced: {count} coordinates for {velocities} velocities and {multipliers} multipliers"
    if direct:
        words += ", in straight-line code"
    uses = [prepared.program.constraints[c] for c in reduction.cuts]
    lasting = sum(use.rows for use in uses if use.kind is ConstraintKind.BILATERAL)
    if lasting:
        words += f", and {lasting} constraints that close loops, follow cams, prescribe motions or carry tooth forces"
    switching = sum(use.kind is not ConstraintKind.BILATERAL for use in uses)
    if switching:
        words += f", and {switching} that hold while a joint sticks or a contact lasts"
    if needs_reactions(prepared.program, prepared.numbers.data):
        words += ", with the reactions at every moment, which friction goes with"
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
        content = (run.start, loops, at.state.tobytes(), *program.kinematic(at.prepared.numbers))
        found = program.recent("reduction", content, lambda: _reduced(engine, run.start, at.state, loops))
        if isinstance(found, str):
            raise NotReducible(found)
        return found
    except NotReducible as reason:
        if formulation == "auto":
            return None
        raise ModelError(
            [
                Problem(
                    f"the mechanism cannot be simulated in minimal coordinates: {reason}",
                    path="analysis.formulation",
                    hint="take `absolute`, or `auto`",
                )
            ]
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


def result_of(at: Assembled, integration: Integration, settings: Any, seconds: float) -> Result:
    prepared = at.prepared
    if not integration.report.outcome.good:
        warn_of_end(integration.report)
    motion = RecordedMotion(
        prepared.program,
        prepared.numbers,
        *integration.each_time_once(),
        skips_of(integration.events),
    )
    return Result.from_motion(
        motion,
        report=replace(integration.report, seconds=seconds),
        events=integration.events,
        description=prepared.description,
        settings=settings,
        engine=prepared.engine.name,
    )
