"""Planar joint: plane on plane."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL
from wheelwork.description.joints.base import AxisJoint


class Planar(AxisJoint):
    """A plane of body b slides and turns on a plane of body a. Removes 3 degrees of freedom.

    Fields:
        bodies: names of body a and body b
        point [m]: a point of the common plane, in the world at the assembled position
        axis [1]: normal of the plane in the world, any length
        frame_a: frame in body a, x and y in its plane
        frame_b: frame in body b, x and y in its plane
        comment: free text
    """

    type: Literal["planar"] = "planar"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "in the plane everything moves as it lets it"
