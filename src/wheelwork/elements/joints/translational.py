"""Translational joint: the plane's name for the prismatic joint, whose equations it has."""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import PLANAR
from wheelwork.elements.joints.base import AxisJoint, Started
from wheelwork.elements.joints.prismatic import Prismatic


class Translational(Started, AxisJoint):
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
