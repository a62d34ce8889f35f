"""Planar joint (plane to plane): b slides and turns on a plane of a, whose normal is z.

Equations (3): ez_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
"""

from __future__ import annotations

from ..rows import offset_along, perpendicular
from .base import JointEquations


class Planar(JointEquations):
    type = "planar"
    row_names = ("height", "tilt_x", "tilt_y")

    def equations(self, a, b, extras, counted):
        return [
            offset_along(a, a.ez, b),
            perpendicular(a, a.ex, b, b.ez),
            perpendicular(a, a.ey, b, b.ez),
        ]
