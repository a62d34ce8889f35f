"""Where the flange is for given axis angles, and back (inverse kinematics of an arm with a spherical wrist).

Angles are zero in the start position: upper arm upright, forearm and flange along x. Rotations from there::

    R_03 = Rz(q1) Ry(q2 + q3),    R_36 = Rx(q4) Ry(q5) Rx(q6)
"""

from __future__ import annotations

import math

import numpy as np

from .links import AXES
from .sizes import ELBOW_OFFSET, FLANGE, FLANGE_DISTANCE, FOREARM, SHOULDER_HEIGHT, SHOULDER_OFFSET, UPPER_ARM


def turn(axis: str, angle: float) -> np.ndarray:
    """Rotation matrix about `x`, `y` or `z`."""
    k, (c, s) = "xyz".index(axis), (math.cos(angle), math.sin(angle))
    i, j = (k + 1) % 3, (k + 2) % 3
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def forward(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position [m] and axes of the flange: each axis, from the last to the first, turns all that is beyond it."""
    position, axes = np.array(FLANGE), np.eye(3)
    for (point, axis), angle in reversed(list(zip(AXES, angles, strict=True))):
        rotation = turn(axis, angle)
        position, axes = point + rotation @ (position - point), rotation @ axes
    return position, axes


def inverse(position: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Angles [rad] for a place of the flange: arm in front, elbow up, wrist bent towards positive angles.

    The middle of the wrist is where the last three axes meet. It leaves axis 1 to turn towards it and a triangle of the
    upper arm and the line from elbow to wrist, which stands at atan(155/600) above the forearm.
    """
    wrist = np.asarray(position) - FLANGE_DISTANCE * axes[:, 0]
    q1 = math.atan2(wrist[1], wrist[0])
    out, up = math.hypot(wrist[0], wrist[1]) - SHOULDER_OFFSET, wrist[2] - SHOULDER_HEIGHT
    reach, lower = math.hypot(out, up), math.hypot(FOREARM, ELBOW_OFFSET)
    if reach >= UPPER_ARM + lower:
        raise ValueError(
            f"the wrist would be {reach:.3f} m from the shoulder, but the arm is {UPPER_ARM + lower:.3f} m"
        )
    at_shoulder = math.acos((reach**2 + UPPER_ARM**2 - lower**2) / (2 * reach * UPPER_ARM))
    at_elbow = math.acos((lower**2 + UPPER_ARM**2 - reach**2) / (2 * lower * UPPER_ARM))
    q2 = math.atan2(out, up) - at_shoulder
    # in the start position the angle at the elbow is that between upper arm (downwards) and the line to the wrist
    q3 = math.pi / 2 + math.atan2(ELBOW_OFFSET, FOREARM) - at_elbow
    wrist_axes = (turn("z", q1) @ turn("y", q2 + q3)).T @ axes
    q4 = math.atan2(wrist_axes[1, 0], -wrist_axes[2, 0])
    q5 = math.acos(wrist_axes[0, 0])
    q6 = math.atan2(wrist_axes[0, 1], wrist_axes[0, 2])
    return np.array([q1, q2, q3, q4, q5, q6])
