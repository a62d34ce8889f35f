"""Worm and wheel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.meshes.base import WheelPair, angle_issues, positive
from wheelwork.description.values import Angle, Length


class WormMesh(WheelPair):
    """A worm and its wheel on axes that cross at a right angle. Removes 1 degree of freedom.

    With z1 threads, z2 teeth, module m and lead angle gamma: pitch diameters d1 = z1 m / tan(gamma) and d2 = z2 m; the
    distance of the axes is (d1 + d2)/2. Two of `module`, `lead_angle`, `diameter` and that distance settle the rest.

    Fields:
        bodies: names of the worm (a) and the wheel (b)
        teeth [1]: threads of the worm and teeth of the wheel, whole numbers; found from the ratio where left out
        radii [m]: pitch radii of worm and wheel
        ratio [1]: teeth of the wheel over threads of the worm; the speed of a over that of b against the carrier
        module [m]: of the worm's axial section: lead = threads * pi * module
        lead_angle [rad]: of the worm's thread at the pitch diameter
        diameter [m]: pitch diameter of the worm
        hand: of the thread, `right` or `left`
        pressure_angle [rad]: of the normal section
        joints: names of the joints that carry worm and wheel; found where left out
        point_a [m]: a point of the worm's axis, in the world at the assembled position
        axis_a [1]: direction of the worm's axis in the world, any length
        point_b [m]: a point of the wheel's axis, in the world at the assembled position
        axis_b [1]: direction of the wheel's axis in the world, any length
        frame_a: frame in body a, origin at the worm's centre, z along its axis
        frame_b: frame in body b, origin at the wheel's centre, z along its axis
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
        model: of the teeth: `rigid`
        comment: free text
    """

    type: Literal["worm"] = "worm"
    kinds: ClassVar[frozenset[str]] = frozenset({SPATIAL})
    lead_angle: Angle | None = None
    diameter: Length | None = None
    hand: Literal["right", "left"] = "right"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "lead_angle", 0, 90)
        yield from positive(self, value, "diameter")
        if self.teeth is None and self.ratio is None:
            yield Issue("teeth", "`teeth` (threads of the worm, teeth of the wheel) or `ratio` is missing")
