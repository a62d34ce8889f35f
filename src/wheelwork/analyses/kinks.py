"""Whether forces are smooth about a state, so that linear equations of small motion mean something there.

A force with a kink (teeth whose flanks just touch, a ball that lies on the ground without weight) has one stiffness to
one side and another to the other: no linear equation holds, and what differentiation gives at the very kink is neither.
Each force that has kinks is looked at a little to both sides along every free motion: where one of its events changes
sign, its stiffness N^T (-df/dq) N must be the same on all sides. Teeth without backlash between wheels on fixed axes
pass, since front and back flanks have the same stiffness; on wheels that can move apart they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
from wheelwork.equations.forces import EventType
from wheelwork.problems import listed, warn
from wheelwork.system.motion import Motion, evaluate

from .assemble import Assembled
from .tangents import force_blocks

if TYPE_CHECKING:
    from .linear_equations import Linearised

NUDGE = 1e-9
"""m or rad by which bodies are moved to see the sides of a kink."""
SAME = 0.02
"""Stiffnesses that differ by less than this part of the largest are the same: forces that grow with a power of depth
change theirs smoothly."""
LOADED = (
    "take an operating point at which the teeth carry load: `start: loaded` of the mechanism, `at: equilibrium` under "
    "torques, or `settle`, or an `offset` of the teeth that presses their flanks; or `law: linear` of compliant teeth"
)


class OperatingPointWarning(UserWarning):
    """Linear equations leave out something that is not in contact, or slips, at the operating point."""


def check_smooth(linear: Linearised) -> None:
    """A ModelError where a force has a kink at the state, or teeth are pressed too deep; a warning where teeth do not
    touch, or shafts are free in their bearings, and so have no stiffness, and where clutches slip."""
    refuse_kinks(linear)
    at = linear.at
    apart = _apart(at)
    if linear.slipping:
        warn(
            f"{listed(linear.slipping)} {'slips' if len(linear.slipping) == 1 else 'slip'} at the operating point: "
            "linear equations leave out friction there, and how it changes with the slip. For those of the closed "
            "drive, take a point at which the shafts have one speed and the torque holds, such as by `settle`",
            OperatingPointWarning,
        )
    if apart:
        which = f"mesh {apart[0]} do" if len(apart) == 1 else f"meshes {', '.join(apart)} do"
        warn(
            f"the teeth of {which} not touch at the operating point: small motions see no stiffness of theirs. "
            f"To have it, {LOADED}",
            OperatingPointWarning,
        )
    free = _free(at)
    if free:
        warn(
            f"the shaft is free in the clearance of {listed(free)} at the operating point: small motions see no "
            "stiffness there. To have it, take an operating point at which the bearing carries load, such as "
            "`at: equilibrium` under weight",
            OperatingPointWarning,
        )


def refuse_kinks(linear: Linearised) -> None:
    """The ModelError alone."""
    problems = [*too_deep(linear.at), *_kinks(linear)]
    if problems:
        raise ModelError(problems)


def too_deep(at: Assembled) -> list[Problem]:
    """Meshes whose teeth are pressed into each other deeper than their model holds."""
    return [
        at.prepared.flat.meshes[name].problem(
            "its teeth are pressed into each other by more than a quarter of their thickness, where no model of teeth "
            "is valid",
            "give them more `stiffness`, or less load",
        )
        for name in first_too_deep(at.motion)
    ]


def first_too_deep(motion: Motion) -> dict[str, float]:
    """When the teeth of meshes are first pressed deeper than their model holds, of those that are."""
    out = {}
    for index, use in enumerate(motion.program.forces):
        types = use.kernel.event_types
        if EventType.DEEP not in types or not motion.count:
            continue
        values = evaluate(use.kernel.event, motion.force_arguments(index))[0]
        deep = values[types.index(EventType.DEEP)] < 0
        if deep.any():
            out[use.name] = float(motion.t[np.argmax(deep)])
    return out


def _kinks(linear: Linearised) -> Iterator[Problem]:
    at, basis = linear.at, linear.basis
    program, flat = at.prepared.program, at.prepared.flat
    suspects = [k for k, use in enumerate(program.forces) if EventType.KINK in use.kernel.event_types]
    if not suspects or not basis.shape[1]:
        return
    steps = (NUDGE / np.abs(basis).max(axis=0) * basis).T
    moved = [at.state, *(program.displaced(at.state, s) for s in (*steps, *-steps))]
    motion = Motion.at_moment(program, at.prepared.numbers, at.t, np.array(moved))
    for index in suspects:
        use = program.forces[index]
        arguments = motion.force_arguments(index)
        if (
            index in linear.teeth.data
        ):  # not where a pair of teeth comes or goes, if that is not the phase taken
            arguments[len(use.bodies)] = np.repeat(linear.teeth.data[index][:, :1], motion.count, axis=1)
        kinds = np.array(use.kernel.event_types) == EventType.KINK
        sides = np.sign(evaluate(use.kernel.event, arguments)[0][kinds])
        if np.all(sides == sides[:, :1]):
            continue
        stiffness = _stiffness(linear, index, evaluate(use.kernel.jacobian, arguments)[0])
        apart = float(np.abs(stiffness - stiffness[:1]).max())
        if apart <= SAME * float(np.abs(stiffness).max()):
            continue
        mesh = isinstance(use.kernel.equations, MeshForce)
        placed = (flat.meshes if mesh else flat.forces)[use.name]
        flanks = mesh and "gap" in use.kernel.signal_names and abs(_signal(motion, index, "gap")) < 10 * NUDGE
        what = "its flanks just touch" if flanks else "it has a kink"
        yield placed.problem(
            f"at the operating point {what}: small motions see one stiffness to one side and another to the other, "
            "so that there are no linear equations",
            LOADED if mesh else "move it off the kink, or load it",
        )


def _stiffness(linear: Linearised, force: int, derivative: np.ndarray) -> np.ndarray:
    """-N^T (df/dq) N of one force, at each state (states, freedoms, freedoms)."""
    acting, seen, by_x, _ = force_blocks(linear.at.prepared.program, force, derivative)
    return -np.einsum("ra,rcs,cb->sab", linear.basis[acting], by_x, linear.basis[seen])


def _signal(motion: Motion, force: int, name: str) -> float:
    kernel = motion.program.forces[force].kernel
    values = evaluate(kernel.signals, motion.force_arguments(force))[0]
    return float(values[1 + kernel.signal_names.index(name), 0])  # the first is the stored energy


def _free(at: Assembled) -> list[str]:
    """Bearings in whose clearance the shaft is."""
    motion = at.motion
    return [
        use.name
        for k, use in enumerate(at.prepared.program.forces)
        if getattr(use.kernel.equations, "is_bearing", False)
        and any(
            name.startswith("contact.") and _signal(motion, k, name) == 0 for name in use.kernel.signal_names
        )
    ]


def _apart(at: Assembled) -> list[str]:
    """Meshes whose teeth do not touch: flanks (`side`) or pins (`loaded`); belts and plain wheels always do."""
    motion, out = at.motion, []
    for k, use in enumerate(at.prepared.program.forces):
        if isinstance(use.kernel.equations, MeshForce):
            told = [name for name in ("side", "loaded") if name in use.kernel.signal_names]
            out += [f"`{use.name}`" for name in told if _signal(motion, k, name) == 0]
    return out
