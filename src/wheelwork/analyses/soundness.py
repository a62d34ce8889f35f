"""How far a driven mechanism with redundant constraints is from a singular position.

With every freedom driven, the rows of a sound position span all velocities, however many of them are redundant; the
least of nv singular values goes to zero where they do not. It comes from inverse iteration on G^T G with a sparse LU
factorisation, which for some hundred rows is much less work than all singular values. From above it is right to a few
percent, and exact where it is small against the next: good enough to see where it dips.
"""

from __future__ import annotations

import numpy as np
import scipy  # which loads its parts when they are used

from wheelwork.engine.engine import Engine

from .rank import scaled_jacobian

ROUNDS = 8
"""Of inverse iteration."""


class Soundness:
    """The smallest singular value of the scaled Jacobian at one position after the other."""

    def __init__(self, engine: Engine):
        self.engine = engine
        # the same for every position, and without symmetries, which might leave out the direction that matters
        start = np.random.default_rng(0).normal(size=engine.program.nv)
        self._start = start / np.linalg.norm(start)

    def __call__(self, t: float, state: np.ndarray) -> float:
        G = scipy.sparse.csc_matrix(scaled_jacobian(self.engine, t, state))
        try:
            factor = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(G.T @ G))
        except RuntimeError:  # exactly singular
            return 0.0
        x, size = self._start, 1.0
        for _ in range(ROUNDS):
            x = factor.solve(x)
            size = float(np.linalg.norm(x))
            if not np.isfinite(size):
                return 0.0
            x = x / size
        return 1 / np.sqrt(size)
