"""Revolute joint: a hinge about the common z axis.

Equations (5): p_b - p_a = 0;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
Coordinate: `angle`, right-handed about z, from a to b. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.values import Axis
from wheelwork.elements.joints.base import TURN, AxisJoint, JointWithCoordinates
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import coincident, perpendicular


class Revolute(JointWithCoordinates, AxisJoint):
    """Body b turns about an axis of body a. Removes 5 degrees of freedom, in the plane 2.

    The coordinate `angle` is that of b relative to a about the axis, by the right hand; zero at the given position, or
    where the x axes of the frames agree.

    Fields:
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length; z in a planar mechanism, where it is left out
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
    """

    type: Literal["revolute"] = "revolute"
    axis: Axis | None = None
    known_in_plane = ("axis",)
    coordinates = ("angle",)
    steps = (TURN,)
    printed = ("point", "x.z", "y.z")
    symbol = ("", "pin")
    points_meet = True
    is_bearing = True
    one_way = "z"
    in_train = "turning"

    class InSpace(JointEquations):
        row_names = ("x", "y", "z", "tilt_x", "tilt_y")

        def equations(self, a, b, extras, counted):
            return [*coincident(a, b), perpendicular(a, a.ex, b, b.ez), perpendicular(a, a.ey, b, b.ez)]

    class InPlane(JointEquations):
        """Revolute joint in the plane: a point of a and a point of b stay together.

        Equations (2), x and y of::

            Phi   = p_b - p_a = r_b + A_b s_b' - r_a - A_a s_a' = 0
            Phi_q = [-1, -B_a s_a',  1, B_b s_b']
            nu    = 0
            gamma = A_b s_b' w_b^2 - A_a s_a' w_a^2

        Coordinate: `angle` of b relative to a, over any number of turns. Source: Haug (1989), sec. 3.3, there
        as a minus b.
        """

        row_names = ("x", "y")

        def equations(self, a, b, extras, counted):
            return coincident(a, b)[:2]
