"""External mesh: spur and helical wheels on parallel axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.meshes.base import WheelPair, angle_issues
from wheelwork.description.meshes.teeth import ShiftedTeeth
from wheelwork.description.values import Angle


class ExternalMesh(ShiftedTeeth, WheelPair):
    """Two spur or helical wheels on parallel axes that turn against each other. Removes 1 degree of freedom.

    Sized by `teeth` and `module`; or by `radii`; or by `teeth` or `ratio` alone, the radii then following from the
    distance of the axes. That distance is the sum of the pitch radii, or with `profile_shift` at least the one at
    which the shifted teeth just mesh.

    Fields:
        bodies: names of wheel a and wheel b
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        radii [m]: pitch radii of wheel a and wheel b
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix_angle)
        pressure_angle [rad]: of the normal section
        helix_angle [rad]: of wheel a, positive right-handed; wheel b has the opposite hand
        profile_shift [1]: coefficients of wheel a and wheel b
        face_width [m]: of the teeth that are in mesh
        thickness_allowance [m]: of the teeth of wheel a and wheel b, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of wheel a and wheel b, in modules; negative shortens them
        addendum [1]: of the basic rack, in modules
        dedendum [1]: of the basic rack, in modules
        root_radius [1]: of the basic rack, in modules: the tip radius of the tool
        joints: names of the joints that carry wheel a and wheel b; found where left out
        point_a [m]: centre of wheel a, in the world at the assembled position
        axis_a [1]: direction of wheel a's axis in the world, any length
        point_b [m]: a point of wheel b's axis, in the world at the assembled position
        axis_b [1]: direction of wheel b's axis in the world, any length
        frame_a: frame in body a, origin at the wheel's centre, z along its axis
        frame_b: frame in body b, origin at the wheel's centre, z along its axis
        efficiency [1]: power that leaves the mesh over power that enters it, more than 0 and at most 1
        friction [1]: coefficient of friction between the teeth; instead of `efficiency`
        model: of the teeth: `rigid`, `compliant` or `contact`
        comment: free text
    """

    type: Literal["external"] = "external"
    helix_angle: Angle = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angle", -60, 60)
