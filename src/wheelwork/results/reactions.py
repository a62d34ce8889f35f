"""Reactions of a joint on either of its bodies, in the axes one wants."""

from __future__ import annotations

from typing import Literal

import numpy as np

from wheelwork.equations.motion import Motion

Side = Literal["a", "b"]
Axes = Literal["world", "body", "joint"]


def reaction_on(motion: Motion, joint: str, side: Side, axes: Axes) -> tuple[np.ndarray, np.ndarray]:
    """Force [N] and torque [N m] of a joint on one of its bodies, (N, 3) each.

    The torque is about the joint point on that body. The wrench of the constraint on the body is -G^T lambda, about the
    centre of mass; -s x F moves it to the point at s from there.
    """
    constraint = motion.program.joints[joint].constraint
    use = motion.program.constraints[constraint]
    _, Ga, Gb, *_ = motion.once(
        ("reaction", constraint),
        lambda: motion.evaluate(use.kernel.full, motion.constraint_arguments(constraint)),
    )
    G, body, marker = (Ga, use.a, use.data) if side == "a" else (Gb, use.b, use.data + 12)
    multipliers = motion.multipliers[:, use.first_row : use.first_row + use.rows]
    wrench = motion.program.space.raised(-np.einsum("rcn,nr->nc", G[: use.rows], multipliers))
    R = motion.frames[:, body, 3:12].reshape(-1, 3, 3)
    arm = R @ motion.numbers.data[marker : marker + 3]
    force, torque = wrench[:, :3], wrench[:, 3:] - np.cross(arm, wrench[:, :3])
    if axes == "joint":
        R = R @ motion.numbers.data[marker + 3 : marker + 12].reshape(3, 3)
    if axes != "world":
        force, torque = (np.einsum("nij,ni->nj", R, vector) for vector in (force, torque))
    return force, torque
