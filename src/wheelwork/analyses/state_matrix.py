"""The state matrix of linear equations, eta'' + C eta' + K eta = B z with states z, and its eigenvalues."""

from __future__ import annotations

import numpy as np

Coupling = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Of states with a motion: d eta''/dz, dz'/d eta, dz'/d eta', dz'/dz."""


def state_matrix(C: np.ndarray, K: np.ndarray, coupling: Coupling) -> np.ndarray:
    """Of (eta, eta', z)."""
    n, (B, by_eta, by_rate, own) = len(K), coupling
    still = np.zeros((n, len(own)))
    return np.block([[np.zeros((n, n)), np.eye(n), still], [-K, -C, B], [by_eta, by_rate, own]])


def spectrum(A: np.ndarray) -> np.ndarray:
    """Eigenvalues, those that are zero exactly so.

    Ways that nothing depends on are zeros one above the other (to the side of a heading that is the integral of a
    rate), of which round-off makes a ring of 1e-5. What A leads to has the other eigenvalues alone, and so on.
    """
    size = len(A)
    scale = float(np.max(np.abs(np.linalg.eigvals(A)), initial=0.0)) or 1.0
    A = A / scale
    while len(A):
        left, values, _ = np.linalg.svd(A)
        rank = int(np.sum(values > 1e-10 * max(values[0], 1e-300)))
        if rank == len(A):
            break
        A = left[:, :rank].T @ A @ left[:, :rank]
    return np.concatenate([np.zeros(size - len(A), complex), scale * np.linalg.eigvals(A)])
