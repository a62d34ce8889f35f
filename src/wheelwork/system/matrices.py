"""Jacobian and mass matrix of a whole program as dense matrices, and the rank of such."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .program import Numbers, Program
from .uses import ConstraintKind, ConstraintUse

TOLERANCE = 1e-8
"""Singular values below this, relative to the largest, count as zero."""


def full_jacobian(program: Program, G: np.ndarray) -> np.ndarray:
    """(rows, V bodies) from the rows of the bodies of each constraint."""
    out, V = np.zeros((program.rows, program.nv)), program.space.V
    for use in program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        for body, block in use.blocks(G, V):
            if body >= 0:
                out[rows, V * body : V * (body + 1)] += block
    return out


def bilateral_rows(program: Program) -> np.ndarray:
    """Rows of joints and drivers: those that always hold."""
    return _rows_of(program, lambda use: use.rows)


def position_rows(program: Program) -> np.ndarray:
    """Those of them that hold positions, and not speeds alone."""
    return _rows_of(program, lambda use: use.rows - use.kernel.speeds)


def _rows_of(program: Program, count: Callable[[ConstraintUse], int]) -> np.ndarray:
    """The first rows of each constraint that always holds."""
    uses = [use for use in program.constraints if use.kind is ConstraintKind.BILATERAL]
    rows = [np.arange(use.first_row, use.first_row + count(use)) for use in uses]
    return np.concatenate([np.zeros(0, int), *rows])


def mass_matrix(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    """M, block by block, in world axes."""
    R = _rotations(program, y)
    return _diagonal(_blocks(program, numbers.mass, R @ numbers.inertia @ R.swapaxes(1, 2)))


def inverse_root_mass(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    """M^(-1/2), block by block."""
    return _diagonal(inverse_root_blocks(program, numbers, y))


def inverse_root_blocks(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    R = _rotations(program, y)
    values, vectors = np.linalg.eigh(numbers.inertia)
    turning = (vectors / np.sqrt(values)[:, None, :]) @ vectors.swapaxes(1, 2)
    return _blocks(program, 1 / np.sqrt(numbers.mass), R @ turning @ R.swapaxes(1, 2))


def _rotations(program: Program, y: np.ndarray) -> np.ndarray:
    return program.space.poses(program.coordinates(y))[1]


def _blocks(program: Program, moving: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """One (V, V) block for each body, from a number for its translation and a (3, 3) matrix for its rotation."""
    blocks = np.zeros((len(program.bodies), 6, 6))
    blocks[:, range(3), range(3)] = moving[:, None]
    blocks[:, 3:, 3:] = turning
    keep = program.space.velocities
    return blocks[:, keep][:, :, keep]


def _diagonal(blocks: np.ndarray) -> np.ndarray:
    """The matrix with these blocks on its diagonal."""
    n, V = blocks.shape[:2]
    out = np.zeros((n, V, n, V))
    out[range(n), :, range(n), :] = blocks
    return out.reshape(n * V, n * V)


def rank_of(matrix: np.ndarray) -> int:
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > TOLERANCE * max(values[0], 1e-300)))


def null_space(rows: np.ndarray) -> np.ndarray:
    """Motions (columns, freedoms) that no row moves along, whatever the rows' sizes."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    _, values, vectors = np.linalg.svd(rows / np.where(length > 0, length, 1.0))
    return vectors[int(np.sum(values > TOLERANCE)) :].T


def dependent_rows(G: np.ndarray) -> list[int]:
    """Rows that lie in the span of those before them (Gram-Schmidt, twice for round-off)."""
    basis = np.zeros((0, G.shape[1]))
    dependent = []
    for k, row in enumerate(G):
        rest = row - basis.T @ (basis @ row)
        rest -= basis.T @ (basis @ rest)
        size = np.linalg.norm(rest)
        if size < 1e-7:
            dependent.append(k)
        else:
            basis = np.vstack([basis, rest / size])
    return dependent
