"""What every body needs to move as it does, minus what acts on it anyway: the wrench its joints and meshes must add."""

from __future__ import annotations

from itertools import chain

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.powers import wrenches_of_constraints, wrenches_of_forces, wrenches_of_friction
from wheelwork.system.uses import ConstraintKind


def needed_wrenches(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """(N, bodies, 6), force and torque about the centres of mass: (m a, J alpha + w x J w) minus the loads.

    Second: the largest number that was added up there, at each time (N).
    """
    inertia, loads = _inertia(motion), _loads(motion)  # of Chen (18) and (19)
    largest = np.maximum(np.abs(inertia), np.abs(loads)).max(axis=(1, 2), initial=0.0)
    return inertia - loads, largest


def _inertia(motion: Motion) -> np.ndarray:
    numbers = motion.numbers
    J = motion.R @ numbers.inertia @ motion.R.swapaxes(2, 3)
    w, alpha = motion.v[..., 3:], motion.a[..., 3:]
    momentum = (J @ w[..., None])[..., 0]
    torque = (J @ alpha[..., None])[..., 0] + np.cross(w, momentum)
    return np.concatenate([numbers.mass[:, None] * motion.a[..., :3], torque], axis=-1)


def _loads(motion: Motion) -> np.ndarray:
    """Weight, forces of elements, dry friction, and contacts as the motion has them."""
    program = motion.program
    out = np.zeros((motion.count, len(program.bodies) + 1, 6))  # the last is ground
    out[:, :-1, :3] = motion.numbers.mass[:, None] * motion.numbers.gravity
    contacts = wrenches_of_constraints(motion, ConstraintKind.CONTACT)
    for _, body, wrench in chain(wrenches_of_forces(motion), wrenches_of_friction(motion), contacts):
        out[:, body] += program.space.raised(wrench.T)
    return out[:, :-1]
