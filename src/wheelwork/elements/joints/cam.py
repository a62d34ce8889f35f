"""Cams: bodies that touch along given outlines.

The two bodies turn about parallel axes (or slide across them), which other joints see to; in space the cam removes 1
degree of freedom in the plane of the outline and says nothing about the rest. The outline's frame has its origin at
the cam's centre and z along the cam's axis. Contact is kept both ways: a follower that would lift off is pulled
back, and the sign of the contact force shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Axis, Direction, Point
from wheelwork.elements.joints.base import Joint


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
    world = ("point_a", "axis", "reference_a", "point_b")
    optional = ("reference_a",)
    known_in_plane = ("axis",)
    symbol = ("", "")
    # Whether its curve may be open, as a slot is.
    follows_open_curves: ClassVar[bool] = False

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name in ("outline", "outline_a", "outline_b"):
            outline = getattr(self, name, None)
            if outline is not None and not outline.closed and not self.follows_open_curves:
                text = "a cam has a closed outline; an open curve is for `cam_point`"
                yield Issue(f"{name}.closed", text)
