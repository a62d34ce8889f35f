"""Linear equations about a state at rest, or about the steady motion at it or near it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError
from wheelwork.problems import warn

from .assemble import Assembled
from .closed import closed_at
from .frames import SPANS, fastest, find_frames, moves
from .kinks import OperatingPointWarning, check_smooth, refuse_kinks
from .linear_equations import Linearised, linearised
from .operating_point import operating_point
from .small_motions import carried, turned
from .steady_motion import FORCED, change_of, change_with_time, say_whether_steady, steady_state
from .steady_rolling import NEARLY, STEADY, rolls_on


def linearise(
    description: Description,
    *,
    parameters: Mapping[str, Any] | None = None,
    at: Assembled | str = "assembled",
    time: float = 0.0,
    at_phase: float | None = None,
    frame: str | None = None,
) -> Linearised:
    """Linearise about a state: the assembled one at `time` [s], or `at` (from `assemble` or `equilibrium`).

    `at` is `assembled`, `equilibrium`, `steady` (the steady motion near the given one) or a state. `parameters`
    replaces values of parameters, by their full names, where `at` is not a state. Where a force has a kink
    at the state (teeth whose flanks just touch) there are no linear equations, and a ModelError says so; and so where
    a controller is sampled or has modes. Clutches, dogs and brakes that hold at the state are joints (`closed`); dry
    friction is left out (`slipping`, `left_out`).

    In motion, bodies are seen from axes from which the motion is steady, such as those of a carrier, which are found;
    there its bodies are where they balance. `frame`: a body whose axes are taken wherever they will do, or `world`: the
    equations of the moment. Which they are is in `frame` and `seen_from`.

    Teeth whose stiffness varies over the mesh cycle count with their mean; with `at_phase` [mesh cycles] with what they
    have where the first such mesh is at this phase and the others stand to it as at the state. `teeth` says which.
    """
    point = operating_point(description, at, parameters, time)
    linear = about_motion(point, frame, at_phase, at == "steady")
    check_smooth(linear)
    return linear


def about_motion(
    point: Assembled,
    frame: str | None = None,
    at_phase: float | None = None,
    balanced: bool = False,
    moment: bool = True,
) -> Linearised:
    """About a state at rest, or about the steady motion at it, or near it: a ModelError where it is not steady.

    balanced: whether bodies are to be where they balance in any case; moment: whether the `world` stands for the
    equations of the moment in any case, or only where no axes are found from which the motion is steady
    """
    given, linear = point, linearised(point, at_phase)
    if rolls_on(point):
        return linear
    if not moves(point):
        if (change := change_with_time(linear)) > NEARLY:
            warn(f"{FORCED.format(100 * change)}: they are those of t = {point.t:g} s", OperatingPointWarning)
        return replace(linear, change=change)
    frames = find_frames(linear.held, frame if moment or frame != "world" else None, at_phase=at_phase)
    if frame == "world" and not moment and not frames.steady:
        frames, moment = find_frames(linear.held, frame, at_phase=at_phase), True
    if frame == "world" and moment:
        say_whether_steady(linear.held, frames, frames.change, refuse=False)
        return replace(linear, change=frames.change)
    from_world = frame == "world" or (frame is None and frames.near_world)
    at_rest_there = False
    if frames.steady and (balanced or np.any(frames.turning)):
        try:
            point = replace(point, state=steady_state(linear.held, frames.turning).state)
            at_rest_there = bool(np.any(frames.turning))
        except ModelError as error:  # flanks that touch here and there, say
            if balanced:
                raise
            warn(
                f"{error.problems[0].message}: linear equations are about it as it is", OperatingPointWarning
            )
        frames = find_frames(closed_at(point).at, frame if frame != "world" else None, at_phase=at_phase)
    linear, change = linearised(point, at_phase, turning=frames.turning), frames.change
    if frames.steady:
        change = 0.0
        for span in (span / fastest(point) for span in SPANS):
            later, T = carried(point, span, frames.carry), turned(point, frames.turning, span)
            if at_rest_there:  # but for weight, say, which turns as seen from there
                balance = steady_state(closed_at(later).at, frames.turning)
                later = replace(later, state=balance.state)
            then = linearised(later, at_phase, turning=frames.turning, basis=T @ linear.basis)
            change = max(change, change_of(linear, then))
    if change > STEADY:  # beside a kink there is another stiffness
        refuse_kinks(linear)
    if change > NEARLY and from_world and np.any(frames.turning):
        return about_motion(given, "world", at_phase)
    say_whether_steady(linear.held, frames, change)
    from_world = from_world and not moment and bool(np.any(frames.turning))
    return replace(linear, change=change, from_world=from_world)
