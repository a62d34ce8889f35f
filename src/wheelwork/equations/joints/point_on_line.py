"""Point on line: a point of b stays on the line of a through `point` along `axis`.

Equations (2): ex_a . d = 0;  ey_a . d = 0, with d = p_b - p_a. Coordinate: `displacement` along the line.
"""

from __future__ import annotations

from ..rows import offset_along
from .base import JointEquations


class PointOnLine(JointEquations):
    type = "point_on_line"
    row_names = ("x", "y")
    coordinates = ("displacement",)

    def equations(self, a, b, extras, counted):
        return [offset_along(a, a.ex, b), offset_along(a, a.ey, b)]
