"""Point on plane."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL
from wheelwork.description.joints.base import AxisJoint


class PointOnPlane(AxisJoint):
    """A point of body b stays on a plane of body a. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a (the plane) and body b (the point)
        point [m]: the point, in the world at the assembled position
        axis [1]: normal of the plane in the world, any length
        frame_a: frame in body a, x and y in the plane
        frame_b: frame in body b, its origin is the point
        comment: free text
    """

    type: Literal["point_on_plane"] = "point_on_plane"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "use `point_on_line`"
