"""A start that is wound up: teeth, shafts and bearings carry what the torques ask of them, at speeds that go on.

The rates of what ties bodies elastically, E v, are zero as the machine rolls (:mod:`.rolling_start`), and so are their
changes, E a + E' v, where it is in balance. With M^-1/2 E N = U S V^T, N the motions that the constraints leave free,
X = M^-1/2 N V are motions of unit mass that wind up the ties and move nothing else, and forces along them

    f(x) = S^-1 U^T (E a + E' v)

are zero at the start that is wanted. It is found downhill (:mod:`.downhill`), with -df/dx by differences: flanks that
do not touch yet are met on the way. What turns speeds up or down as a whole, the sum of the torques, is no part of f.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from wheelwork.description import ModelError
from wheelwork.lazy import dataclass
from wheelwork.system.matrices import (
    bilateral_rows,
    full_jacobian,
    inverse_root_mass,
    mass_matrix,
    null_space,
)

from .downhill import NUDGE, descend, meshes
from .prepare import Prepared
from .rolling_start import MOVES, ties, with_followers

BALANCED = 1e-9
"""Of the forces before: what is left of them is round-off."""
LATER = 1e-6
"""rad by which the fastest body turns to see how E changes."""


@dataclass
class WindUp:
    """Forces that wind up a rolling machine; see :class:`wheelwork.analyses.downhill.Slope`."""

    prepared: Prepared
    t: float
    start: np.ndarray
    motions: np.ndarray = field(init=False)
    """X (V bodies, n)."""

    def __post_init__(self) -> None:
        prepared, program, y = self.prepared, self.prepared.program, self.start
        v = self._speeds(y)
        self._names = {tie.name for tie in ties(prepared, y) if not tie.open(v)}
        root = inverse_root_mass(program, prepared.numbers, y)
        held = full_jacobian(program, prepared.engine.constraints(self.t, y)[1])[bilateral_rows(program)]
        free = root @ null_space(held @ root)
        rows = self._rows(y)
        size = np.linalg.norm(rows @ root, axis=1)
        self._size = np.where(size > 0, size, 1.0)
        U, S, V = np.linalg.svd((rows / self._size[:, None]) @ free, full_matrices=False)
        kept = S > MOVES  # others wind up nothing
        self._wind = (U[:, kept] / S[kept]).T / self._size
        """S^-1 U^T"""
        self.motions = free @ V[kept].T
        self._mass = mass_matrix(program, prepared.numbers, y)

    def along(self, y: np.ndarray, rows: tuple[np.ndarray, np.ndarray] | None = None) -> np.ndarray:
        """f; with rows of another state for E and E' v, if given."""
        E, change = rows or self._changing(y)
        return self._wind @ (E @ self.prepared.engine.derivative(self.t, y)[1] + change)

    def _changing(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """E and E' v."""
        program, v = self.prepared.program, self._speeds(y)
        h = LATER / max(program.largest_turn(v), LATER)
        later, earlier = (self._rows(program.displaced(y, s * v)) for s in (h, -h))
        return self._rows(y), (later - earlier) @ v / (2 * h)

    def forces(self, y: np.ndarray) -> np.ndarray:
        return self._mass @ self.motions @ self.along(y)

    def unrest(self, y: np.ndarray, forces: np.ndarray) -> float:
        return float(np.abs(self.motions.T @ forces).max(initial=0.0))

    def stiffness(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        columns, rows = [], self._changing(y)
        for motion in self.motions.T:
            h = NUDGE / float(np.abs(motion).max())
            ends = [self.moved(y, way * h * motion, rows[0]) for way in (1.0, -1.0)]
            if ends[0] is None or ends[1] is None:
                return np.zeros((0, 0)), self.motions
            columns.append((self.along(ends[1], rows) - self.along(ends[0], rows)) / (2 * h))
        return np.array(columns).T, self.motions

    def moved(self, y: np.ndarray, step: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray | None:
        program = self.prepared.program
        state, done = self.prepared.engine.project(self.t, program.displaced(y, step), 1e-12, 30)
        if not done:
            return None
        moving = slice(program.nq, program.nq + program.nv)  # at which nothing is wound up any further
        E = self._rows(state) if rows is None else rows
        state[moving] -= self.motions @ (self._wind @ (E @ state[moving]))
        return state

    def _speeds(self, y: np.ndarray) -> np.ndarray:
        program = self.prepared.program
        return y[program.nq : program.nq + program.nv]

    def _rows(self, y: np.ndarray) -> np.ndarray:
        rows = [tie.rows for tie in ties(self.prepared, y) if tie.name in self._names]
        return np.vstack([np.zeros((0, self.prepared.program.nv)), *rows])


def wound_up(prepared: Prepared, t: float, state: np.ndarray) -> np.ndarray:
    """A rolling state with what gives way loaded as it is in balance; ModelError where there is none."""
    slope = WindUp(prepared, t, state)
    if not slope.motions.shape[1]:
        return state
    largest = max(1.0, slope.unrest(state, slope.forces(state)))
    found = descend(slope, prepared, t, state, BALANCED * largest, meshes(prepared))
    if found is None or slope.unrest(found, slope.forces(found)) > 1e-3 * largest:
        raise ModelError(
            "no loaded start was found: under the torques at t = "
            f"{t:g} s no position near the given one winds up teeth, shafts and bearings so that speeds go on",
            path="start",
            hint="begin with `start: rolling` and let it settle, or look for what slips or is too soft",
        )
    return with_followers(prepared, t, found)
