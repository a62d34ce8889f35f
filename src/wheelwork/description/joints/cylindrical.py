"""Cylindrical joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL
from wheelwork.description.joints.base import AxisJoint


class Cylindrical(AxisJoint):
    """Body b turns about an axis of body a and slides along it. Removes 4 degrees of freedom.

    Coordinates: `angle` about the axis and `displacement` along it, of b relative to a.

    Fields:
        bodies: names of body a and body b
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
        comment: free text
    """

    type: Literal["cylindrical"] = "cylindrical"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "use `revolute` or `prismatic`"
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")
