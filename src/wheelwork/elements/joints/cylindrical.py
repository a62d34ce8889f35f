"""Cylindrical joint: rotation about and sliding along the common z axis.

Equations (4): ex_a . d = 0;  ey_a . d = 0 with d = p_b - p_a;  ex_a . ez_b = 0;  ey_a . ez_b = 0.
Coordinates: `angle`, `displacement`. Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.elements.joints.base import SLIDE, TURN, AxisJoint, JointWithCoordinates
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import Row, offset_along, perpendicular


def on_axis(a, b) -> list[Row]:
    """b's z axis lies on a's z axis."""
    return [
        offset_along(a, a.ex, b),
        offset_along(a, a.ey, b),
        perpendicular(a, a.ex, b, b.ez),
        perpendicular(a, a.ey, b, b.ez),
    ]


class Cylindrical(JointWithCoordinates, AxisJoint):
    """Body b turns about an axis of body a and slides along it. Removes 4 degrees of freedom.

    Coordinates: `angle` about the axis and `displacement` along it, of b relative to a.

    Fields:
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
    """

    type: Literal["cylindrical"] = "cylindrical"
    kinds = frozenset({SPATIAL})
    instead = "use `revolute` or `prismatic`"
    coordinates = ("angle", "displacement")
    steps = (SLIDE, TURN)
    printed = ("x", "y", "x.z", "y.z")
    symbol = ("rail", "pin")
    is_bearing = True
    one_way = "z"
    in_train = "turning"
    carries_rack = True

    class InSpace(JointEquations):
        row_names = ("x", "y", "tilt_x", "tilt_y")

        def equations(self, a, b, extras, counted):
            return on_axis(a, b)
