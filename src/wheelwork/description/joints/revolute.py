"""Revolute joint (hinge, bearing)."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.joints.base import AxisJoint
from wheelwork.description.values import Axis


class Revolute(AxisJoint):
    """Body b turns about an axis of body a. Removes 5 degrees of freedom, in the plane 2.

    The coordinate `angle` is that of b relative to a about the axis, by the right hand; zero at the given position, or
    where the x axes of the frames agree.

    Fields:
        bodies: names of body a and body b
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length; z in a planar mechanism, where it is left out
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
        comment: free text
    """

    type: Literal["revolute"] = "revolute"
    axis: Axis | None = None
    known_in_plane: ClassVar[tuple[str, ...]] = ("axis",)
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
