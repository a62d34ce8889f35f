"""Numeric rotations: matrices and Euler parameters (w, x, y, z). Needs NumPy only."""

from __future__ import annotations

import numpy as np


def rotation_matrices(e: np.ndarray) -> np.ndarray:
    """(..., 3, 3) from Euler parameters (..., 4) of any length."""
    length = np.sqrt(np.sum(e * e, axis=-1, keepdims=True))  # of symbols too, which have no norm
    w, x, y, z = np.moveaxis(e / length, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def euler_parameters(R: np.ndarray) -> np.ndarray:
    """Unit Euler parameters (w, x, y, z) of a numeric rotation matrix, w >= 0 (Shepperd's method)."""
    four = np.array(
        [
            1 + R[0, 0] + R[1, 1] + R[2, 2],
            1 + R[0, 0] - R[1, 1] - R[2, 2],
            1 - R[0, 0] + R[1, 1] - R[2, 2],
            1 - R[0, 0] - R[1, 1] + R[2, 2],
        ]
    )
    k = int(np.argmax(four))
    e = np.empty(4)
    pairs = {(0, 1): R[2, 1] - R[1, 2], (0, 2): R[0, 2] - R[2, 0], (0, 3): R[1, 0] - R[0, 1]}
    pairs |= {(1, 2): R[1, 0] + R[0, 1], (1, 3): R[0, 2] + R[2, 0], (2, 3): R[2, 1] + R[1, 2]}
    scale = 2 * np.sqrt(four[k])
    for other in range(4):
        e[other] = scale / 4 if other == k else pairs[min(k, other), max(k, other)] / scale
    e /= np.linalg.norm(e)
    return -e if e[0] < 0 else e


def planar_coordinates(position: np.ndarray, R: np.ndarray, angle: float) -> np.ndarray:
    """(x, y, phi) of a body in the plane; `angle` settles the whole turns of phi."""
    principal = np.arctan2(R[1, 0], R[0, 0])
    return np.array(
        [position[0], position[1], principal + 2 * np.pi * np.round((angle - principal) / (2 * np.pi))]
    )


def quaternion_product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Products of quaternions (..., 4), scalar first."""
    a, b, c, d = np.moveaxis(p, -1, 0)
    e, f, g, h = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ],
        axis=-1,
    )
