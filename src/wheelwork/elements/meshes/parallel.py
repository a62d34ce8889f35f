"""What meshes on parallel axes share: equations, geometry and the shape of the teeth.

With psi_i = -phi_i the turn of wheel i against the line of centres l (phi_i from its x axis to l), and the radius of b
counted negative where the wheels turn the same way (R_b = -r_b):

    g = r_a psi_a + R_b psi_b + tan(beta) l . (r_a z_a + R_b z_b)/(r_a + R_b)

The last term is that of a helix: wheel a moving along its axis turns b like a rack. Its weights are those for which the
axial force acts at P, where the teeth are, and not at a wheel's centre. P divides the line of centres in the ratio of
the radii: P = p_a + l r_a/(r_a + R_b).

The mesh lies in one plane at a right angle to the axes: through the centre of wheel a where that is given, else through
that of wheel b, else through the centre of mass of wheel a (of wheel b, if a is ground).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Self

from wheelwork.description.base import PLANAR, Evaluate, Issue
from wheelwork.description.values import Angle
from wheelwork.elements.meshes.base import Mesh, WheelPair, angle_issues
from wheelwork.elements.meshes.cylindrical import ShiftedTeeth
from wheelwork.equations.frames import Marker
from wheelwork.equations.mesh_equations import Directions, Extras, MeshEquations, modulo
from wheelwork.equations.mesh_rows import (
    along_axis_of_a,
    along_axis_of_b,
    angle_to_centre,
    combination,
    exchanged,
)
from wheelwork.equations.rows import Row, separation
from wheelwork.equations.tooth_section import FlankShape, Section, small_angle
from wheelwork.equations.values import Template
from wheelwork.equations.vector_form import AT_P, AXES, CENTRES, GAMMA, NO_SLIP, VectorForm, legend
from wheelwork.layout.meshes.axes import GIVE_AXES, AxisRequirement, Pair, WheelAxis
from wheelwork.layout.meshes.faults import TOLERANCE, MeshFault, degrees
from wheelwork.layout.meshes.mesh_geometry import MeshGeometry, WheelFrame
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.layout.meshes.shifted import shifted
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass, gears
from wheelwork.lazy import numpy as np


class ParallelGears(ShiftedTeeth, WheelPair):
    """Two toothed wheels on parallel axes.

    Fields:
        helix_angle [rad]: of wheel a, positive right-handed
    """

    variants: ClassVar[tuple[str, ...]] = ("", "helical")
    parallel: ClassVar[bool] = True

    helix_angle: Angle = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angle", -60, 60)

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        return gear_geometry(place, -1 if self.b_is_ring else 1)

    def tooth_shape(self, numbers):
        helix = numbers.value(self.helix_angle)
        return gears.GearPair.of(
            numbers.geometry.teeth,
            numbers.module(helix),
            internal=self.b_is_ring,
            rack=numbers.basic_rack(),
            helix_angle=helix,
            profile_shift=(0.0, 0.0) if self.profile_shift is None else numbers.both("profile_shift"),
            tip_alteration=numbers.both("tip_alteration"),
            thickness_allowance=numbers.both("thickness_allowance"),
            face_width=numbers.value(self.face_width),
            centre_distance=numbers.distance,
        )


def turns_against_centres(a: Marker, b: Marker) -> tuple[Row, Row]:
    """phi_a, phi_b: angles of the line of centres in each wheel (of b to the same direction or its opposite)."""
    return angle_to_centre(a, b), exchanged(angle_to_centre(b, a))


def by_mate(a: Marker, b: Marker, raw: ca.SX, r_a: ca.SX, r_b: ca.SX, turn: ca.SX) -> tuple[ca.SX, ca.SX]:
    """g = -r_a phi_a - R_b phi_b with phi_a - phi_b = -turn - pi over whole turns: it is then known but for whole turns
    of the line of centres, 2 pi (r_a + R_b)."""
    phi_a, phi_b = (row.value for row in turns_against_centres(a, b))
    off = -turn - ca.pi - (phi_a - phi_b)
    return raw + r_b * (off - modulo(off, 2 * ca.pi)), 2 * ca.pi * ca.fabs(r_a + r_b)


class OnParallelAxes(Mesh):
    """What belts, chains, cycloid discs and pins in holes share: parallel axes, from which all sizes follow."""

    parallel: ClassVar[bool] = True
    # Why it has no gear teeth, in words.
    toothless: ClassVar[str] = "there are no gear teeth"

    def tooth_shape(self, numbers) -> Any:
        raise gears.GeometryError(self.toothless)

    @abstractmethod
    def sizes(self, place: MeshPlace, distance: ca.SX) -> tuple[tuple[int, int], dict[str, ca.SX]]:
        """Teeth, and the numbers of the equations, by the distance of the axes."""

    def contact(self, centers: tuple[ca.SX, ca.SX], l: ca.SX) -> ca.SX:
        """Where forces act, in the world."""
        return centers[1]

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        axes = place.axes(AxisRequirement("parallel axes", are_apart))
        centers, l, distance = centers_of(place, axes)
        teeth, numbers = self.sizes(place, distance)
        frames = frames_of(axes, centers, l)
        return place.geometry(axes, frames, teeth, numbers, distance, contact=self.contact(centers, l))

    @classmethod
    def sample_at(cls, x_b: float, kind: str, bodies: tuple[str, str], **fields: Any) -> Self:
        """One of its type for tests, with the axis of b at x_b [m]."""
        if kind == PLANAR:
            return cls(bodies=bodies, point_a=(0, 0), point_b=(x_b, 0), **fields)
        z = (0, 0, 1)
        return cls(bodies=bodies, point_a=(0, 0, 0), axis_a=z, point_b=(x_b, 0, 0), axis_b=z, **fields)


class ParallelEquations(MeshEquations):
    """Wheels on parallel axes, side by side or one around the other."""

    extras = ("r_a", "r_b", "tan_beta", "tan_alpha_t", "pitch", "phase")
    outside = True
    """Whether wheel b is beside a, not around it."""

    def signed(self, x: Extras) -> ca.SX:
        """R_b: radius of b, negative where the wheels turn the same way."""
        return x["r_b"] if self.outside else -x["r_b"]

    def rolled(self, a: Marker, b: Marker, r_a: ca.SX, r_b: ca.SX, tan_beta: ca.SX) -> Row:
        """g with the signed radius R_b."""
        phi_a, phi_b = turns_against_centres(a, b)  # alpha^i = -phi_a, alpha^j = -phi_b, in the sense of (17)
        # Vlasenko, Kasper (5): g = alpha^j r^j + alpha^i r^i; (34) with R_b = -r_b. Its columns are (28), or (36):
        # where |l| = r_a + R_b the T of both angles add up to s = a^i x e^i. In the plane Haug's (3.4.3), with the
        # theta of (3.4.2), is -|l| sin(g/(r_a + r_b)); its Jacobian (3.4.4) is minus this one where g = 0.
        row = combination((-r_a, phi_a), (-r_b, phi_b))
        if self.helical:
            lead = tan_beta / (r_a + r_b)
            row = row.plus(along_axis_of_a(a, b), lead * r_a).plus(along_axis_of_b(a, b), lead * r_b)
        return row

    def rolling(self, a: Marker, b: Marker, x: Extras) -> Row:
        phi_a, phi_b = turns_against_centres(a, b)
        return combination((-x["r_a"] / 2, phi_a), (self.signed(x) / 2, phi_b))

    def angle_of_a(self, a: Marker, b: Marker) -> ca.SX:
        return angle_to_centre(a, b).value

    def unwrapped_by_mate(self, a: Marker, b: Marker, x: Extras, turn: ca.SX) -> tuple[ca.SX, ca.SX]:
        return by_mate(a, b, self.raw(a, b, x), x["r_a"], self.signed(x), turn)

    def clearance(self, a: Marker, b: Marker, x: Extras) -> Row:
        """S |l| - (r_a + R_b), S = -1 where the wheels turn the same way."""
        sign = 1.0 if self.outside else -1.0
        row = combination((sign, separation(a, b)))
        return replace(row, value=row.value - (x["r_a"] + self.signed(x)))

    def contact_point(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        return a.p + (b.p - a.p) * (x["r_a"] / (x["r_a"] + self.signed(x)))

    def directions(self, a: Marker, b: Marker, x: Extras) -> Directions:
        outward = self.contact_point(a, b, x) - a.p
        outward = outward - a.ez * ca.dot(a.ez, outward)  # a wheel may have slid along its axis
        radial = outward / ca.norm_2(outward)
        return Directions(ca.cross(a.ez, radial), radial, a.ez)

    def axial_share(self, x: Extras) -> ca.SX | float:
        return x["tan_beta"] if self.helical else 0.0

    def line_of_action(self, a: Marker, b: Marker, x: Extras, shape: FlankShape) -> Section:
        """Where flanks in contact touch (:mod:`.teeth.section`)."""
        sign = 1 if self.outside else -1
        line = b.p - a.p
        line = line - a.ez * ca.dot(a.ez, line)  # a wheel may have slid along its axis
        square = ca.dot(line, line)
        distance = ca.sqrt(square)
        per_distance = sign / 2 * (2 / distance)  # of 1/distance times anything CasADi makes a division
        outward = line * per_distance
        total = shape.cosine * (x["r_a"] + sign * x["r_b"])
        root = ca.sqrt(ca.fmax(square - total**2, 1e-12 * square))
        cosine, sine = total * per_distance, sign * root * per_distance
        tangent = sign * root
        tip_b = tangent - sign * shape.tip_b
        tan_0 = x["tan_alpha_t"]
        cos_0, sin_0 = shape.cosine, shape.cosine * tan_0
        turned = small_angle(sine * cos_0 - cosine * sin_0, cosine * cos_0 + sine * sin_0)  # alpha - alpha_0
        return Section(
            outward=outward,
            forward=ca.cross(a.ez, outward),
            axis=a.ez,
            cosine=cosine,
            sine=sine,
            angle=shape.angle + turned,
            turned=turned,
            base=x["r_a"] * shape.cosine,
            half=shape.half
            - total * tan_0
            + tangent
            - total * turned,  # in the order in which they are known
            tangent=tangent,
            start=ca.fmax(tip_b, shape.foot_a),
            end=ca.fmin(shape.tip_a, tangent - sign * shape.foot_b),  # Kosenko, Gusev (1)
            tips=(tip_b, shape.tip_a),
            distance=distance,
        )

    def printed(self):
        outside, helical = self.outside, self.helical
        e = ("e", "l/|l|" if outside else "-l/|l|")
        rate = ("e'", f"{'' if outside else '-'}(l' - (e . l') e)/|l|")
        axial, slope = (" - tan(beta) z_a", " - tan(beta) z_a'") if helical else ("", "")
        sign = "+" if outside else "-"
        phi = f"r_a psi_a {sign} r_b psi_b"
        if helical:
            weights = "r_a z_a + r_b z_b" if outside else "r_b z_b - r_a z_a"
            phi += f" + tan(beta) l . ({weights})/({'r_a + r_b' if outside else 'r_b - r_a'})"
        return VectorForm(
            phi,
            NO_SLIP,
            GAMMA,
            (
                *CENTRES,
                e,
                ("P", "p_a + r_a e"),
                ("d", f"z_a x e{axial}"),
                *AT_P,
                AXES[0],
                rate,
                ("P'", "p_a' + r_a e'"),
                ("d'", f"z_a' x e + z_a x e'{slope}"),
            ),
            legend("the line of centres l", ("e", "from a's centre to the contact")),
            "lambda d + abs(lambda) tan(alpha) e",
        )


class SeparateWheelEquations(MeshEquations):
    """Wheels on parallel axes that do not touch: belts, chains, pins in holes. `sense` is 1 where they turn the same
    way."""

    def sense(self, x: Extras) -> ca.SX | int:
        return 1

    def no_slip(self, a: Marker, b: Marker, x: Extras) -> Row:
        phi_a, phi_b = turns_against_centres(a, b)
        return combination((-x["r_a"], phi_a), (self.sense(x) * x["r_b"], phi_b))

    def angle_of_a(self, a: Marker, b: Marker) -> ca.SX:
        return angle_to_centre(a, b).value

    def unwrapped_by_mate(self, a: Marker, b: Marker, x: Extras, turn: ca.SX) -> tuple[ca.SX, ca.SX]:
        return by_mate(a, b, self.raw(a, b, x), x["r_a"], -self.sense(x) * x["r_b"], turn)

    def rolling(self, a: Marker, b: Marker, x: Extras) -> Row:
        phi_a, phi_b = turns_against_centres(a, b)
        return combination((-x["r_a"] / 2, phi_a), (-self.sense(x) * x["r_b"] / 2, phi_b))

    def contact_point(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        return b.p

    def directions(self, a: Marker, b: Marker, x: Extras) -> Directions:
        l = b.p - a.p
        radial = l / ca.norm_2(l)
        return Directions(ca.cross(a.ez, radial), radial, a.ez)


# -- geometry

OF_SIZE = ("teeth", "module", "radii", "ratio", "helix_angle", "pressure_angle")
"""Fields that a pair of gears has its size from."""


def gear_geometry(place: MeshPlace, sign: int) -> MeshGeometry:
    """sign: 1 for wheels side by side, -1 for a pinion in a ring"""
    reader = place.reader
    given = place.once(("angles", sign), OF_SIZE, lambda: _given(place, sign))
    cosines, tan_beta, tan_alpha_t = given.cosines, given.tan_beta, given.tan_alpha_t
    axes = place.axes(AxisRequirement("parallel axes", are_apart, given.distance))
    centers, l, distance = centers_of(place, axes)
    if place.mesh.profile_shift is not None:
        sizes, (r_a, r_b), spread = shifted(place, distance, cosines, sign)
        # working circles: base circles stay, so cos(alpha_wt) = cos(alpha_t)/spread; so does the lead
        tan_alpha_t = ca.sqrt(spread**2 * (1 + tan_alpha_t**2) - 1)
        tan_beta = spread * tan_beta
    else:
        if place.mesh.teeth is not None:
            sizes = place.once("sizes", OF_SIZE, lambda: reader.wheels(cosines))
        else:
            sizes = reader.wheels(cosines, distance, sign)
        r_a, r_b = reader.closed(sizes, distance, cosines, sign)
    numbers = {"r_a": r_a, "r_b": r_b, "tan_beta": tan_beta, "tan_alpha_t": tan_alpha_t}
    return place.geometry(
        axes,
        frames_of(axes, centers, l),
        sizes.teeth,
        {**numbers, "pitch": 2 * ca.pi * r_a / sizes.counts[0]},
        distance,
        contact=centers[0] + (sign * r_a / distance) * l,
        helical=place.is_helical,
    )


@dataclass(frozen=True)
class _KnownSizes:
    """What is known of a pair of gears before its axes are.

    cosines: of the helix angle, for both wheels
    tan_beta, tan_alpha_t: tangents of helix and transverse pressure angle
    distance: of the axes, that teeth and module ask for [m]
    """

    cosines: tuple[ca.SX, ca.SX]
    tan_beta: ca.SX
    tan_alpha_t: ca.SX
    distance: float | None


def _given(place: MeshPlace, sign: int) -> _KnownSizes:
    beta = place.helix_angle()
    cosine = ca.cos(beta)
    cosines = cosine, cosine
    radii = place.reader.given_radii(cosines)
    distance = None if radii is None else place.number(radii[0] + sign * radii[1]) * sign
    return _KnownSizes(cosines, ca.tan(beta), ca.tan(place.pressure_angle) / cosine, distance)


def are_apart(a: WheelAxis, b: WheelAxis) -> bool:
    """Parallel axes that are not one line."""
    return a.is_parallel(b) and a.distance(b) > TOLERANCE * float(np.linalg.norm(b.at - a.at))


def centers_of(place: MeshPlace, axes: Pair) -> tuple[tuple[ca.SX, ca.SX], ca.SX, ca.SX]:
    """Centres of the wheels, the line from a to b, and its length; the axes are checked."""
    a, b = axes
    first, second = place.mesh.bodies
    if not a.is_parallel(b):
        angle = degrees(float(np.arcsin(min(a.sine(b), 1.0))))
        text = f"the axes of `{first}` ({a.source}) and `{second}` ({b.source}) are at {angle}, but must be parallel"
        raise MeshFault(
            text, "turn one of them; wheels whose axes meet are `bevel`, those that cross `crossed`"
        )
    if not are_apart(a, b):
        text = f"`{first}` ({a.source}) and `{second}` ({b.source}) turn about the same axis"
        raise MeshFault(text, "wheels in mesh have axes of their own: move one, or " + GIVE_AXES)
    if not a.center_given and (b.center_given or place.is_ground(0)):
        center_b = place.center(b, 1)
        center_a = a.foot(center_b)
    else:
        center_a = place.center(a, 0)
        center_b = b.foot(center_a)
    l, distance = _LINE(center_a, center_b)
    return (center_a, center_b), l, distance


_LINE = Template(lambda a, b: [b - a, ca.norm_2(b - a)])


def frames_of(axes: Pair, centers: tuple[ca.SX, ca.SX], l: ca.SX) -> tuple[WheelFrame, WheelFrame]:
    z_a, z_b = (axis.direction for axis in axes)
    same_sense = ca.sign(ca.dot(z_a, z_b))
    return WheelFrame(centers[0], z_a, l), WheelFrame(centers[1], same_sense * z_b, l)
