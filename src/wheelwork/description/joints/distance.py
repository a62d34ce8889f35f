"""Joints that keep a distance: distance, rod, and a rod with a hinge at one end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.geometry import norm, numbers
from wheelwork.description.joints.base import Joint
from wheelwork.description.values import Direction, Length, Point


class Link(Joint):
    """Two points at a distance."""

    point_a: Point | None = None
    point_b: Point | None = None
    length: Length | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "point_b")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        length = None if self.length is None else value(self.length)
        if length is not None and length <= 0:
            hint = "for zero, use a spherical joint, in the plane a revolute one"
            yield Issue("length", f"must be greater than zero, but is {length:g} m", hint)
        if self.length is None and self.point_a is not None and self.point_b is not None:
            a, b = numbers(self.point_a, value), numbers(self.point_b, value)
            if a is not None and b is not None and norm([x - y for x, y in zip(a, b, strict=True)]) == 0:
                yield Issue("point_b", "is the same as `point_a`: the distance would be zero")


class Distance(Link):
    """A point of body a and a point of body b keep their distance. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a and body b
        point_a [m]: point of body a, in the world at the assembled position
        point_b [m]: point of body b, in the world at the assembled position
        length [m]: the distance; that of the given position where left out
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
        comment: free text
    """

    type: Literal["distance"] = "distance"


class Rod(Link):
    """A massless rod with a ball joint at each end; saves the body and its two joints. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a and body b
        point_a [m]: ball joint on body a, in the world at the assembled position
        point_b [m]: ball joint on body b, in the world at the assembled position
        length [m]: of the rod; that of the given position where left out
        frame_a: frame in body a, its origin is the ball's centre
        frame_b: frame in body b, its origin is the ball's centre
        comment: free text
    """

    type: Literal["rod"] = "rod"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "use `revolute_revolute`"


class RevoluteSpherical(Link):
    """A massless link with a hinge on body a and a ball joint on body b. Removes 2 degrees of freedom.

    The ball stays in the plane through `point_a` at a right angle to the axis, at the link's length from `point_a`.

    Fields:
        bodies: names of body a (hinge) and body b (ball)
        point_a [m]: centre of the hinge, in the world at the assembled position
        axis [1]: axis of the hinge in the world, any length
        point_b [m]: centre of the ball, in the world at the assembled position
        length [m]: of the link; that of the given position where left out
        frame_a: frame in body a, its origin is the hinge's centre, z along the axis
        frame_b: frame in body b, its origin is the ball's centre
        comment: free text
    """

    type: Literal["revolute_spherical"] = "revolute_spherical"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    instead: ClassVar[str] = "use `revolute_revolute`"
    axis: Direction | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis", "point_b")
