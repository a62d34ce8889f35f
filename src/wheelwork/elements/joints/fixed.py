"""Fixed joint: a weld.

Equations (6): p_b - p_a = 0;  ex_a . ey_b = 0;  ey_a . ez_b = 0;  ez_a . ex_b = 0.
Source: Haug (1989), sec. 9.4, primitives "spherical" and "dot-1".
"""

from __future__ import annotations

from typing import Literal

from wheelwork.elements.joints.base import PointJoint
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import coincident, perpendicular, turn_about_axis


class Fixed(PointJoint):
    """Holds body b to body a as they stand at the start, or frame_b on frame_a.

    Removes 6 degrees of freedom, in the plane 3.

    Fields:
        point [m]: where the reaction is reported, in the world; the origin of body b where left out
    """

    type: Literal["fixed"] = "fixed"
    optional = ("point",)
    steps = ()
    printed = ("point", "x.y", "y.z", "z.x")
    symbol = ("", "")
    points_meet = True
    one_way = "xz"

    class InSpace(JointEquations):
        row_names = ("x", "y", "z", "turn_z", "turn_x", "turn_y")

        def equations(self, a, b, extras, counted):
            return [
                *coincident(a, b),
                perpendicular(a, a.ex, b, b.ey),
                perpendicular(a, a.ey, b, b.ez),
                perpendicular(a, a.ez, b, b.ex),
            ]

    class InPlane(JointEquations):
        """Fixed joint in the plane: a weld.

        Equations (3): p_b - p_a = 0 (x and y), and the angle between the frames' x axes, taken within half a turn, is
        zero::

            Phi   = [ p_b - p_a; phi_b - phi_a ]
            Phi_q = [-1, -B_a s_a', 1, B_b s_b'; 0, -1, 0, 1]
            nu    = 0
            gamma = [ A_b s_b' w_b^2 - A_a s_a' w_a^2; 0 ]

        Source: Haug (1989), sec. 3.3: the revolute joint and the relative angle.
        """

        row_names = ("x", "y", "turn")

        def equations(self, a, b, extras, counted):
            return [*coincident(a, b)[:2], turn_about_axis(a, b)]
