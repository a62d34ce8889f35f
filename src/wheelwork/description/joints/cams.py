"""Cams: bodies that touch along given outlines.

The two bodies turn about parallel axes (or slide across them), which other joints see to; in space the cam removes 1
degree of freedom in the plane of the outline and says nothing about the rest. The outline's frame has its origin at
the cam's centre and z along the cam's axis. Contact is kept both ways: a follower that would lift off is pulled
back, and the sign of the contact force shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.joints.base import Joint
from wheelwork.description.outline import AnyOutline
from wheelwork.description.values import Axis, CurveParameter, Direction, Length, Point


class Cam(Joint):
    """What cams share: the outline on body a and its frame.

    Fields:
        point_a [m]: centre of the cam, in the world at the assembled position
        axis [1]: of the cam, at a right angle to the outline, in the world, any length
        reference_a [1]: direction of the outline's x axis in the world; that of body a where left out
        point_b [m]: point of body b, in the world at the assembled position
    """

    point_a: Point | None = None
    axis: Axis | None = None
    reference_a: Direction | None = None
    point_b: Point | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis", "reference_a", "point_b")
    optional: ClassVar[tuple[str, ...]] = ("reference_a",)
    known_in_plane: ClassVar[tuple[str, ...]] = ("axis",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name in ("reference_a", "reference_b", "direction"):
            vector = getattr(self, name, None)
            if vector is not None and is_zero(numbers(vector, value)):
                yield Issue(name, "must not be zero: it has no direction")
        for name in ("outline", "outline_a", "outline_b"):
            outline = getattr(self, name, None)
            if outline is not None and not outline.closed and not isinstance(self, CamPoint):
                text = "a cam has a closed outline; an open curve is for `cam_point`"
                yield Issue(f"{name}.closed", text)


class CamFlat(Cam):
    """A cam on body a pushes a flat face of body b. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a (the cam) and body b (the follower)
        outline: of the cam
        point_a [m]: centre of the cam, in the world at the assembled position
        axis [1]: of the cam, at a right angle to the outline, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of the outline's x axis in the world; that of body a's x axis where left out
        point_b [m]: a point of the face, in the world at the assembled position
        direction [1]: direction of the face in the plane of the outline, in the world, any length
        frame_a: frame in body a, the outline in its x-y plane
        frame_b: frame in body b, its origin on the face, x along the face, z along the cam's axis
        start [1]: curve parameter of the contact at the given position; the nearest where left out
        comment: free text
    """

    type: Literal["cam_flat"] = "cam_flat"
    outline: AnyOutline
    direction: Direction | None = None
    start: CurveParameter | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis", "reference_a", "point_b", "direction")


class CamCam(Cam):
    """A cam on body a rolls and slides on a cam of body b. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a and body b
        outline_a: of the cam on body a
        outline_b: of the cam on body b
        point_a [m]: centre of the cam on body a, in the world at the assembled position
        axis [1]: of both cams, at a right angle to the outlines, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of outline a's x axis in the world; that of body a's x axis where left out
        point_b [m]: centre of the cam on body b, in the world at the assembled position
        reference_b [1]: direction of outline b's x axis in the world; that of body b's x axis where left out
        frame_a: frame in body a, the outline in its x-y plane
        frame_b: frame in body b, the outline in its x-y plane
        start_a [1]: curve parameter of the contact on a at the given position; the nearest where left out
        start_b [1]: curve parameter of the contact on b at the given position; the nearest where left out
        comment: free text
    """

    type: Literal["cam_cam"] = "cam_cam"
    outline_a: AnyOutline
    outline_b: AnyOutline
    reference_b: Direction | None = None
    start_a: CurveParameter | None = None
    start_b: CurveParameter | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "axis", "reference_a", "point_b", "reference_b")
    optional: ClassVar[tuple[str, ...]] = ("reference_a", "reference_b")


class CamPoint(Cam):
    """A point of body b, or the centre of a roller on it, follows a curve of body a. Removes 1 degree of freedom.

    The curve is the profile of a cam, or the centre line of a slot or groove, which may be open.

    Fields:
        bodies: names of body a (the curve) and body b (the point)
        outline: the curve
        radius [m]: of the roller; 0 is a knife edge, or a pin on the centre line of its slot
        point_a [m]: origin of the curve, in the world at the assembled position
        axis [1]: at a right angle to the curve, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of the curve's x axis in the world; that of body a's x axis where left out
        point_b [m]: the point or the roller's centre, in the world at the assembled position
        frame_a: frame in body a, the curve in its x-y plane
        frame_b: frame in body b, its origin is the point
        start [1]: curve parameter of the contact at the given position; the nearest where left out
        comment: free text
    """

    type: Literal["cam_point"] = "cam_point"
    outline: AnyOutline
    radius: Length = 0.0
    start: CurveParameter | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        radius = value(self.radius)
        if radius is not None and radius < 0:
            yield Issue(
                "radius", f"must not be negative, but is {radius:g} m", "use 0 for a knife edge or a pin"
            )
