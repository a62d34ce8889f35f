"""What joints in the plane share: the frame of a direction, and coordinates along it.

Joints of a planar mechanism are written like those in space (:mod:`wheelwork.equations.joints.base` says how to add
one), with the same primitives on the same frames. Their markers have z at a right angle to the plane, and x along
the joint's direction if it has one. Of a row only the columns for (vx, vy, w) of each body are used, so that rows
need be right for motions in the plane only.

Symbols of the course (Haug, Computer Aided Kinematics and Dynamics, 1989, ch. 3; ME451 notes) and of this package::

    r_i, phi_i    position and angle of body i          a.body.x, a.body.angle
    A_i           rotation matrix of body i             a.body.R
    B_i           A_i R, its derivative by phi_i        e_z x
    s_i'^P        point P in body i                     a.local_position;  A_i s_i'^P is a.s
    v_i, v_i^     a direction of body i, and it turned by 90 degrees     a.ex, a.ey (of length 1 here)
    d_ij          r_j^P - r_i^P                          b.p - a.p
    Phi_q         Jacobian                              the columns of a Row
    nu, gamma     right-hand sides                      `nu` and `gamma` of a Row

Bodies i, j of the course are a, b here. Rows are differences "b minus a", so some have the opposite sign of the
book's, and all its vectors of a direction have length 1, so that multipliers are forces and torques.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import casadi as ca

from ..joints.base import JointEquations
from ..rotations import frame_about
from ..rows import offset_along, turn_about_axis

if TYPE_CHECKING:
    from wheelwork.layout.placement import Place

    from ..frames import Marker
    from ..rows import Row


class PlanarJointEquations(JointEquations):
    """Base of the joints in the plane: `angle` about the plane's normal, `displacement` along a's x axis."""

    def coordinate(self, name: str, a: Marker, b: Marker, counted: ca.SX | float) -> Row:
        return turn_about_axis(a, b, counted) if name == "angle" else offset_along(a, a.ex, b)


def frames_along(joint: Any, place: Place, axis: str = "axis") -> tuple[ca.SX, ca.SX]:
    """Marker records of a joint with x along its direction: at `point`, or given by `frame_a` and `frame_b`."""
    if joint.frame_a is not None or joint.frame_b is not None:
        return place.joint_frames(joint)
    axes = frame_about(ca.SX([0, 0, 1]), place.direction(getattr(joint, axis)))
    points = (joint.point, joint.point) if hasattr(joint, "point") else (joint.point_a, joint.point_b)
    first, second = (
        place.world_marker(body, place.point(point), axes)
        for body, point in zip(joint.bodies, points, strict=True)
    )
    return first, second
