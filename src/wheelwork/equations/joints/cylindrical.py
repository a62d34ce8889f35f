"""Cylindrical joint: rotation about and sliding along the common z axis.

Equations (4): ex_a . d = 0;  ey_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
Coordinates: `angle`, `displacement`. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from ..rows import Row, offset_along, perpendicular
from .base import JointEquations


def on_axis(a, b) -> list[Row]:
    """b's z axis lies on a's z axis."""
    return [
        offset_along(a, a.ex, b),
        offset_along(a, a.ey, b),
        perpendicular(a, a.ex, b, b.ez),
        perpendicular(a, a.ey, b, b.ez),
    ]


class Cylindrical(JointEquations):
    type = "cylindrical"
    row_names = ("x", "y", "tilt_x", "tilt_y")
    coordinates = ("angle", "displacement")

    def equations(self, a, b, extras, counted):
        return on_axis(a, b)
