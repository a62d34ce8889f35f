"""Bevel mesh: wheels on axes that meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.meshes.base import WheelPair, angle_issues
from wheelwork.description.values import Angle, Length


class BevelMesh(WheelPair):
    """Two bevel wheels whose axes meet in the common apex, at any angle. Removes 1 degree of freedom.

    The cone angles follow from the ratio and the angle between the axes. The size follows from `module` or `radii`;
    where neither is given, the centre of wheel a (its `point_a`, or where its centre of mass is) says how far from the
    apex the teeth are.

    Fields:
        bodies: names of wheel a and wheel b
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        radii [m]: pitch radii of wheel a and wheel b at the outer ends of the teeth
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: pitch diameter over teeth at the outer ends of the teeth
        face_width [m]: length of the teeth; their force acts in the middle of it
        pressure_angle [rad]: of the normal section
        spiral_angle [rad]: in the middle of the teeth of wheel a, positive right-handed; wheel b has the opposite hand
        joints: names of the joints that carry wheel a and wheel b; found where left out
        point_a [m]: centre of wheel a, in the world at the assembled position
        axis_a [1]: direction of wheel a's axis in the world, any length
        point_b [m]: centre of wheel b, in the world at the assembled position
        axis_b [1]: direction of wheel b's axis in the world, any length
        frame_a: frame in body a, origin at the wheel's centre, z along its axis
        frame_b: frame in body b, origin at the wheel's centre, z along its axis
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
        model: of the teeth: `rigid`
        comment: free text
    """

    type: Literal["bevel"] = "bevel"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    face_width: Length = 0.0
    spiral_angle: Angle = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "spiral_angle", -60, 60)
        width = value(self.face_width)
        if width is not None and width < 0:
            yield Issue("face_width", f"must not be negative, but is {width:g} m")
        if width and self.module is None and self.radii is None:
            yield Issue("face_width", "`module` or `radii` is missing beside `face_width`")
