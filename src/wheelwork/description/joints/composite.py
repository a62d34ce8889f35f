"""Composite joints of the plane: a massless link or slider between two bodies, which saves a body and a joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import PLANAR
from wheelwork.description.joints.base import Joint
from wheelwork.description.joints.distance import Link
from wheelwork.description.values import Direction, Length, Point


class RevoluteRevolute(Link):
    """A massless rod with a pin at each end. In the plane only; removes 1 degree of freedom.

    Fields:
        bodies: names of body a and body b
        point_a [m]: pin on body a, in the world at the assembled position
        point_b [m]: pin on body b, in the world at the assembled position
        length [m]: of the rod; that of the given position where left out
        frame_a: frame in body a, its origin is the pin
        frame_b: frame in body b, its origin is the pin
        comment: free text
    """

    type: Literal["revolute_revolute"] = "revolute_revolute"
    kinds: ClassVar[frozenset[str]] = frozenset({PLANAR})
    instead: ClassVar[str] = "use `rod`"


class RevoluteTranslational(Joint):
    """A massless block slides on a line of body a and carries a pin of body b.

    In the plane only; removes 1 degree of freedom. The pin keeps its distance from the line. The coordinate
    `displacement` is the way of the pin along the line, from `point_a`.

    Fields:
        bodies: names of body a (the line) and body b (the pin)
        point_a [m]: a point of the line, in the world at the assembled position
        axis [1]: direction of the line in the world, any length
        point_b [m]: the pin, in the world at the assembled position
        distance [m]: of the pin from the line, positive on its left seen along `axis`; that of the given position where
            left out
        frame_a: frame in body a, its origin on the line, x along it
        frame_b: frame in body b, its origin is the pin
        comment: free text
    """

    type: Literal["revolute_translational"] = "revolute_translational"
    kinds: ClassVar[frozenset[str]] = frozenset({PLANAR})
    coordinates: ClassVar[tuple[str, ...]] = ("displacement",)
    point_a: Point | None = None
    axis: Direction | None = None
    point_b: Point | None = None
    distance: Length | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis", "point_b")
