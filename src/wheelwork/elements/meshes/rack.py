"""Rack and pinion: pinion a rolls on the pitch line of rack b.

Position level (Vlasenko, Kasper, (37) and (40) with their words for rack and pinion exchanged, angle as in (17)):

    g = r_a psi_a + x_b . (p_a - p_b) - tan(beta) (z_b . (p_a - p_b) + r_a z_a . y_b)

psi_a = -phi_a, phi_a from a's x axis to -y_b, the direction from the pinion to the pitch line. The term of the helix
has r_a z_a . y_b, which vanishes where the axes are parallel, so that the axial force acts at P.

Velocity level, with closed geometry (y_b . (p_a - p_b) = r_a), their (41) with its sign of p^i put right:

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = x_b - tan(beta) z_b,   P = p_a - r_a y_b

    r_a           pitch radius of the pinion                                       m
    tan_beta      of the helix angle of the pinion, positive right-handed          1
    tan_alpha_t   of the transverse pressure angle                                 1
    pitch         2 pi r_a/z_a                                                     m
    phase         raw g at the given position                                      m

Markers: a at the pinion's centre; b anywhere on the pitch line, with z along z_a, y towards the pinion, x = y x z along
the line. Tooth force on b: F_t x_b - F_t tan(beta) z_b - |F_t| tan(alpha_t) y_b.

In the plane a rack may hold its distance as well (`rack:height`; Haug, sec. 3.4): second row
y_b . (p_a - p_b) - r_a = 0, for a pinion that no other joint keeps on the pitch line. Its multiplier pulls the two
together.

The pitch line is the axis of the joint on which the rack slides, or is given by `point_b` and `axis_b`. The mesh lies
in the plane at a right angle to the pinion's axis through its centre, which is given or where its centre of mass is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Angle, Direction, Length, Number
from wheelwork.elements.meshes.base import ToothedMesh, angle_issues, phase_issues, tooth_issues
from wheelwork.elements.meshes.cylindrical import CylindricalTeeth
from wheelwork.equations.mesh_equations import Directions, MeshEquations, about, along
from wheelwork.equations.mesh_rows import angle_to_direction, combination, exchanged
from wheelwork.equations.rows import offset_along, perpendicular
from wheelwork.equations.tooth_section import Section
from wheelwork.equations.vector_form import AT_P, CENTRES, GAMMA, NO_SLIP, WHEELS, VectorForm
from wheelwork.layout.meshes.axes import AxisRequirement, WheelAxis
from wheelwork.layout.meshes.faults import TOLERANCE, MeshFault, agree, degrees, millimetres
from wheelwork.layout.meshes.mesh_geometry import MeshGeometry, WheelFrame
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np


class RackMesh(CylindricalTeeth, ToothedMesh):
    """A pinion that rolls on a straight rack. Removes 1 degree of freedom.

    The pitch line of the rack is the axis of the prismatic joint that carries it. Its distance from the pinion's axis
    is the pinion's pitch radius, from which the radius follows where it is not given.

    Fields:
        bodies: names of the pinion (a) and the rack (b)
        teeth [1]: of the pinion, a whole number; 1 where left out
        radius [m]: pitch radius of the pinion
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix_angle)
        helix_angle [rad]: of the pinion, positive right-handed
        profile_shift [1]: coefficient of the pinion; the rack's teeth stand back by as much
        thickness_allowance [m]: of the teeth of pinion and rack, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of pinion and rack, in modules; negative shortens them
        phase [rad and m]: where pinion and rack touch each other, in the middle of a tooth of the pinion and of a space
            of the rack: direction from the pinion's centre, from the x axis of its body about its axis, and place on
            the pitch line, from the foot of the rack body's origin along the line; as they stand where left out
        holds_distance: true if the mesh also holds the pinion at its distance from the pitch line, in planar mechanisms
        point_b [m]: a point of the rack's pitch line, in the world at the assembled position
        axis_b [1]: direction of the rack's pitch line in the world, any length
        frame_b: frame in body b, origin on the rack's pitch line, z along it (x in a planar mechanism)
        model: of the teeth: `rigid`, `compliant` or `contact`
    """

    type: Literal["rack"] = "rack"
    known_in_plane = ("axis_a",)
    axis_b: Direction | None = None
    teeth: Number | None = None
    radius: Length | None = None
    module: Length | None = None
    helix_angle: Angle = 0.0
    profile_shift: Number = 0.0
    phase: tuple[Angle, Length] | None = None
    holds_distance: bool = False
    variants = ("", "helical", "height")
    b_is_rack = True
    positive = ("radius", "module")

    @property
    def turns_same_way(self) -> bool:
        return True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angle", -60, 60)
        yield from tooth_issues(None if self.teeth is None else (self.teeth,), value)
        yield from phase_issues(self)
        if self.holds_distance and self.model.equations() is not None:
            yield Issue("holds_distance", "is for rigid teeth only", "hold the pinion by a joint")

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        if self.holds_distance and not place.planar:
            text = "is for planar mechanisms: in space the joints hold the pinion at its distance"
            raise MeshFault(text, field="holds_distance")
        beta = place.helix_angle()
        radius = _given_radius(place, beta)
        known = None if radius is None else place.number(radius)
        axes = place.axes(
            AxisRequirement(
                "axes at a right angle", _are_square, known, slides=True, free=self.holds_distance
            )
        )
        pinion, line = axes
        center = place.center(pinion, 0)
        toward, distance = _to_line(place, pinion, line, center)
        radius = distance if radius is None else _checked(place, radius, distance, line)
        whole, count = _teeth(place, radius, beta)
        z, y = pinion.direction, -toward
        contact = center + radius * toward
        return place.geometry(
            axes,
            (WheelFrame(center, z, toward), WheelFrame(contact, z, ca.cross(y, z))),
            (whole, 0),
            {
                "r_a": radius,
                "tan_beta": ca.tan(beta),
                "tan_alpha_t": ca.tan(place.pressure_angle) / ca.cos(beta),
                "pitch": 2 * ca.pi * radius / count,
            },
            distance,
            contact=contact,
            helical=place.is_helical,
            holds_distance=self.holds_distance,
        )

    def tooth_shape(self, numbers):
        helix, width = numbers.value(self.helix_angle), numbers.value(self.face_width)
        allowance, tips = numbers.both("thickness_allowance"), numbers.both("tip_alteration")
        pinion = gears.Gear(
            numbers.geometry.teeth[0],
            numbers.module(helix),
            rack=numbers.basic_rack(),
            helix_angle=helix,
            profile_shift=numbers.value(self.profile_shift),
            tip_alteration=tips[0],
            thickness_allowance=allowance[0],
            face_width=width,
        )
        return gears.RackPair(
            pinion, rack_tip_alteration=tips[1], rack_thickness_allowance=allowance[1], rack_face_width=width
        )

    class Equations(MeshEquations):
        extras = ("r_a", "tan_beta", "tan_alpha_t", "pitch", "phase")

        def __init__(self, type):
            super().__init__(type)
            self.holds_distance = type.endswith(":height")
            self.row_names = ("mesh", "height") if self.holds_distance else ("mesh",)

        def no_slip(self, a, b, x):
            r_a = x["r_a"]
            # Vlasenko, Kasper (37): g = d^j - alpha^i r^i with d^j of (40), which is (39) along a^j = x_b; alpha^i of
            # (15) is phi_a, against the sense of (17). Its columns are (41) with the sign of p^i = -r_a y_b put right.
            row = combination(
                (-r_a, angle_to_direction(a, b, -b.ey)), (1.0, exchanged(offset_along(b, b.ex, a)))
            )
            if self.helical:
                row = row.plus(exchanged(offset_along(b, b.ez, a)), -x["tan_beta"])
                row = row.plus(perpendicular(a, a.ez, b, b.ey), -x["tan_beta"] * r_a)
            return row

        def rolling(self, a, b, x):
            along = exchanged(offset_along(b, b.ex, a))
            return combination((-x["r_a"] / 2, angle_to_direction(a, b, -b.ey)), (-0.5, along))

        def contact_point(self, a, b, x):
            return a.p - x["r_a"] * b.ey

        def directions(self, a, b, x):
            return Directions(b.ex, -b.ey, b.ez)

        def axial_share(self, x) -> ca.SX | float:
            return x["tan_beta"] if self.helical else 0.0

        def clearance(self, a, b, x):
            # ME451, rack and pinion (Haug, sec. 3.4), second row: (r_j^P - r_i^P)^T v_i^perp - v_i R_j, with |v_i| = 1
            row = exchanged(offset_along(b, b.ey, a))
            return replace(row, value=row.value - x["r_a"])

        def equations(self, a, b, x, turn=None, against="carrier"):
            rows = super().equations(a, b, x, turn, against)
            return [*rows, self.clearance(a, b, x)] if self.holds_distance else rows

        def wheel_forces(self, a, b, x, force, **spread):
            """The rack is a wheel with its axis far away: outward from it is y_b, wherever the pinion stands."""
            total = self.tooth_force(a, b, x, force, **spread)
            on_pinion = about(a, self.contact_point(a, b, x), -total)
            return ca.vertcat(*on_pinion), ca.vertcat(*along(b.ez, b.ey, total))

        def friction_forces(self, a, b, x, friction):
            row = self.rolling(a, b, x)
            on_a = ca.dot(a.ez, row.a_angular - ca.cross(a.s, row.a_linear)) / x["r_a"]
            return ca.vertcat(friction * on_a, 0, 0), ca.vertcat(*along(b.ez, b.ey, friction * row.b_linear))

        def line_of_action(self, a, b, x, shape):
            cosine, sine = shape.cosine, x["tan_alpha_t"] * shape.cosine
            distance = ca.dot(b.ey, a.p - b.p)
            apart = distance - x["r_a"]
            tip_b = shape.tip_b + apart / sine
            return Section(
                outward=-b.ey,
                forward=b.ex,
                axis=b.ez,
                cosine=cosine,
                sine=sine,
                angle=shape.angle,
                turned=ca.SX(0),
                base=x["r_a"] * cosine,
                half=shape.half + apart * sine,
                tangent=None,
                start=ca.fmax(tip_b, shape.foot_a),
                end=ca.fmin(shape.tip_a, shape.foot_b + apart / sine),  # as Kosenko, Gusev (1)
                tips=(tip_b, shape.tip_a),
                distance=distance,
            )

        def printed(self):
            helical = self.helical
            axial = " - tan(beta) ez_b" if helical else ""
            phi = "r_a psi_a - l . ex_b" + (" - tan(beta) (r_a z_a . ey_b - l . ez_b)" if helical else "")
            return VectorForm(
                phi,
                NO_SLIP,
                GAMMA,
                (
                    *CENTRES,
                    ("P", "p_a - r_a ey_b"),
                    ("d", f"ex_b{axial}"),
                    *AT_P,
                    ("P'", "p_a' - r_a w_b x ey_b"),
                    ("d'", "w_b x d"),
                ),
                (
                    ("p_a", "centre of the pinion"),
                    ("z_a", "its axis, a unit vector"),
                    ("p_b", "a point of the rack's pitch line"),
                    (
                        "ex_b, ey_b, ez_b",
                        "unit vectors of the rack: along the pitch line, towards the pinion, along the teeth",
                    ),
                    *WHEELS[2:],
                    ("psi_a", "turn of the pinion against the rack, in the positive sense about its axis"),
                ),
                "lambda d - abs(lambda) tan(alpha) ey_b",
            )


def _are_square(pinion: WheelAxis, line: WheelAxis) -> bool:
    return abs(float(pinion.along @ line.along)) <= TOLERANCE


def _to_line(place: MeshPlace, pinion: WheelAxis, line: WheelAxis, center: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Direction from the pinion's centre to the pitch line, and its distance; the lines are checked."""
    first, second = place.mesh.bodies
    where = f"the pitch line of `{second}` ({line.source})"
    if not _are_square(pinion, line):
        cosine = min(abs(float(pinion.along @ line.along)), 1.0)
        text = (
            f"{where} and the axis of `{first}` ({pinion.source}) are at {degrees(float(np.arccos(cosine)))}"
        )
        raise MeshFault(f"{text}, but must be at a right angle", "turn one of them")
    gap = line.point - center
    for direction in (line.direction, pinion.direction):
        gap = gap - direction * ca.dot(direction, gap)
    if pinion.distance(line) <= max(TOLERANCE * float(np.linalg.norm(line.at - pinion.at)), place.smallest):
        text = (
            f"{where} goes through the axis of `{first}` ({pinion.source}), but must touch its pitch circle"
        )
        raise MeshFault(
            text, "move the point that the pitch line goes through, or give `point_b` and `axis_b`"
        )
    distance = ca.norm_2(gap)
    return gap / distance, distance


def _given_radius(place: MeshPlace, beta: ca.SX) -> ca.SX | None:
    """As given, or teeth * module/(2 cos beta)."""
    reader, n = place.reader, place.number
    radius, module, teeth = (reader.value(name) for name in ("radius", "module", "teeth"))
    if module is None or teeth is None:
        return radius
    made = teeth * module / (2 * ca.cos(beta))
    if radius is not None and not agree(n(radius), n(made)):
        text = (
            f"{n(teeth):.0f} teeth and a module of {millimetres(n(module))} make a pitch radius of "
            f"{millimetres(n(made))}, but `radius` is {millimetres(n(radius))}"
        )
        wanted = millimetres(n(module) * n(radius) / n(made))
        raise MeshFault(text, f"leave out `radius`, or use a module of {wanted}", "radius")
    return made


def _checked(place: MeshPlace, radius: ca.SX, distance: ca.SX, line: WheelAxis) -> ca.SX:
    n, (first, second) = place.number, place.mesh.bodies
    if not abs(n(radius) - n(distance)) <= TOLERANCE * n(distance):
        text = (
            f"the pitch line of `{second}` ({line.source}) is {millimetres(n(distance))} from the axis of `{first}`, "
            f"but the pitch radius is {millimetres(n(radius))}"
        )
        hint = f"move the pitch line to {millimetres(n(radius))}, or give its place by `point_b` and `axis_b`"
        module = place.reader.value("module")
        if module is not None:
            wanted = millimetres(n(module) * n(distance) / n(radius))
            hint += f", or use a module of {wanted}"
        raise MeshFault(text, hint)
    return radius


def _teeth(place: MeshPlace, radius: ca.SX, beta: ca.SX) -> tuple[int, ca.SX]:
    """Teeth of the pinion: given, or from module and radius; else 1, the pitch being the circumference."""
    n, teeth, module = place.number, place.reader.value("teeth"), place.reader.value("module")
    if teeth is None and module is not None:
        count = 2 * n(radius) * n(ca.cos(beta)) / n(module)
        if round(count) < 1 or not agree(count, round(count)):
            text = (
                f"a module of {millimetres(n(module))} and a pitch radius of {millimetres(n(radius))} make "
                f"{count:.9g} teeth, which is not a whole number"
            )
            raise MeshFault(text, "give `teeth`, or another module", "module")
        teeth = ca.SX(round(count))
    teeth = ca.SX(1) if teeth is None else teeth
    return round(n(teeth)), teeth
