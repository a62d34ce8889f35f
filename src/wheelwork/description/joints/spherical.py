"""Spherical joint (ball and socket)."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL
from wheelwork.description.joints.base import PointJoint


class Spherical(PointJoint):
    """A point of body b stays on a point of body a. Removes 3 degrees of freedom.

    Fields:
        bodies: names of body a and body b
        point [m]: centre of the ball, in the world at the assembled position
        frame_a: frame in body a with its origin at the centre
        frame_b: frame in body b with its origin at the centre
        comment: free text
    """

    type: Literal["spherical"] = "spherical"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "use `revolute`"
