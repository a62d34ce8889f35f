"""Motion under forces."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import thread_time
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError, Simulate
from wheelwork.description.flatten import flatten
from wheelwork.engine.engine import Event, Integration, RunOptions, ending_of, noted_in
from wheelwork.engine.kept_run import KeptRun
from wheelwork.engine.options import Progress
from wheelwork.engine.recorded import RecordedMotion, follows_from_states
from wheelwork.engine.retrace import Retrace
from wheelwork.engine.watch import Watch
from wheelwork.lazy import fmu_import
from wheelwork.problems import users_level, warn, warnings_given
from wheelwork.results import Result
from wheelwork.system.motion import Motion

from .assemble import Assembled, assembled
from .continuation import at_state, can_continue, continued_by, losses_before
from .controllers import SampledController, controlled
from .feasible import check_run
from .options import merged
from .part import NO_PART, FinishedPart, about, joined
from .planned import Planned, RunWarning, planned, run_options, warn_of_end
from .prepare import Prepared, prepare, units_of

LONGEST_TURN = 1.0
"""Of a wheel in one fixed step, rad: beyond, its angle may be off by more than half a tooth."""
BEYOND_MEASURE = 1e10
"""An acceleration [m/s^2 or rad/s^2] that a wrong number or unit explains sooner than a machine."""
SLIGHT = 1e-9
"""Pushes of a chain over its largest pull that are round-off."""


def simulate(
    description: Description,
    end: float | str | None = None,
    *,
    start: float | str | Result | Assembled | None = None,
    parameters: Mapping[str, Any] | None = None,
    store_steps: bool = False,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    kept_as: str | None = None,
    controllers: Sequence[SampledController] = (),
    trust: bool = False,
    **options: Any,
) -> Result:
    """Integrate the motion until `end` [s].

    Options are those of :class:`wheelwork.description.Simulate` (`start`, `output`, `method`, `step`, `rtol`, `atol`,
    `max_steps`, `stabilisation`, `formulation`, `skipping`); what is left out comes from the mechanism's own `analysis`
    section, or is the default. The result holds `output` + 1 states, however many steps were taken; `store_steps`
    keeps every step as well. `progress` shows a bar (default: when standard error is a terminal). Ctrl-C and SIGTERM
    keep what there is; after SIGTERM no other run begins, but the program ends (SystemExit).

    `start` may be a result, of this mechanism: the run goes on from its last state, and from any other with
    `start=result.at(t)`. From the end of a run with the same parameters and method it goes on with the very steps that
    a longer run would have made, to the last digit. It may also be a state of this mechanism that was assembled, as
    `m.assemble(far=True)` gives one from a rough sketch.

    `part`: a file in which a run of more than some seconds keeps what it has done, every few seconds; `resume` goes on
    from there after it was killed: with a fixed step to the same digits, else within the tolerances. The file stays
    until it is taken away.

    `controllers`: functions that set states without a rate at samples (:class:`wheelwork.SampledController`).

    `trust`: whether binaries of FMUs in the mechanism may be run (:class:`wheelwork.FmuBlock`).

    `kept_as`: name in the cache under which the prepared run is kept (:mod:`wheelwork.loaded`).
    """
    warnings_before = warnings_given()
    units = units_of(flatten(description)) if _may_hold_units(description) else {}
    if controllers or units:
        if units and not trust:
            why = "runs the binary of an FMU, which can do whatever a program can"
            hint = "if you trust where it comes from: `simulate(trust=True)`, `wheelwork run --trust`"
            raise ModelError([placed.problem(why, hint) for placed in units.values()])
        if store_steps or (part is not None and not units):
            raise ModelError("cannot be combined with `part` or `store_steps`", path="controllers")
        if not units:
            return controlled(description, controllers, end, start, parameters, progress, options)
        with fmu_import.running(units, description, parameters) as (more, inside):
            every = [*controllers, *more]
            options = fmu_import.allowed(
                inside, merged(description, Simulate, {"end": end, **options}, parameters), options
            )
            return controlled(description, every, end, start, parameters, progress, options, inside)
    before = start if isinstance(start, Result) else None
    drawn = start if isinstance(start, Assembled) else None
    begin = float(before.t[-1]) if before is not None else drawn.t if drawn is not None else start
    settings: Any = merged(description, Simulate, {"start": begin, "end": end, **options}, parameters)
    run = replace(run_options(settings, store_steps), hand_over="as if longer")
    prepared = prepare(description, parameters, run.method)
    check_run(prepared.program, run.start, run.end, settings.output, run.rtol)
    given = before or drawn
    if given is not None and part is not None:
        raise ModelError("must be a time where `part` is given", path="start")
    at = assembled(prepared, run.start) if given is None else at_state(prepared, given, run.start)
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
        if before is not None and can_continue(before, prepared, run):
            at, plan = _with_the_steps_of(before, at, plan, settings.formulation)
        begun = thread_time()
        integration = plan.carried_out(at, grid, watch.step)
        integrated = thread_time() - begun
    if before is not None and plan.run.carried:
        integration = continued_by(before, integration, run)
    if earlier is not None:
        integration = joined(earlier, integration, run.skipping)
    earlier_losses = losses_before(before, run.start)
    spent = watch.seconds + (kept.seconds if kept else 0.0)
    result = result_of(at, integration, settings, spent, earlier_losses)
    result.ending = ending_of(plan.run, at.state, integration)
    from_start = plan.run if earlier is None else replace(plan.run, carried=b"")
    result.retrace = Retrace(
        prepared.program,
        prepared.numbers,
        lambda grid, run: replace(plan, run=run).carried_out(at, grid),
        grid,
        from_start,
        integration.report.steps,
    )
    if run.method == "rk4" and integration.report.formulation == "absolute":
        _warn_of_long_steps(result.motion, float(run.step or 0.0))
    elif kept_as is not None and warnings_given() == warnings_before:  # who warns once warns every time
        told = {
            "name": description.name,
            "outputs": description.outputs,
            "file": result.provenance.file,
            "analysis": result.provenance.analysis,
            "seconds": integrated,
        }
        engine, words = prepared.engine, integration.report.formulation
        KeptRun.of(engine, at.state, grid, plan.run, words, plan.reduced, told).keep(kept_as)
    return result


def _may_hold_units(description: Description) -> bool:
    """Without flattening it, which takes longer than many a run."""
    return bool(description.components) or any(block.is_fmu for block in description.control.values())


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
                    f"accurate, and the ideal teeth of mesh `{mesh.name}` may jump undetected. Make `step` smaller "
                    f"than {LONGEST_TURN / speed:.1e} s, or take `dopri5`",
                    RunWarning,
                    stacklevel=users_level(),
                )
                return


def _warn_of_pushing(motion: Motion) -> None:
    """A rigid chain is taken to pull with one strand; where that would have to push, the other would be tight."""
    program = motion.program
    for mesh in program.meshes:
        side = mesh.geometry.mesh.only_pulls
        if side == 0:
            continue
        pull = side * motion.multipliers[:, program.constraints[mesh.constraint].first_row]
        wrong = pull < -SLIGHT * np.abs(pull).max(initial=0.0)
        if wrong.any():
            text = (
                f"the {mesh.geometry.mesh.tight} strand of mesh `{mesh.name}` would have to push with up to "
                f"{-pull.min():.4g} N, first at t = {motion.t[np.argmax(wrong)]:.6g} s, which no chain can: there the "
                "other strand is tight. Choose it with `tight`, or `model: links`, with which either strand pulls"
            )
            warn(text, RunWarning)


def _earlier(
    kept: FinishedPart | None, prepared: Prepared, run: RunOptions
) -> tuple[Integration, RunOptions]:
    """The part that is done, and options that go on from there."""
    if kept is None:
        raise ModelError(NO_PART)
    earlier, carried = kept.read(prepared.engine.system.tables, run.states_only)
    return earlier, replace(run, keep=kept, carried=carried)


def _with_the_steps_of(
    before: Result, at: Assembled, plan: Planned, formulation: str
) -> tuple[Assembled, Planned]:
    """Where the run that left a result began, and how to go on with its steps, if that is in the same coordinates."""
    ending = before.ending
    assert ending is not None
    began = replace(at, state=ending.state, t=ending.start)
    run = replace(plan.run, origin=ending.start, carried=ending.carried)
    same = planned(began, run, formulation)
    return (began, same) if same.words == ending.formulation else (at, plan)


def integrate(
    at: Assembled, grid: np.ndarray, run: RunOptions, formulation: str, progress: Progress
) -> Integration:
    """Integrate in the coordinates asked for, or in those that suit the mechanism."""
    return planned(at, run, formulation).carried_out(at, grid, progress)


def _runaway(prepared: Prepared, integration: Integration) -> tuple[str, str] | None:
    """The body with the largest acceleration at the end, where that is beyond all measure, and by how much."""
    program = prepared.program
    last = np.abs(prepared.engine.derivative(integration.report.t, integration.final_state)[1])
    if not np.isfinite(last).any() or np.nanmax(last) < BEYOND_MEASURE:
        return None
    body, component = divmod(int(np.nanargmax(last)), program.space.V)
    unit = "rad/s^2" if component in range(program.space.V)[program.space.angular] else "m/s^2"
    return f"`{program.bodies[body]}`", f"{np.nanmax(last):.3g} {unit}"


def result_of(
    at: Assembled,
    integration: Integration,
    settings: Any,
    seconds: float,
    earlier: tuple[Event, ...] = (),
) -> Result:
    prepared, report = at.prepared, replace(integration.report, seconds=seconds)
    if not report.outcome.good:
        report = replace(report, runaway=_runaway(prepared, integration))
        warn_of_end(report)
    motion = RecordedMotion(
        prepared.program,
        prepared.numbers,
        *integration.each_time_once(),
        *noted_in((*earlier, *integration.events)),
        sides=integration.sides,
    )
    _warn_of_pushing(motion)
    return Result.from_motion(
        motion,
        report=report,
        events=integration.events,
        earlier=earlier,
        description=prepared.description,
        settings=settings,
        engine=prepared.engine.name,
    )
