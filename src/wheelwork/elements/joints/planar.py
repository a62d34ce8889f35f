"""Planar joint (plane to plane): b slides and turns on a plane of a, whose normal is z.

Equations (3): ez_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.elements.joints.base import TURN, AxisJoint, Freedom
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import offset_along, perpendicular


class Planar(AxisJoint):
    """A plane of body b slides and turns on a plane of body a. Removes 3 degrees of freedom.

    Fields:
        point [m]: a point of the common plane, in the world at the assembled position
        axis [1]: normal of the plane in the world, any length
        frame_a: frame in body a, x and y in its plane
        frame_b: frame in body b, x and y in its plane
    """

    type: Literal["planar"] = "planar"
    kinds = frozenset({SPATIAL})
    instead = "in a planar mechanism bodies already move so"
    steps = (Freedom("slide", "x", "x"), Freedom("slide", "y", "y"), TURN)
    printed = ("z", "x.z", "y.z")
    symbol = ("plate", "disc")
    one_way = "z"
    in_train = "support"

    class InSpace(JointEquations):
        row_names = ("height", "tilt_x", "tilt_y")

        def equations(self, a, b, extras, counted):
            return [
                offset_along(a, a.ez, b),
                perpendicular(a, a.ex, b, b.ez),
                perpendicular(a, a.ey, b, b.ez),
            ]
