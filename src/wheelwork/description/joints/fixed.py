"""Fixed joint: two bodies move as one."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.joints.base import PointJoint


class Fixed(PointJoint):
    """Holds body b to body a as they stand at the start, or frame_b on frame_a.

    Removes 6 degrees of freedom, in the plane 3.

    Fields:
        bodies: names of body a and body b
        point [m]: where the reaction is reported, in the world; the origin of body b where left out
        frame_a: joint frame in body a
        frame_b: joint frame in body b
        comment: free text
    """

    type: Literal["fixed"] = "fixed"
    optional: ClassVar[tuple[str, ...]] = ("point",)
