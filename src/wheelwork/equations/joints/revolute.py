"""Revolute joint: a hinge about the common z axis.

Equations (5): p_b - p_a = 0;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
Coordinate: `angle`, right-handed about z, from a to b. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from ..rows import coincident, perpendicular
from .base import JointEquations


class Revolute(JointEquations):
    type = "revolute"
    row_names = ("x", "y", "z", "tilt_x", "tilt_y")
    coordinates = ("angle",)

    def equations(self, a, b, extras, counted):
        return [*coincident(a, b), perpendicular(a, a.ex, b, b.ez), perpendicular(a, a.ey, b, b.ez)]
