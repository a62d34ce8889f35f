"""Point on plane: a point of b stays on the plane of a through `point` with normal `axis`.

Equation (1): ez_a . d = 0, with d = p_b - p_a.
"""

from __future__ import annotations

from ..rows import offset_along
from .base import JointEquations


class PointOnPlane(JointEquations):
    type = "point_on_plane"
    row_names = ("height",)

    def equations(self, a, b, extras, counted):
        return [offset_along(a, a.ez, b)]
