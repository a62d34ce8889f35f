"""Prismatic joint (slider)."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.joints.base import AxisJoint


class Prismatic(AxisJoint):
    """Body b slides along an axis of body a without turning. Removes 5 degrees of freedom, in the plane 2.

    The coordinate `displacement` is that of b relative to a along the axis.

    Fields:
        bodies: names of body a and body b
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of sliding in the world, any length
        frame_a: joint frame in body a, z along the axis; in the plane x along it
        frame_b: joint frame in body b, z along the axis; in the plane x along it
        comment: free text
    """

    type: Literal["prismatic"] = "prismatic"
    coordinates: ClassVar[tuple[str, ...]] = ("displacement",)
