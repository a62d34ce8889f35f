"""Motions that the constraints leave free at a state, of unit mass, and what forces do to them.

Ideal teeth press their wheels apart by a force s that grows with their multiplier, so that M a + G^T lambda = f +
s(lambda). Small changes of lambda follow from G a = 0: with B^T = G^T - ds/dlambda, forces act on the free motions N
through

    Z^T = N^T + N^T (ds/dlambda) (G M^-1 B^T)^+ G M^-1                                          (1)

in place of N^T. Z = N where bearings hold the wheels, as s then moves nothing.
"""

from __future__ import annotations

import numpy as np

from wheelwork.system.matrices import bilateral_rows, full_jacobian, inverse_root_mass, position_rows

from .assemble import Assembled
from .rank import scaled_jacobian
from .tangents import separating_gains

RANK = 1e-8
"""Singular values below this part of the largest are zero."""


def free_motions(at: Assembled, basis: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """N and Z (V bodies, freedoms); those of a `basis` of the free motions where one is given."""
    prepared = at.prepared
    root = inverse_root_mass(prepared.program, prepared.numbers, at.state)
    if basis is None:
        free = _left_free(scaled_jacobian(prepared.engine, at.t, at.state))
        basis = root @ free
    else:
        free = np.linalg.solve(root, basis)
    return basis, basis + _through_teeth(at, root, free)


def ways(at: Assembled, basis: np.ndarray) -> np.ndarray:
    """What the rows of positions leave free besides (V bodies, ways): where rolling leads to in the end."""
    program = at.prepared.program
    root = inverse_root_mass(program, at.prepared.numbers, at.state)
    held = np.isin(bilateral_rows(program), position_rows(program))
    rows = scaled_jacobian(at.prepared.engine, at.t, at.state)[held]
    return root @ _left_free(np.vstack([rows, np.linalg.solve(root, basis).T]))


def _left_free(rows: np.ndarray) -> np.ndarray:
    """Columns of length 1 that rows take to zero."""
    if not rows.size:
        return np.eye(rows.shape[1])
    _, values, vectors = np.linalg.svd(rows, full_matrices=True)
    return vectors[int(np.sum(values > RANK * max(values[0], 1e-300))) :].T


def _through_teeth(at: Assembled, root: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Z - N of (1)."""
    prepared = at.prepared
    gains = separating_gains(at.motion)
    if not np.any(gains):
        return np.zeros_like(free)
    rows = bilateral_rows(prepared.program)
    _, G, _, _ = prepared.engine.constraints(at.t, at.state)
    scaled = full_jacobian(prepared.program, G)[rows] @ root
    length = np.linalg.norm(scaled, axis=1)
    length = np.where(length > 0, length, 1.0)
    scaled, pressed = scaled / length[:, None], (root @ gains[:, rows]) / length
    change = np.linalg.pinv(scaled @ (scaled.T - pressed), rcond=1e-10) @ scaled
    return root @ (free.T @ pressed @ change).T
