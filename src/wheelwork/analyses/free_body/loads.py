"""What every body needs to move as it does, minus what acts on it anyway: the wrench its joints and meshes must add."""

from __future__ import annotations

import numpy as np

from wheelwork.system.motion import Motion
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
    program, space = motion.program, motion.program.space
    out = np.zeros((motion.count, len(program.bodies) + 1, 6))  # the last is ground
    out[:, :-1, :3] = motion.numbers.mass[:, None] * motion.numbers.gravity
    for k, use in enumerate(program.forces):
        wrench = motion.evaluate(use.kernel.wrench, motion.force_arguments(k))[0]
        parts = wrench.reshape(use.kernel.acting, space.V, motion.count)
        for body, part in zip(use.bodies, parts, strict=False):
            out[:, body] += space.raised(part.T)
    for friction, force in zip(program.frictions, motion.friction.T, strict=True):
        _add_rows(motion, friction.row, force[:, None], out)
    for c, use in enumerate(program.constraints):
        if use.kind is ConstraintKind.CONTACT:
            _add_rows(motion, c, -motion.multipliers[:, use.first_row : use.first_row + use.rows], out)
    return out[:, :-1]


def _add_rows(motion: Motion, constraint: int, values: np.ndarray, out: np.ndarray) -> None:
    """Forces along the rows of a constraint."""
    use = motion.program.constraints[constraint]
    full = motion.evaluate(use.kernel.full, motion.constraint_arguments(constraint))
    for body, G in use.by_body(full):
        out[:, body] += motion.program.space.raised(np.einsum("rcn,nr->nc", G[: use.rows], values))
