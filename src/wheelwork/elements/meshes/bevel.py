"""Bevel mesh: wheels on axes that meet at the apex O, at any angle.

Position level (Vlasenko, Kasper, (32), and the distance of the axes):

    g = r_a psi_a + r_b psi_b - l . n/|n|,   n = z_a x z_b

psi_a = -phi_a, phi_a from a's x axis to the projection of z_b; psi_b likewise to that of z_a. Without the last term
the tooth force would be in the row as its moment about the apex alone: a couple on each wheel. With it, which vanishes
where the axes meet, G^T F_t is the force itself, at P, and the bearings see it.

Velocity level, with closed geometry: their (28) with s of (33),

    G^T = (t; (P - x_a) x t; -t; -(P - x_b) x t),   t = n/|n|
    P = p_a + r_a e_a = p_b + r_b e_b,   e_a = (z_b - c z_a)/|n|,   e_b = (z_a - c z_b)/|n|,   c = z_a . z_b
    P - O = (r_b z_a + r_a z_b)/|n|

    r_a, r_b      pitch radii at P, both positive                                            m
    tan_spiral    of the spiral angle of a at P, positive right-handed (b has the opposite)  1
    tan_alpha_t   tan(alpha_n)/cos(spiral angle)                                             1
    pitch         2 pi r_a/z_a = 2 pi r_b/z_b                                                m
    phase         raw g at the given position                                                m

Markers: origins where planes through P at a right angle to the axes meet these; z_a, z_b from the apex towards the
teeth, which is to say, such that r_a = z_b . l/|n| and r_b = -z_a . l/|n| are both positive. Then P - O lies between
z_a and z_b, at the cone angles delta_a and delta_b with delta_a + delta_b = the angle between z_a and z_b; a cone angle
of more than 90 deg is that of an internal bevel wheel.

Tooth force on b, with f = (P - O)/|P - O| along the cones' common line and N = t x f normal to the cones, from a into
b: F_t t - F_t tan(spiral) f + |F_t| tan(alpha_t) N. On wheel a, in its own directions, this is the text-book's

    radial  (inward)           |F_t| tan(alpha_t) cos(delta_a) - F_t tan(spiral) sin(delta_a)
    axial   (from the apex)    |F_t| tan(alpha_t) sin(delta_a) + F_t tan(spiral) cos(delta_a)

A spiral angle is in the force only: its part along f is not part of the row, but of `separating`.

Geometry. With u_a, u_b the directions from O to the wheels, sigma the angle between them and k = z_b/z_a::

    tan(delta_a) = sin(sigma)/(k + cos(sigma))        delta_b = sigma - delta_a
    f = (u_a sin(delta_b) + u_b sin(delta_a))/sin(sigma)       along the common line of the pitch cones
    P = O + R f,   r_i = R sin(delta_i),   centres O + R cos(delta_i) u_i

r_i = |a_j . l|/|a_i x a_j| of the paper, below (31), follows from the centres. R is r_a/sin(delta_a) with the radius
given or from the module, minus half the face width, since the force acts in the middle of the teeth. Where no size is
given, wheel a's centre gives it: R = d_a/cos(delta_a), d_a its distance from the apex.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.values import Angle, Length
from wheelwork.elements.meshes.base import WheelPair, angle_issues
from wheelwork.equations.mesh_equations import Directions, MeshEquations
from wheelwork.equations.mesh_rows import (
    angle_to_direction,
    angles_to_the_other_axis,
    combination,
    distance_of_axes,
)
from wheelwork.equations.vector_form import AT_P, AXES, CENTRES, GAMMA, NO_SLIP, VectorForm, legend
from wheelwork.layout.meshes.axes import AxisRequirement, Pair, WheelAxis, nearest_points
from wheelwork.layout.meshes.faults import TOLERANCE, MeshFault, degrees, millimetres
from wheelwork.layout.meshes.mesh_geometry import MeshGeometry, WheelFrame
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np


class BevelMesh(WheelPair):
    """Two bevel wheels whose axes meet in the common apex, at any angle. Removes 1 degree of freedom.

    The cone angles follow from the ratio and the angle between the axes. The size follows from `module` or `radii`;
    where neither is given, the centre of wheel a (its `point_a`, or where its centre of mass is) says how far from the
    apex the teeth are.

    Fields:
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        radii [m]: pitch radii of wheel a and wheel b at the outer ends of the teeth
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: pitch diameter over teeth at the outer ends of the teeth
        face_width [m]: length of the teeth; their force acts in the middle of it
        spiral_angle [rad]: in the middle of the teeth of wheel a, positive right-handed; wheel b has the opposite hand
        point_a [m]: centre of wheel a, in the world at the assembled position
        point_b [m]: centre of wheel b, in the world at the assembled position
        model: of the teeth: `rigid`
    """

    type: Literal["bevel"] = "bevel"
    kinds = frozenset({SPATIAL})
    face_width: Length = 0.0
    spiral_angle: Angle = 0.0
    not_negative = ("face_width",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "spiral_angle", -60, 60)
        if value(self.face_width) and self.module is None and self.radii is None:
            yield Issue("face_width", "`module` or `radii` is missing beside `face_width`")

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        axes = place.axes(AxisRequirement("axes that meet", place.meet))
        apex = _apex(place, axes)
        (d_a, u_a), (d_b, u_b) = (_outward(place, axis, side, apex) for side, axis in enumerate(axes))
        sizes = place.reader.wheels()
        cosine, sine = ca.dot(u_a, u_b), ca.norm_2(ca.cross(u_a, u_b))
        delta_a = ca.atan2(sine, sizes.ratio + cosine)
        delta_b = ca.atan2(sine, 1 / sizes.ratio + cosine)
        _check_cones(place, (delta_a, delta_b))
        if sizes.radii is not None:
            R = _in_the_middle(place, sizes.radii[0] / ca.sin(delta_a))
        else:
            R = d_a / ca.cos(delta_a)
            _check_centers(place, axes, d_b, R * ca.cos(delta_b), d_a)
        f = (u_a * ca.sin(delta_b) + u_b * ca.sin(delta_a)) / sine
        r_a = R * ca.sin(delta_a)
        r_b = r_a * sizes.ratio
        spiral = place.value(self.spiral_angle)
        wheels = tuple(
            WheelFrame(apex + R * ca.cos(delta) * u, u, f) for u, delta in ((u_a, delta_a), (u_b, delta_b))
        )
        return place.geometry(
            axes,
            (wheels[0], wheels[1]),
            sizes.teeth,
            {
                "r_a": r_a,
                "r_b": r_b,
                "tan_spiral": ca.tan(spiral),
                "tan_alpha_t": ca.tan(place.pressure_angle) / ca.cos(spiral),
                "pitch": 2 * ca.pi * r_a / sizes.counts[0],
            },
            ca.SX(0),
            contact=apex + R * f,
            cone_angles=(delta_a, delta_b),
        )

    def tooth_shape(self, numbers):
        (z_a, z_b), width = numbers.geometry.teeth, numbers.value(self.face_width)
        # The radii of the equations are in the middle of the teeth.
        outer = numbers.radii[0] / sin(numbers.cones[0]) + width / 2
        module = 2 * outer * sin(numbers.cones[0]) / z_a
        if width == 0:
            raise gears.GeometryError(
                "bevel teeth need their `face_width`: sizes are counted in the middle of it"
            )
        rack = gears.BasicRack(numbers.value(self.pressure_angle))
        spiral = numbers.value(self.spiral_angle)
        return gears.BevelPair((z_a, z_b), module, width, sum(numbers.cones), spiral, rack=rack)

    def loss_pair(self, name, teeth):
        """Its virtual cylindrical wheels, with z/cos(delta) teeth."""
        numbers = teeth.numbers(name)
        (z_a, z_b), (delta_a, delta_b) = numbers.geometry.teeth, numbers.cones
        spiral = numbers.value(self.spiral_angle)
        return gears.GearPair.of(
            (z_a / cos(delta_a), z_b / cos(delta_b)),
            2 * numbers.radii[0] * cos(spiral) / z_a,
            rack=gears.BasicRack(numbers.value(self.pressure_angle)),
            helix_angle=spiral,
            face_width=numbers.value(self.face_width),
        )

    class Equations(MeshEquations):
        extras = ("r_a", "r_b", "tan_spiral", "tan_alpha_t", "pitch", "phase")

        def no_slip(self, a, b, x):
            phi_a, phi_b = angles_to_the_other_axis(a, b)
            # (32), with the distance of the axes; (28) with the s of (33)
            return combination((-x["r_a"], phi_a), (-x["r_b"], phi_b), (-1.0, distance_of_axes(a, b)))

        def angle_of_a(self, a, b):
            return angle_to_direction(a, b, b.ez).value

        def rolling(self, a, b, x):
            phi_a, phi_b = angles_to_the_other_axis(a, b)
            return combination((-x["r_a"] / 2, phi_a), (x["r_b"] / 2, phi_b))

        def contact_point(self, a, b, x):
            c = ca.dot(a.ez, b.ez)
            return a.p + (x["r_a"] / ca.sqrt(1 - c**2)) * (b.ez - c * a.ez)

        def directions(self, a, b, x):
            n = ca.cross(a.ez, b.ez)
            tangential = n / ca.norm_2(n)  # s of (33)
            line = x["r_b"] * a.ez + x["r_a"] * b.ez
            line = line / ca.norm_2(line)
            return Directions(tangential, ca.cross(tangential, line), line)

        def separating(self, a, b, x, force, spread=None):
            along = self.directions(a, b, x).axial
            return super().separating(a, b, x, force, spread) - force * x["tan_spiral"] * along

        def normal_force(self, x, force):
            return ca.fabs(force) * ca.sqrt(1 + x["tan_spiral"] ** 2 + x["tan_alpha_t"] ** 2)

        def printed(self):
            return VectorForm(
                "r_a psi_a + r_b psi_b - l . d",
                NO_SLIP,
                GAMMA,
                (
                    *CENTRES,
                    ("n", "z_a x z_b"),
                    ("d", "n/|n|"),
                    ("P", "p_a + r_a (z_b - (z_a . z_b) z_a)/|n|"),
                    *AT_P,
                    *AXES,
                    ("d'", "(z_a' x z_b + z_a x z_b')/|n|"),
                    ("P'", "p_a' + r_a (z_b' - (z_a . z_b) z_a')/|n|"),
                ),
                legend(
                    "the other's axis",
                    ("d", "common tangent of the pitch cones"),
                    ("N", "normal of the pitch cones, from a into b"),
                    ("f", "along the common line of the cones, away from the apex"),
                ),
                "lambda d + abs(lambda) tan(alpha) N - lambda tan(beta) f",
            )


def _apex(place: MeshPlace, axes: Pair) -> ca.SX:
    """Where the axes meet: halfway between their nearest points. They are checked."""
    a, b = axes
    names = place.at_an_angle(a, b, "meet")
    if not place.meet(a, b):
        text = f"{names} pass each other {millimetres(a.distance(b))} apart, but must meet"
        raise MeshFault(text, "move one of them; wheels whose axes cross without meeting are `crossed`")
    near_a, near_b = nearest_points(a, b)
    return (near_a + near_b) / 2


def _outward(place: MeshPlace, axis: WheelAxis, side: int, apex: ca.SX) -> tuple[ca.SX, ca.SX]:
    """Distance of a wheel from the apex, and the direction of its axis away from it."""
    letter, wheel = "ab"[side], place.mesh.bodies[side]
    points = [place.center(axis, side), axis.point]
    for point in points:
        along = ca.dot(axis.direction, point - apex)
        if abs(place.number(along)) > place.smallest:
            return ca.fabs(along), axis.direction * ca.sign(along)
    text = f"`{wheel}` is at the apex, where the axes meet: it is not clear on which side of it its teeth are"
    raise MeshFault(text, f"give `point_{letter}` and `axis_{letter}`, the point being the wheel's centre")


def _check_cones(place: MeshPlace, deltas: tuple[ca.SX, ca.SX]) -> None:
    angles = [place.number(delta) for delta in deltas]
    for side, angle in enumerate(angles):
        if angle > np.pi / 2 - TOLERANCE:
            text = (
                f"with axes at {degrees(sum(angles))} the pitch cone of `{place.mesh.bodies[side]}` has an angle of "
                f"{degrees(angle)}, but must have less than 90 deg"
            )
            raise MeshFault(text, "use another ratio, or put one of the wheels on the other side of the apex")


def _in_the_middle(place: MeshPlace, outer: ca.SX) -> ca.SX:
    """Cone distance of the middle of the teeth."""
    n, width = place.number, place.value(place.mesh.face_width)
    if n(width) >= n(outer):
        text = f"the teeth reach beyond the apex: the outer cone distance is {millimetres(n(outer))}, "
        raise MeshFault(f"{text}but the face width {millimetres(n(width))}", field="face_width")
    return outer - width / 2


def _check_centers(place: MeshPlace, axes: Pair, given: ca.SX, needed: ca.SX, first: ca.SX) -> None:
    """Two centres that are both given must have their pitch circles meet in a point."""
    n = place.number
    if not (axes[0].center_given and axes[1].center_given):
        return
    if abs(n(given) - n(needed)) > TOLERANCE * n(needed):
        a, b = place.mesh.bodies
        text = (
            f"the pitch circles do not meet: with `{a}` {millimetres(n(first))} from the apex, `{b}` must be "
            f"{millimetres(n(needed))} from it, but is at {millimetres(n(given))}"
        )
        raise MeshFault(text, "move one of the centres, or give `module` or `radii`: the centres then follow")
