"""Numeric rotations: matrices, Euler parameters (w, x, y, z) and rotation vectors. Needs NumPy only."""

from __future__ import annotations

import numpy as np


def skew(a: np.ndarray) -> np.ndarray:
    """The matrix of `a x`."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """The matrix of a rotation about a unit axis: Rodrigues' formula."""
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


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
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (
        R.tolist()
    )  # of one matrix NumPy's arrays take ten times as long
    four = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz]
    k = four.index(max(four))
    a, b, c, d, e, f = zy - yz, xz - zx, yx - xy, yx + xy, xz + zx, zy + yz
    pairs = ((four[0], a, b, c), (a, four[1], d, e), (b, d, four[2], f), (c, e, f, four[3]))[k]
    length = np.sqrt(sum(pair * pair for pair in pairs)) * (-1 if pairs[0] < 0 else 1)
    return np.array(pairs) / length


def exponential(rotation: np.ndarray) -> np.ndarray:
    """Euler parameters (..., 4) of rotation vectors (..., 3)."""
    angle = np.linalg.norm(rotation, axis=-1, keepdims=True)
    half = 0.5 * np.sinc(angle / (2 * np.pi))  # sin(angle/2)/angle
    return np.concatenate([np.cos(angle / 2), half * rotation], axis=-1)


def rotation_vectors(e: np.ndarray) -> np.ndarray:
    """(..., 3) of unit Euler parameters (..., 4), the short way round."""
    e = e * np.where(e[..., :1] < 0, -1.0, 1.0)
    sine = np.linalg.norm(e[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, e[..., :1])
    return e[..., 1:] * np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0)


def steps_between(e: np.ndarray) -> np.ndarray:
    """Euler parameters of the rotations from each orientation (N, ..., 4) to the next (N - 1, ..., 4)."""
    return quaternion_product(e[1:], e[:-1] * np.array([1.0, -1.0, -1.0, -1.0]))


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
