"""Motion given by the drivers alone: position, velocity, acceleration; and the forces it takes (inverse dynamics).

What drives every freedom is followed from time to time (:mod:`.driven_motion`). With forces and masses known the
multipliers follow from the same equations of motion, so driver torques and joint reactions come along. States of
controllers are integrated along the motion (:mod:`.driven_states`), and so are positions of what rolls
(:mod:`.driven_rolling`).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from wheelwork.description import Description, Inverse, Kinematics, ModelError, Problem
from wheelwork.engine.watch import Watch
from wheelwork.problems import users_level
from wheelwork.system.driver_jumps import check_drivers

from .assemble import Assembled, assembled
from .driven_motion import Follower
from .driven_rolling import rolled
from .driven_states import with_states
from .feasible import check_run
from .kinks import first_too_deep
from .options import merged
from .part import FinishedPart, Portions, about
from .prepare import Prepared, prepare
from .rank import analyse_rank
from .simulate import RunWarning, result_of

if TYPE_CHECKING:
    from wheelwork.results import Result


class DrivenOptions(TypedDict, total=False):
    """Options of `kinematics` and `inverse`: those of their settings, and of any run."""

    start: float | str
    output: int
    parameters: Mapping[str, Any] | None
    progress: bool | None
    part: str | os.PathLike[str] | None
    resume: bool


def kinematics(
    description: Description, end: float | str | None = None, **options: Unpack[DrivenOptions]
) -> Result:
    """Follow the drivers until `end` [s]. Every freedom must be driven.

    Options are those of :class:`wheelwork.description.Kinematics`: `start`, `output`; `parameters`, `progress`, `part`
    and `resume` as those of `simulate`.
    """
    return _driven(description, Kinematics, end, **options)


def inverse(
    description: Description, end: float | str | None = None, **options: Unpack[DrivenOptions]
) -> Result:
    """Torques and forces of the drivers, and joint reactions, for the prescribed motion until `end` [s].

    Signals `DRIVER.torque` or `DRIVER.force` are what each driver has to give. Options: `start`, `output`;
    `parameters`, `progress`, `part` and `resume` as those of `simulate`.
    """
    return _driven(description, Inverse, end, **options)


def _refuse_dry_friction(prepared: Prepared) -> None:
    uses = [prepared.program.constraints[friction.row] for friction in prepared.program.frictions]
    text = "dry friction is not part of inverse dynamics"
    hint = "`simulate` with the same drivers gives their torques with friction in them"
    if uses:
        raise ModelError([Problem(text, use.where, use.path, hint) for use in uses])


def _driven(
    description: Description,
    kind: type[Kinematics | Inverse],
    end: float | str | None,
    *,
    parameters: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Result:
    settings: Any = merged(description, kind, {"end": end, **options}, parameters)
    prepared = prepare(description, parameters)
    if kind is Inverse:
        _refuse_dry_friction(prepared)
    start, stop = float(settings.start), float(settings.end)
    check_run(prepared.program, start, stop, settings.output)
    corners = prepared.program.corners(prepared.numbers, start, stop)
    check_drivers(prepared.program, prepared.numbers, prepared.flat, start, stop, corners)
    at = assembled(prepared, start)
    _must_be_driven(prepared, at)
    times = np.linspace(start, stop, settings.output + 1)
    kept = None if part is None else FinishedPart(part, about(prepared, settings))
    portions = Portions(kept, resume)
    with Watch(start, stop, progress, prepared.description.name) as watch:
        if all(use.holonomic for use in prepared.program.constraints):
            integration = Follower(prepared, at.state, portions).follow(times, watch)
            integration = with_states(at, integration, watch)
        else:
            integration = rolled(at, times, watch)
    result = result_of(at, integration, settings, watch.seconds + portions.seconds)
    for name, t in first_too_deep(result.motion).items():
        warnings.warn(
            f"the drivers press the teeth of mesh `{name}` into each other by more than a quarter of their thickness, "
            f"first at t = {t:.6g} s: no model of teeth is valid there, and their forces are not valid",
            RunWarning,
            stacklevel=users_level(),
        )
    return result


def _must_be_driven(prepared: Prepared, at: Assembled) -> None:
    report = analyse_rank(prepared.engine, at.t, at.state)
    free = (
        report.freedoms
        if not report.singular
        else prepared.program.nv - (report.rows - len(report.redundant))
    )
    if free > 0:
        raise ModelError(
            f"the drivers leave {free} degree{'s' if free > 1 else ''} of freedom; "
            "a motion given by drivers alone needs one driver for each",
            path="drivers",
            hint="add drivers, or use `simulate` to let forces move the rest",
        )
