"""Point on a line in the plane: a point of b stays on the line of a through `point` along `axis`.

Equation (1), the first row of the prismatic joint::

    Phi   = ey_a . d = 0,     d = p_b - p_a
    nu    = 0
    gamma = -ex_a' . (B_ab s_b' (w_b - w_a)^2 - B_a^T (r_b - r_a) w_a^2 - 2 A_a^T (v_b - v_a) w_a)

Coordinate: `displacement` along the line, of b to a.
"""

from __future__ import annotations

from ..rows import offset_along
from .base import PlanarJointEquations, frames_along


class PointOnLine(PlanarJointEquations):
    type = "point_on_line"
    row_names = ("across",)
    coordinates = ("displacement",)

    def equations(self, a, b, extras, counted):
        return [offset_along(a, a.ey, b)]

    def markers(self, joint, place):
        return frames_along(joint, place)
