"""Downhill to an equilibrium (:mod:`.downhill`)."""

from __future__ import annotations

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.matrices import mass_matrix

from .assemble import POSITION_TOLERANCE, Assembled
from .linear_equations import linearised
from .prepare import Prepared


@dataclass(frozen=True)
class AtRest:
    """Forces of what stands still; see :class:`wheelwork.analyses.downhill.Slope`."""

    at: Assembled

    def forces(self, y: np.ndarray) -> np.ndarray:
        return mass_times(self.at.prepared, y, self._accelerations(y))

    def unrest(self, y: np.ndarray, forces: np.ndarray) -> float:
        return float(np.abs(self._accelerations(y)).max(initial=0.0))

    def stiffness(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        linear = linearised(Assembled(self.at.prepared, y, [], self.at.t), statics=True)
        return linear.K, linear.basis

    def moved(self, y: np.ndarray, step: np.ndarray) -> np.ndarray | None:
        prepared = self.at.prepared
        moved, done = prepared.engine.project(
            self.at.t, prepared.program.displaced(y, step), POSITION_TOLERANCE, 30
        )
        return at_rest(self.at, moved) if done else None

    def _accelerations(self, y: np.ndarray) -> np.ndarray:
        return self.at.prepared.engine.derivative(self.at.t, y)[1]


def at_rest(at: Assembled, y: np.ndarray) -> np.ndarray:
    """The same position without velocities."""
    out, program = np.array(y), at.prepared.program
    out[program.nq : program.nq + program.nv] = 0.0
    return out


def mass_times(prepared: Prepared, y: np.ndarray, a: np.ndarray) -> np.ndarray:
    return mass_matrix(prepared.program, prepared.numbers, y) @ a
