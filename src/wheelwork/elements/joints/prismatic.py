"""Prismatic joint: a slide along the common z axis, without rotation.

Equations (5): ex_a . d = 0;  ey_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0;  ex_a . ey_b = 0.
Coordinate: `displacement` of b along a's z axis. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import PLANAR
from wheelwork.elements.joints.base import SLIDE, AxisJoint, JointWithCoordinates
from wheelwork.equations.joint_equations import JointEquations, frames_along
from wheelwork.equations.rows import offset_along, perpendicular


class Prismatic(JointWithCoordinates, AxisJoint):
    """Body b slides along an axis of body a without turning. Removes 5 degrees of freedom, in the plane 2.

    The coordinate `displacement` is that of b relative to a along the axis.

    Fields:
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of sliding in the world, any length
        frame_a: joint frame in body a, z along the axis; in the plane x along it
        frame_b: joint frame in body b, z along the axis; in the plane x along it
    """

    type: Literal["prismatic"] = "prismatic"
    coordinates = ("displacement",)
    steps = (SLIDE,)
    along_in_plane = "x"
    printed = ("x", "y", "x.z", "y.z", "x.y")
    symbol = ("rail", "slider")
    one_way = "xz"
    in_train = "sliding"
    carries_rack = True

    class InSpace(JointEquations):
        row_names = ("x", "y", "tilt_x", "tilt_y", "turn_z")

        def equations(self, a, b, extras, counted):
            return [
                offset_along(a, a.ex, b),
                offset_along(a, a.ey, b),
                perpendicular(a, a.ex, b, b.ez),
                perpendicular(a, a.ey, b, b.ez),
                perpendicular(a, a.ex, b, b.ey),
            ]

    class InPlane(JointEquations):
        """Prismatic joint in the plane, the course's translational joint: b slides along a line of a without turning.

        Equations (2), with the direction x of both frames and its normal y (v_i' = v_j' of length 1 in the
        book)::

            Phi   = [ ey_a . d ]  = 0,     d = p_b - p_a
                    [ ey_a . ex_b ]
            nu    = 0
            gamma = -[ ex_a' . (B_ab s_b' (w_b - w_a)^2 - B_a^T (r_b - r_a) w_a^2 - 2 A_a^T (v_b - v_a) w_a) ]
                     [ 0 ]

        with B_ab = R A_a^T A_b, R the turn by 90 degrees. This is the gamma of the course's errata (its page
        68: the bracket closes behind the term with 2, so that ex_a'^T multiplies all three). The sign of page
        67: the first row is (v_i^)^T d_ij with v_i^ = B_i v_i', v_i turned by +90 degrees, as here.
        Differentiated twice, the first row gives just that; the second gives gamma = (ey_a . ex_b)(w_b - w_a)^2
        in general, which is zero where the joint is met ("because of Eq. 3.3.13"), and this general form is
        what is used, so that gamma is right also on the way to a position that meets the joint. In the closed
        forms of `rows.py` the same terms are written with arms in world axes; the tests compare all three.

        The second equation holds as well with b turned by 180 degrees; assembling looks at the frames for that.

        Coordinate: `displacement` of b along a's x axis. Source: Haug (1989), sec. 3.3, and the errata in the
        ME451 notes.
        """

        row_names = ("across", "turn")

        def equations(self, a, b, extras, counted):
            return [offset_along(a, a.ey, b), perpendicular(a, a.ey, b, b.ex)]

        def markers(self, joint, place):
            return frames_along(joint, place)


class Translational(JointWithCoordinates, AxisJoint):
    """Body b slides along an axis of body a without turning: the plane's name for a prismatic joint.

    Removes 2 degrees of freedom. The coordinate `displacement` is that of b relative to a along the axis.

    Fields:
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of sliding in the world, any length
        frame_a: joint frame in body a, x along the axis
        frame_b: joint frame in body b, x along the axis
    """

    type: Literal["translational"] = "translational"
    kinds = frozenset({PLANAR})
    instead = "use `prismatic`"
    coordinates = ("displacement",)

    def stands_for(self) -> Prismatic:
        same = {name: getattr(self, name) for name in type(self).model_fields if name != "type"}
        return Prismatic(**same)
