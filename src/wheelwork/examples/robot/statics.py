"""Torques with which the motors hold the arm at rest in its start position, by virtual work.

A small turn dq_k of axis k moves every part beyond it by dq_k a_k x (x - p_k), a_k and p_k direction and point of the
axis. So the axis must give tau_k = -sum m g . (a_k x (x - p_k)), and the motors T with C^T T = tau, since they turn by
C dq (`ratios`). Rotors, shafts and balanced cranks turn about axes through their centres of mass: their weight counts
with the link that carries them.
"""

from __future__ import annotations

import numpy as np

from .assembly import UNIT, Assembly
from .links import AXES, LINKS
from .ratios import gear_matrix


def holding_torques(assembly: Assembly, gravity: tuple[float, float, float]) -> np.ndarray:
    """Of motors 1 to 6 [N m]."""
    axis_torques = np.zeros(6)
    for name in assembly.mechanism.bodies:
        weight = assembly.mass(name) * np.array(gravity)
        place = assembly.position(name)
        for k, (point, axis) in enumerate(AXES[: LINKS.index(assembly.link_of(name))]):
            axis_torques[k] -= weight @ np.cross(UNIT[axis], place - np.array(point))
    matrix = np.array([[float(ratio) for ratio in row] for row in gear_matrix()])
    return np.linalg.solve(matrix.T, axis_torques)
