"""Rack and pinion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.meshes.base import ToothedMesh, angle_issues, positive, tooth_issues
from wheelwork.description.meshes.teeth import CylindricalTeeth
from wheelwork.description.values import Angle, Direction, Length, Number


class RackMesh(CylindricalTeeth, ToothedMesh):
    """A pinion that rolls on a straight rack. Removes 1 degree of freedom.

    The pitch line of the rack is the axis of the prismatic joint that carries it. Its distance from the pinion's axis
    is the pinion's pitch radius, from which the radius follows where it is not given.

    Fields:
        bodies: names of the pinion (a) and the rack (b)
        teeth [1]: of the pinion, a whole number; 1 where left out
        radius [m]: pitch radius of the pinion
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix_angle)
        pressure_angle [rad]: of the normal section
        helix_angle [rad]: of the pinion, positive right-handed
        profile_shift [1]: coefficient of the pinion; the rack's teeth stand back by as much
        face_width [m]: of the teeth that are in mesh
        thickness_allowance [m]: of the teeth of pinion and rack, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of pinion and rack, in modules; negative shortens them
        addendum [1]: of the basic rack, in modules
        dedendum [1]: of the basic rack, in modules
        root_radius [1]: of the basic rack, in modules: the tip radius of the tool
        holds_distance: true if the mesh also holds the pinion at its distance from the pitch line, in planar mechanisms
        joints: names of the joints that carry pinion and rack; found where left out
        point_a [m]: centre of the pinion, in the world at the assembled position
        axis_a [1]: direction of the pinion's axis in the world, any length
        point_b [m]: a point of the rack's pitch line, in the world at the assembled position
        axis_b [1]: direction of the rack's pitch line in the world, any length
        frame_a: frame in body a, origin at the pinion's centre, z along its axis
        frame_b: frame in body b, origin on the rack's pitch line, z along it (x in a planar mechanism)
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
        model: of the teeth: `rigid`, `compliant` or `contact`
        comment: free text
    """

    type: Literal["rack"] = "rack"
    known_in_plane: ClassVar[tuple[str, ...]] = ("axis_a",)
    axis_b: Direction | None = None
    teeth: Number | None = None
    radius: Length | None = None
    module: Length | None = None
    helix_angle: Angle = 0.0
    profile_shift: Number = 0.0
    holds_distance: bool = False

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angle", -60, 60)
        yield from tooth_issues(None if self.teeth is None else (self.teeth,), value)
        yield from positive(self, value, "radius", "module")
        if self.holds_distance and self.model.type != "rigid":
            yield Issue("holds_distance", "is for rigid teeth only", "hold the pinion by a joint")
