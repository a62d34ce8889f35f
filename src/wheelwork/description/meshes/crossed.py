"""Crossed helical wheels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.meshes.base import WheelPair, angle_issues
from wheelwork.description.values import Angle


class CrossedMesh(WheelPair):
    """Two helical wheels on axes that cross without meeting. Removes 1 degree of freedom.

    The axes cross at the sum of the helix angles. Sized by `teeth` and `module`; or by `radii`; or by `teeth` or
    `ratio` alone, the radii then following from the distance of the axes. That distance is the sum of the pitch radii.

    Fields:
        bodies: names of wheel a and wheel b
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        radii [m]: pitch radii of wheel a and wheel b
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix angle)
        helix_angles [rad]: of wheel a and wheel b, positive right-handed
        pressure_angle [rad]: of the normal section
        joints: names of the joints that carry wheel a and wheel b; found where left out
        point_a [m]: a point of wheel a's axis, in the world at the assembled position
        axis_a [1]: direction of wheel a's axis in the world, any length
        point_b [m]: a point of wheel b's axis, in the world at the assembled position
        axis_b [1]: direction of wheel b's axis in the world, any length
        frame_a: frame in body a, origin at the wheel's centre, z along its axis
        frame_b: frame in body b, origin at the wheel's centre, z along its axis
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
        model: of the teeth: `rigid`
        comment: free text
    """

    type: Literal["crossed"] = "crossed"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    helix_angles: tuple[Angle, Angle]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angles", -90, 90)
