"""Motor speeds from axis speeds: the matrix of the gear trains, as whole numbers.

With q the speeds of the axes and th those of the motors (of each rotor in its housing)::

    th_k = s_k r_k q_k                           k = 1 .. 4, s spur pair, r reducer
    th_5 = s_5 (q_4 + b_5 r_5 q_5)               shaft 5 turns in the arm, its bevel wheel in the forearm
    th_6 = s_6a s_6b (b_6a (b_6b q_6 + q_5) - q_4)

A spur pair turns the sense about, but motors are counted about the negative axis; the signs of the bevel pairs follow
from which side of the wrist's middle each wheel is on.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .assembly import UNIT, Assembly
from .links import AXES, LINKS
from .sizes import (
    ELBOW_REDUCER,
    ELBOW_SPUR,
    FLANGE_BEVELS,
    FLANGE_SPURS,
    FOREARM_REDUCER,
    FOREARM_SPUR,
    LARGE_REDUCER,
    LARGE_SPUR,
    WRIST_BEVEL,
    WRIST_REDUCER,
    WRIST_SPUR,
)

Matrix = tuple[tuple[Fraction, ...], ...]


def gear_matrix() -> Matrix:
    """Row k: speed of motor k for speed 1 of each axis.

    >>> [f"{float(row[k]):.2f}" for k, row in enumerate(gear_matrix())]
    ['117.50', '117.50', '117.50', '63.54', '61.43', '30.09']
    """
    main = (
        LARGE_SPUR.ratio * LARGE_REDUCER.ratio,
        LARGE_SPUR.ratio * LARGE_REDUCER.ratio,
        ELBOW_SPUR.ratio * ELBOW_REDUCER.ratio,
        FOREARM_SPUR.ratio * FOREARM_REDUCER.ratio,
    )
    rows = [[main[k] if j == k else Fraction(0) for j in range(6)] for k in range(4)]
    bend = WRIST_SPUR.ratio
    rows.append([Fraction(0)] * 3 + [bend, bend * WRIST_BEVEL.ratio * WRIST_REDUCER.ratio, Fraction(0)])
    turn = FLANGE_SPURS[0].ratio * FLANGE_SPURS[1].ratio
    into, out = (bevel.ratio for bevel in FLANGE_BEVELS)
    rows.append([Fraction(0)] * 3 + [-turn, turn * into, turn * into * out])
    return tuple(tuple(row) for row in rows)


# -- torques with which the motors hold the arm at rest in its start position, by virtual work
#
# A small turn dq_k of axis k moves every part beyond it by dq_k a_k x (x - p_k), a_k and p_k direction and point of the
# axis. So the axis must give tau_k = -sum m g . (a_k x (x - p_k)), and the motors T with C^T T = tau, since they turn
# by C dq. Rotors, shafts and balanced cranks turn about axes through their centres of mass: their weight counts
# with the link that carries them.


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
