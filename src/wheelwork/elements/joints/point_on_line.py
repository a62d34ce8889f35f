"""Point on line: a point of b stays on the line of a through `point` along `axis`.

Equations (2): ex_a . d = 0;  ey_a . d = 0, with d = p_b - p_a. Coordinates: `displacement` along the line, and `angle`,
the turn of b about the line that is left when b is tilted back the shortest way: that of a shaft, for whose axis a
second joint keeps the direction.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.elements.joints.base import AxisJoint, JointWithCoordinates
from wheelwork.equations.joint_equations import JointEquations, frames_along
from wheelwork.equations.rows import offset_along


class PointOnLine(JointWithCoordinates, AxisJoint):
    """A point of body b stays on a line of body a. Removes 2 degrees of freedom, in the plane 1.

    Coordinates: `displacement` along the line and, in space, `angle` about it, as of a shaft in a floating bearing.

    Fields:
        bodies: names of body a (the line) and body b (the point)
        point [m]: the point, in the world at the assembled position
        axis [1]: direction of the line in the world, any length
        frame_a: frame in body a, its z axis is the line; in the plane its x axis
        frame_b: frame in body b, its origin is the point
    """

    type: Literal["point_on_line"] = "point_on_line"
    coordinates = ("angle", "displacement")
    along_in_plane = "x"
    printed = ("x", "y")
    symbol = ("rail", "ball")
    is_bearing = True
    in_train = "support"

    class InSpace(JointEquations):
        row_names = ("x", "y")
        coordinates = ("angle", "displacement")

        def equations(self, a, b, extras, counted):
            return [offset_along(a, a.ex, b), offset_along(a, a.ey, b)]

    class InPlane(JointEquations):
        """Point on a line in the plane: a point of b stays on the line of a through `point` along `axis`.

        Equation (1), the first row of the prismatic joint::

            Phi   = ey_a . d = 0,     d = p_b - p_a
            nu    = 0
            gamma = -ex_a' . (B_ab s_b' (w_b - w_a)^2 - B_a^T (r_b - r_a) w_a^2 - 2 A_a^T (v_b - v_a) w_a)

        Coordinate: `displacement` along the line, of b to a.
        """

        row_names = ("across",)
        coordinates = ("displacement",)

        def equations(self, a, b, extras, counted):
            return [offset_along(a, a.ey, b)]

        def markers(self, joint, place):
            return frames_along(joint, place)
