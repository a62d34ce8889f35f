"""The pick-and-place path: places of the flange, the times between them, and the motor angles as formulas of time.

From place to place all axes start and stop together. Each goes along a cycloid, u - sin(2 pi u)/(2 pi) with u from 0 to
1, which starts and ends without speed and without acceleration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .kinematics import inverse, turn
from .ratios import gear_matrix

DOWN = turn("y", math.pi / 2)
"""Axes of a flange that looks straight down."""
TILT = math.radians(25)
"""The part is put down on a slope."""
PICK = np.array([0.95, -0.45, 0.40]), DOWN
PLACE = np.array([0.35, 0.95, 0.75]), turn("x", TILT) @ DOWN @ turn("x", math.pi / 3)
SMALL = 1e-9  # rad; a motor that turns by less stands still
LIFT = 0.25  # m, how far above a place the flange waits


@dataclass(frozen=True)
class Move:
    """All axes go to `angles` [rad] between two times [s]."""

    start: float
    duration: float
    angles: np.ndarray


def moves() -> list[Move]:
    """From the start position to the pick, on to the place, and back."""
    above_pick, pick = _above(*PICK), inverse(*PICK)
    above_place, place = _above(*PLACE), inverse(*PLACE)
    return [
        Move(0.0, 1.2, above_pick),
        Move(1.2, 0.8, pick),
        Move(2.2, 0.8, above_pick),
        Move(3.0, 1.6, above_place),
        Move(4.6, 0.8, place),
        Move(5.6, 0.8, above_place),
        Move(6.4, 1.6, np.zeros(6)),
    ]


def _above(position: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Angles for a place further back along the flange's direction."""
    return inverse(position - LIFT * axes[:, 0], axes)


def motor_angles() -> list[str]:
    """A formula of time for the angle of each motor [rad]: a sum of cycloids, one for each move."""
    matrix = np.array([[float(ratio) for ratio in row] for row in gear_matrix()])
    formulas = [""] * 6
    here = np.zeros(6)
    for move in moves():
        for motor, turned in enumerate(matrix @ (move.angles - here)):
            if abs(turned) > SMALL:
                sign = " - " if turned < 0 else " + "
                formulas[motor] += f"{sign}{abs(turned):.9f}*{cycloid(move)}"
        here = move.angles
    return [formula.strip().removeprefix("+ ") for formula in formulas]


def cycloid(move: Move) -> str:
    """0 before the move, 1 after it."""
    u = f"min(max((t - {move.start:g})/{move.duration:g}, 0), 1)"
    return f"({u} - sin(2*pi*{u})/(2*pi))"
