"""Point on line."""

from __future__ import annotations

from typing import Literal

from wheelwork.description.joints.base import AxisJoint


class PointOnLine(AxisJoint):
    """A point of body b stays on a line of body a. Removes 2 degrees of freedom, in the plane 1.

    Fields:
        bodies: names of body a (the line) and body b (the point)
        point [m]: the point, in the world at the assembled position
        axis [1]: direction of the line in the world, any length
        frame_a: frame in body a, its z axis is the line; in the plane its x axis
        frame_b: frame in body b, its origin is the point
        comment: free text
    """

    type: Literal["point_on_line"] = "point_on_line"
