"""SDIRK4: the singly diagonally implicit method ESDIRK4(3)6L[2]SA of Kennedy and Carpenter.

Appl. Numer. Math. 44 (2003), the implicit part of ARK4(3)6L[2]SA: order 4 with an embedded method of order 3, six
stages of which the first is explicit, gamma = 1/4, L-stable, stiffly accurate, stage order 2. A stage is

    k = f(t + c h, y0 + h (sum of a_j k_j) + h gamma k)

with f the derivative that has the constraints solved at acceleration level. It is found by simplified Newton
iteration with the exact Jacobian of f at the start of the step (:mod:`.jacobian`):

    (1 - h gamma J) dk = f(...) - k

The rows of q are eliminated body by body, so that what is factorised has the size of the velocities. The
counted angles follow from the others and need no equation. Departures from the source: the error estimate is
multiplied by (1 - h gamma J)^-1, so that stiff components which have died out by themselves do not count (Hairer,
Wanner, Solving Ordinary Differential Equations II, sec. IV.8), and inside a step the state is interpolated by
Hermite's cubic.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from .batch import Batch
from .bodies import kinematic_jacobian
from .jacobian import AccelerationJacobian
from .methods import Step, hermite, size_of_error
from .system import System

GAMMA = 0.25
A = (
    (1 / 4,),
    (8611 / 62500, -1743 / 31250),
    (5012029 / 34652500, -654441 / 2922500, 174375 / 388108),
    (15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912),
    (82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211),
)
"""Rows of the tableau from the second stage on, without the diagonal."""
C = (1 / 2, 83 / 250, 31 / 50, 17 / 20, 1)
B = np.array([*A[-1], GAMMA])
EMBEDDED = np.array(
    [
        4586570599 / 29645900160,
        0,
        178811875 / 945068544,
        814220225 / 1159782912,
        -3700637 / 11593932,
        61727 / 225920,
    ]
)

ENOUGH = 1e-3
"""Newton's iteration ends when its error is this part of the tolerance."""

MOST_ITERATIONS = 12


class Sdirk4:
    """One run's worth of SDIRK4."""

    adaptive: ClassVar = True
    order: ClassVar = 4

    def __init__(self, system: System, rtol: float, atol: float):
        self._system = system
        self._rtol, self._atol = rtol, atol
        self._accelerations = AccelerationJacobian(system)
        self._kinematics = Batch({"kinematics": kinematic_jacobian(system.program.space)}, system.count)
        self._at: np.ndarray | None = None
        self.newton_iterations = 0
        self.failed = False

    def advance(self, step: Step) -> np.ndarray | None:
        self._linearise(step)
        self._factorise(step.h)
        self.failed = False
        self.k = np.zeros((len(B), len(step.y0)))
        self.k[0] = guess = step.first
        for i, (row, c) in enumerate(zip(A, C, strict=True), start=1):
            base = step.y0 + step.h * (np.array(row) @ self.k[:i])
            found = self._stage(step, step.t + c * step.h, base, guess)
            if found is None:
                self.failed = True
                return None
            self.k[i] = guess = found
        return step.y0 + step.h * (B @ self.k)

    def _stage(self, step: Step, t: float, base: np.ndarray, k: np.ndarray) -> np.ndarray | None:
        """The derivative k of one stage; None if the iteration does not converge."""
        h = step.h * GAMMA
        scale = self._atol + self._rtol * np.abs(step.y0)
        last, rate = np.inf, 1.0
        for _ in range(MOST_ITERATIONS):
            self.newton_iterations += 1
            change = self._newton(self._system.derivative(t, base + h * k) - k)
            k = k + change
            size = float(np.sqrt(np.mean((h * change / scale) ** 2)))
            if not np.isfinite(size):
                return None
            if np.isfinite(last) and last > 0:
                rate = size / last
            if rate >= 2 and size > ENOUGH:
                return None
            # size * rate / (1 - rate) is what further rounds would add
            if size == 0 or (rate < 1 and size * rate / (1 - rate) <= ENOUGH) or size <= 1e-3 * ENOUGH:
                return k
            last = size
        return None

    # -- the linear equations

    def _linearise(self, step: Step) -> None:
        """Jacobians at the start of the step, unless they are there already (a step tried again)."""
        if self._at is step.y0:
            return
        s = self._system
        self._at = step.y0
        with_motion, self._with_twist = self._accelerations.evaluate(step.t, step.y0)
        count = s.count
        self._kinematics.arguments[0][:] = step.y0[: s.nq].reshape(count, s.Q)
        self._kinematics.arguments[1][:] = step.y0[s.nq : s.nq + s.nv].reshape(count, s.V)
        rate_q, rate_v, motion = self._kinematics("kinematics")
        self._rate_q = rate_q.reshape(count, s.Q, s.Q).transpose(0, 2, 1)
        self._rate_v = rate_v.reshape(count, s.V, s.Q).transpose(0, 2, 1)
        motion = motion.reshape(count, s.Q, s.V).transpose(0, 2, 1)
        # da/dq, body by body: (velocities, body, Q)
        self._with_q = np.einsum("ibj,bjk->ibk", with_motion.reshape(s.nv, count, s.V), motion)

    def _factorise(self, h: float) -> None:
        s, step = self._system, h * GAMMA
        self._inverse_q = np.linalg.inv(np.eye(s.Q) - step * self._rate_q)
        self._step = step
        through_q = self._inverse_q @ self._rate_v  # how k of q follows that of v, over h gamma
        matrix = np.eye(s.nv) - step * self._with_twist
        matrix -= step**2 * np.einsum("ibj,bjk->ibk", self._with_q, through_q).reshape(s.nv, s.nv)
        self._through_q = through_q
        self._lu = lu_factor(matrix, check_finite=False) if np.isfinite(matrix).all() else None

    def _newton(self, right: np.ndarray) -> np.ndarray:
        """(1 - h gamma J)^-1 right."""
        s = self._system
        if self._lu is None:
            return np.full_like(right, np.nan)
        q = np.einsum("bij,bj->bi", self._inverse_q, right[: s.nq].reshape(s.count, s.Q))
        v = right[s.nq : s.nq + s.nv] + self._step * np.einsum("ibj,bj->i", self._with_q, q)
        v = lu_solve(self._lu, v, check_finite=False)
        q = q + self._step * np.einsum("bij,bj->bi", self._through_q, v.reshape(s.count, s.V))
        return np.concatenate([q.ravel(), v, right[s.nq + s.nv :]])

    # -- what the run asks

    def error(self, step: Step, rtol: float, atol: float) -> float:
        return size_of_error(step, self._newton(step.h * ((B - EMBEDDED) @ self.k)), rtol, atol)

    def dense(self, step: Step, theta: float) -> np.ndarray:
        return hermite(step, theta)
