"""How the accelerations change with position and velocity, exactly.

From M a + G^T lambda = f and G a = gamma, with w = (x, v) for small motions x and twists v (world axes):

    R = d(M a - f + G^T lambda)/dw,    C = d(G a - gamma)/dw,    both at constant a and lambda
    S dlambda/dw = C - G M^-1 R,       da/dw = -M^-1 (R + G^T dlambda/dw)

R and C are sums of blocks from the elements' own derivatives. Sliding friction counts as a force of constant
size along its row.
"""

from __future__ import annotations

import numpy as np

from .batch import Batch
from .bodies import inertia_jacobian
from .system import System


class AccelerationJacobian:
    """Evaluates da/d(motion, twist) of a system."""

    def __init__(self, system: System):
        self._system = system
        self._inertia = Batch({"inertia": inertia_jacobian(system.program.space)}, system.count)

    def evaluate(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """da/d(motion) and da/d(twist) at (t, y), each (velocities, velocities)."""
        s = self._system
        s.derivative(t, y)
        R, C = self._blocks(t)
        width = s.V * (s.count + 1)
        both = [part.transpose(0, 2, 1, 3).reshape(width, width) for part in R]
        R_full = np.hstack(both)
        C_full = np.hstack([part.reshape(-1, width) for part in C])
        over_mass = self._over_mass(R_full)
        change = np.where(s.active[:, None], C_full - s.G @ over_mass, 0.0)
        multipliers = np.where(s.active[:, None], s.factor.solve(np.asfortranarray(change)), 0.0)
        result = -over_mass - self._over_mass(s.G_transposed @ multipliers)
        return result[: s.nv, : s.nv], result[: s.nv, width : width + s.nv]

    def _over_mass(self, matrix: np.ndarray) -> np.ndarray:
        inverse = self._system.inverse_mass
        return np.matmul(inverse, matrix.reshape(*inverse.shape[:2], -1)).reshape(matrix.shape)

    def _blocks(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """R as (2, body, body, V, V) and C as (2, row, body, V); the 2: motion, twist."""
        s = self._system
        bodies, rows = s.count + 1, len(s.active)
        R, C = np.zeros((2, bodies, bodies, s.V, s.V)), np.zeros((2, rows, bodies, s.V))
        inertia = self._inertia
        inertia.arguments[0][:] = s.records[:-1]
        inertia.arguments[1][:] = s.bodies.arguments[2]
        inertia.arguments[2][:] = s.acceleration[:-1]
        # (body, 2V, V), columns of the matrix one after the other
        own = inertia("inertia")[0].reshape(s.count, 2, s.V, s.V)
        every = np.arange(s.count)
        R[:, every, every] += own.transpose(1, 0, 3, 2)

        for group in s.forces:
            group.gather(t + s.inputs.origin, s.records, s.inputs.values, s.counted)
            change = group.jacobian().transpose(4, 0, 1, 3, 2, 5)
            for level in range(2):
                np.add.at(R[level], (group.acting[:, :, None], group.seen[:, None, :]), -change[level])

        multipliers = np.where(s.active, s.multipliers, 0.0)
        slides = s.friction.slip != 0
        multipliers[s.friction.row[slides]] = -s.friction.force[slides]
        for group in s.constraints:
            group.gather(s.records, s.inputs.values, s.counted)
            stiffness, bottom = group.jacobian(multipliers, s.acceleration)
            pairs = (group.bodies[:, :, None], group.bodies[:, None, :])
            np.add.at(R[0], pairs, stiffness.transpose(0, 1, 3, 2, 4))
            index = np.arange(group.rows.start, group.rows.stop)[:, None]
            touched = s.row_bodies[group.rows]
            for level in range(2):
                C[level][index, touched] = bottom[:, level]
        damping, stiffness = s.feedback()
        if damping or stiffness:
            index = np.arange(rows)[:, None]
            C[0][index, s.row_bodies] += stiffness * np.where(s.of_position[:, None, None], s.jacobian, 0.0)
            C[1][index, s.row_bodies] += damping * s.jacobian
        return R, C
