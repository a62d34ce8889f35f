"""Screw joint (lead screw, nut on a thread)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.joints.base import AxisJoint
from wheelwork.description.values import Lead


class Screw(AxisJoint):
    """Body b turns about an axis of body a and advances by `lead` each turn. Removes 5 degrees of freedom.

    Coordinates: `angle` about the axis and `displacement` along it; displacement = lead * angle / (2 pi).

    Fields:
        bodies: names of body a and body b
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length
        lead [m]: advance a turn; positive for a right-hand thread, negative for a left-hand one
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
        comment: free text
    """

    type: Literal["screw"] = "screw"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    lead: Lead
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if value(self.lead) == 0:
            yield Issue("lead", "must not be zero", "a screw without lead is a revolute joint")
