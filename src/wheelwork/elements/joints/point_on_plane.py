"""Point on plane: a point of b stays on the plane of a through `point` with normal `axis`.

Equation (1): ez_a . d = 0, with d = p_b - p_a.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.elements.joints.base import AxisJoint
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import offset_along


class PointOnPlane(AxisJoint):
    """A point of body b stays on a plane of body a. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a (the plane) and body b (the point)
        point [m]: the point, in the world at the assembled position
        axis [1]: normal of the plane in the world, any length
        frame_a: frame in body a, x and y in the plane
        frame_b: frame in body b, its origin is the point
    """

    type: Literal["point_on_plane"] = "point_on_plane"
    kinds = frozenset({SPATIAL})
    instead = "use `point_on_line`"
    printed = ("z",)
    symbol = ("plate", "ball")
    in_train = "support"

    class InSpace(JointEquations):
        row_names = ("height",)

        def equations(self, a, b, extras, counted):
            return [offset_along(a, a.ez, b)]
