"""S = G M^-1 G^T, the matrix of the multipliers, and its inverse.

Rows are put into reverse Cuthill-McKee order, which makes S a narrow band for chains and trees, and the band
is factorised by Cholesky's method. If a pivot is small against its row's diagonal, rows depend on each other,
always (redundant constraints) or just here (a singular position). Then S is scaled to a unit diagonal,
D^-1/2 S D^-1/2 = U diag(w) U^T, and 1/w is replaced by

    (1 + r + r^2) / (w + eps),   r = eps / (w + eps)

which is 1/w to 1 part in (w/eps)^3 and stays below 3/eps where w vanishes. So the solution is exact where S
is sound and the one of least norm, weighted by D, where it is not, and errors of the right-hand side are not
thrown up on the way through a singular position. It is what three rounds of the proximal iteration
x <- x + (S + eps D)^-1 (b - S x) would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from scipy.linalg import eigh, get_lapack_funcs
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import reverse_cuthill_mckee

SMALL = 1e-4
"""A pivot below this part of the row's diagonal sends us to the eigenvalues."""

EPS = 1e-8
"""See above."""

_factorise_band, _solve_band = get_lapack_funcs(("pbtrf", "pbtrs"), dtype=np.float64)


class Factor:
    """Builds and inverts S for rows that each touch two bodies.

    `bodies` is (rows, 2): the bodies of each row, `ground` for none.
    """

    def __init__(self, bodies: np.ndarray, ground: int):
        self.rows = len(bodies)
        self.regular = True
        self.finite = True
        self.small = 0
        """How many eigenvalues are small, where they were needed; with something added, how many pivots."""
        self.alike: np.ndarray | None = None
        """Constraint of each row; multipliers of redundant rows are least in a norm that does not know of axes."""
        self.linear: np.ndarray | None = None
        """Which rows hold points."""
        self.turning: np.ndarray | None = None
        """What each row would add to S by turning its bodies, were their inertia the same about all axes."""
        pairs = _pairs(bodies, ground)
        self._place = self._order(pairs)
        i, j = pairs[:, 0] // 2, pairs[:, 1] // 2
        low, high = np.minimum(self._place[i], self._place[j]), np.maximum(self._place[i], self._place[j])
        self._width = int((high - low).max(initial=0)) + 1
        # LAPACK's lower band, column after column
        self._target = low * self._width + (high - low)
        self._left, self._right = pairs.T
        self._diagonal_at = self._place * self._width

    def _order(self, pairs: np.ndarray) -> np.ndarray:
        """Place of each row in the band."""
        place = np.empty(self.rows, int)
        if self.rows:
            i, j = pairs[:, 0] // 2, pairs[:, 1] // 2
            ones = np.ones(len(i))
            graph = csr_matrix(coo_matrix((ones, (i, j)), shape=(self.rows, self.rows)))
            order = reverse_cuthill_mckee(csr_matrix(graph + graph.T), symmetric_mode=True)
            place[order] = np.arange(self.rows)
        return place

    def build(self, over_mass: np.ndarray, jacobian: np.ndarray, active: np.ndarray) -> None:
        """S from G M^-1 and G, both (rows, 2, V); rows that are not active become those of the unit matrix."""
        if not self.rows:
            return
        if not active.all():
            over_mass = over_mass * active[:, None, None]
        V = jacobian.shape[-1]
        left, right = over_mass.reshape(-1, V)[self._left], jacobian.reshape(-1, V)[self._right]
        if not active.all():
            right = right * active[self._right // 2, None]
        products = np.einsum("ij,ij->i", left, right)
        self._band = np.bincount(self._target, products, self.rows * self._width)
        self._band[self._diagonal_at[~active]] = 1.0

    def factorise(self, add: float = 0.0) -> None:
        """Make the inverse of S + add."""
        if not self.rows:
            return
        diagonal = self._band[self._diagonal_at].copy()
        band = self._band.copy()
        band[self._diagonal_at] += add
        self.finite = bool(np.isfinite(band).all())
        if not self.finite:
            return
        matrix = band.reshape(self.rows, self._width).T
        self._cholesky, info = _factorise_band(matrix, lower=1)
        pivots = self._cholesky[0, self._place] ** 2
        self.regular = info == 0 and (add > 0 or bool((pivots > SMALL * diagonal).all()))
        self.small = int((pivots <= SMALL * diagonal).sum()) if info == 0 and add > 0 else 0
        if not self.regular:
            self._decompose(matrix)

    def _decompose(self, band: np.ndarray) -> None:
        full = np.zeros((self.rows, self.rows))
        for k in range(self._width):
            line = band[k, : self.rows - k]
            index = np.arange(self.rows - k)
            full[index + k, index] = line
        diagonal = self._means(np.diagonal(full))
        self._scale = np.where(diagonal > 0, 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 0.0)
        w, self._vectors = eigh(full * self._scale[:, None] * self._scale, lower=True, check_finite=False)
        r = EPS / (w + EPS)
        self._once = 1 / (w + EPS)
        self._inverse = (1 + r + r * r) * self._once
        self.small = int((w < SMALL).sum())

    def _means(self, diagonal: np.ndarray) -> np.ndarray:
        """Weights of the rows: means over those of a constraint that hold points, and of rotations in all directions
        alike for those that hold directions (``runtime/schur.hpp``)."""
        if self.alike is None or self.linear is None or self.turning is None:
            return diagonal.copy()
        own = diagonal[self._place]
        points = np.where(self.linear, own, 0.0)
        counts = np.maximum(np.bincount(self.alike, self.linear), 1)
        means = (np.bincount(self.alike, points) / counts)[self.alike]
        # rows of very unlike size keep their own
        wished = np.minimum(np.where(self.linear, means, self.turning), 100 * own)
        out = np.empty_like(diagonal)
        out[self._place] = wished
        return out

    def solve(self, right: np.ndarray, once: bool = False) -> np.ndarray:
        """S^-1 right; `right` may have several columns. `once`: one round of the iteration only."""
        if not self.rows:
            return right.copy()
        if not self.finite:
            return np.full_like(right, np.nan)
        ordered = np.empty_like(right)
        ordered[self._place] = right
        if self.regular:
            solution, _ = _solve_band(self._cholesky, ordered, lower=1)
        else:
            shape = (-1,) + (1,) * (right.ndim - 1)
            scale = self._scale.reshape(shape)
            inverse = (self._once if once else self._inverse).reshape(shape)
            solution = scale * (self._vectors @ (inverse * (self._vectors.T @ (scale * ordered))))
        return solution[self._place]


def _pairs(bodies: np.ndarray, ground: int) -> np.ndarray:
    """Pairs of (row, side), as 2 row + side, that meet in a moving body, each unordered pair once."""
    meeting: dict[int, list[int]] = {}
    for end, body in enumerate(bodies.ravel()):
        if body != ground:
            meeting.setdefault(int(body), []).append(end)
    found: Sequence[tuple[int, int]] = [
        pair for ends in meeting.values() for pair in combinations_with_replacement(ends, 2)
    ]
    return np.array(found, int).reshape(-1, 2)
