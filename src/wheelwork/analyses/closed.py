"""What locks, at an operating point: a clutch that holds there is a joint to small motions.

Clutches, brakes, limiters, one-way clutches, dogs and synchronisers (those that `add_locking` of
:mod:`wheelwork.system.build` makes) hold the rate of the angle between two shafts. At a state they are

    closed      the shafts have one speed, and the torque that keeps it so is less than what the element holds, in its
                direction; dogs: they are asked to close, and fit. The row of the rate joins the constraints
    slipping    the shafts slip on each other, or would from now on, against a friction torque that is not zero: this
                torque is left out of linear equations, and so is its change with the slip
    open        nothing holds, and nothing rubs: a one-way clutch that runs ahead or carries no load, an open clutch

Which of those that may hold do so is found with all of them closed: the one farthest beyond its limit lets go, until
none is. A one-way clutch without load is open, as it holds small motions in one direction alone.

The angle of a closed element is where it closed, and no constraint on positions: nothing may be assembled or integrated
with the mechanism that `closed_at` returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Literal

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.signal_values import speed_along
from wheelwork.system.signals import STICKS
from wheelwork.system.uses import FrictionUse

from .assemble import Assembled

ROUND_OFF = 1e-9
"""Part of the largest reaction that a torque must be above zero by, to be one."""

Condition = Literal["closed", "slipping", "open"]


@dataclass(frozen=True)
class Closed:
    """A state whose closed clutches are joints."""

    at: Assembled = field(repr=False)
    """The state, with the rows of what is closed among those that always hold."""
    locking: dict[str, Condition]
    """Of each element that locks, by name."""
    left_out: tuple[str, ...]
    """Joints, meshes and ratios whose dry friction is not zero; it is left out."""


def closed_at(at: Assembled) -> Closed:
    """The same state with what holds there closed."""
    program, motion = at.prepared.program, at.motion
    locking = {k: use for k, use in enumerate(program.frictions) if _locks(at, use)}
    limits = {k: _limits(motion, use) for k, use in locking.items()}
    holding = {k for k, use in locking.items() if _may_hold(motion, use, limits[k])}
    held = with_rows(at, (program.frictions[k] for k in holding))
    while True:
        least = ROUND_OFF * float(np.max(np.abs(held.motion.multipliers), initial=0.0))
        torques = held.motion.friction[0]
        beyond = {k: _beyond(limits[k], float(torques[k])) for k in holding}
        worst = max(beyond, key=beyond.__getitem__, default=-1)
        if worst < 0 or beyond[worst] < -least:
            break
        holding.remove(worst)
        held = with_rows(at, (program.frictions[k] for k in holding))
    words: dict[str, Condition] = {
        use.name: "closed" if k in holding else "slipping" if max(limits[k][:2]) > 0 else "open"
        for k, use in locking.items()
    }
    data = at.prepared.numbers.data
    rubbing = [
        use.name.removesuffix(".friction")
        for k, use in enumerate(program.frictions)
        if k not in locking and (use.limits >= 0 or use.geared or np.any(data[use.data : use.data + 2]))
    ]
    return Closed(held, words, tuple(dict.fromkeys(rubbing)))


def with_rows(at: Assembled, holding: Iterable[FrictionUse]) -> Assembled:
    """The same state, with the rows of these among those that always hold."""
    rows = {use.row for use in holding}
    return replace(at, prepared=at.prepared.holding(rows)) if rows else at


def _locks(at: Assembled, use: FrictionUse) -> bool:
    """Whether it is an element that locks two shafts, and not the friction of another."""
    return use.limits >= 0 and use.name in at.prepared.flat.forces


def _limits(motion: Motion, use: FrictionUse) -> np.ndarray:
    """What limits its friction: sliding up, down, starting up, down; of dogs also the values they go by."""
    index = next(k for k, force in enumerate(motion.program.forces) if force.name == use.name)
    force = motion.program.forces[index]
    values = evaluate(force.kernel.event, motion.force_arguments(index))[0][:, 0]
    first = use.limits - force.first_event
    return values[first : first + (7 if use.dogs >= 0 else 4)]


def _may_hold(motion: Motion, use: FrictionUse, limits: np.ndarray) -> bool:
    if abs(float(speed_along(motion, use.row)[0])) > STICKS:
        return False
    return bool(max(limits[2:4]) > 0 or _dogs_hold(limits))


def _dogs_hold(limits: np.ndarray) -> bool:
    """Whether dogs are in: asked to close, slow enough, and where they fit, to round-off."""
    return len(limits) > 4 and bool(limits[4] > 0 and limits[5] > -ROUND_OFF)


def _beyond(limits: np.ndarray, torque: float) -> float:
    """By how much a friction torque on body b is more than what holds; negative: it holds."""
    return -np.inf if _dogs_hold(limits) else max(-torque - limits[2], torque - limits[3])
