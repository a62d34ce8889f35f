"""Prismatic joint: a slide along the common z axis, without rotation.

Equations (5): ex_a . d = 0;  ey_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0;  ex_a . ey_b = 0.
Coordinate: `displacement` of b along a's z axis. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from ..rows import offset_along, perpendicular
from .base import JointEquations


class Prismatic(JointEquations):
    type = "prismatic"
    row_names = ("x", "y", "tilt_x", "tilt_y", "turn_z")
    coordinates = ("displacement",)

    def equations(self, a, b, extras, counted):
        return [
            offset_along(a, a.ex, b),
            offset_along(a, a.ey, b),
            perpendicular(a, a.ex, b, b.ez),
            perpendicular(a, a.ey, b, b.ez),
            perpendicular(a, a.ex, b, b.ey),
        ]
