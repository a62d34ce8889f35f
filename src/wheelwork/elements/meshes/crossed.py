"""Crossed helical wheels: axes that cross without meeting; the teeth slide along each other.

The pitch cylinders touch at P on the common perpendicular of the axes. There the tooth of wheel i has the direction
tau_i = cos(beta_i) z_i + sin(beta_i) z_i x rho_i, rho_i outward from the axis, and the normal in the pitch plane
nu_i = cos(beta_i) z_i x rho_i - sin(beta_i) z_i. No slip is asked for along the normal only. With psi_i the turn
against the common perpendicular and h_i the distance along z_i from the wheel's centre to it:

    g = (r_a cos(beta_a) psi_a + sin(beta_a) h_a + r_b cos(beta_b) psi_b + sin(beta_b) h_b)/cos(beta_b)
    S = r_a sin(beta_a) psi_a - cos(beta_a) h_a - r_b sin(beta_b) psi_b + cos(beta_b) h_b

g is the arc on the pitch circle of b, so that the multiplier F_t is b's tangential force; S is the path slid along the
tooth (`sliding`). Velocity level, with closed geometry (distance of the axes r_a + r_b, tau_a = tau_b at P):

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = nu_a/cos(beta_b) = z_b x rho_a + tan(beta_b) z_b
    S'  = tau_a . (v_Pa - v_Pb)

    r_a, r_b                 pitch radii                                            m
    cos_beta_a, sin_beta_a   of the helix angle of a, positive right-handed         1
    cos_beta_b, sin_beta_b   of the helix angle of b                                1
    tan_alpha_n              of the pressure angle in the normal section            1
    pitch                    2 pi r_b/z_b = 2 pi r_a cos(beta_a)/(cos(beta_b) z_a)  m
    phase                    raw g at the given position                            m

Markers: origins anywhere on the axes; z_a, z_b in such senses that tau_a = tau_b at P (and not minus it). The angle
from z_a to z_b, right-handed about -rho_a, is then beta_a + beta_b.

Tooth force on b: the normal force N = |F_t|/(cos(beta_b) cos(alpha_n)) has the parts F_t d and |F_t| tan(alpha_n)/
cos(beta_b) along rho_a. Friction mu N along the tooth, against S', gives a worm (beta_a = 90 deg - lead angle gamma)
the efficiency tan(gamma)/tan(gamma + rho'), tan(rho') = mu/cos(alpha_n), and locks it where gamma < rho'.

The row is steep in the tilt of the axes where they are nearly parallel (1/sin of the angle between them): parallel axes
are for the external mesh.

Geometry. The pitch cylinders touch on the common perpendicular of the axes, rho being its direction from a to b. The
tooth directions there agree if z_b is z_a turned by -(beta_a + beta_b) about rho; a line has two senses, so z_b is
taken in the one that fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.values import Angle
from wheelwork.elements.meshes.base import WheelPair, angle_issues
from wheelwork.equations.mesh_equations import Directions, MeshEquations
from wheelwork.equations.mesh_rows import (
    angle_to_direction,
    angles_to_the_other_axis,
    combination,
    feet_of_common_perpendicular,
)
from wheelwork.equations.vector_form import AT_P, AXES, CENTRES, GAMMA, NO_SLIP, VectorForm, legend
from wheelwork.layout.meshes.axes import AxisRequirement, Pair, nearest_points
from wheelwork.layout.meshes.faults import TOLERANCE, MeshFault, degrees
from wheelwork.layout.meshes.mesh_geometry import MeshGeometry, WheelFrame
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np

HALF_TURN = math.pi


class CrossedEquations(MeshEquations):
    extras = (
        "r_a",
        "r_b",
        *(f"{f}_beta_{s}" for s in "ab" for f in ("cos", "sin")),
        "tan_alpha_n",
        "pitch",
        "phase",
    )
    slides = True

    def no_slip(self, a, b, x):
        # the common perpendicular is a quarter turn from the projection of the other axis: the same angle but for phase
        phi_a, phi_b = angles_to_the_other_axis(a, b)
        h_a, h_b = feet_of_common_perpendicular(a, b)
        over = 1 / x["cos_beta_b"]
        return combination(
            (-x["r_a"] * x["cos_beta_a"] * over, phi_a),
            (-x["r_b"], phi_b),
            (x["sin_beta_a"] * over, h_a),
            (x["sin_beta_b"] * over, h_b),
        )

    def angle_of_a(self, a, b):
        return angle_to_direction(a, b, b.ez).value

    def arc_of_a(self, x):
        return x["r_a"] * x["cos_beta_a"] / x["cos_beta_b"]

    def rolling(self, a, b, x):
        phi_a, phi_b = angles_to_the_other_axis(a, b)
        return combination(
            (-x["r_a"] * x["cos_beta_a"] / (2 * x["cos_beta_b"]), phi_a), (x["r_b"] / 2, phi_b)
        )

    def sliding(self, a, b, x):
        phi_a, phi_b = angles_to_the_other_axis(a, b)
        h_a, h_b = feet_of_common_perpendicular(a, b)
        return combination(
            (-x["r_a"] * x["sin_beta_a"], phi_a),
            (x["r_b"] * x["sin_beta_b"], phi_b),
            (-x["cos_beta_a"], h_a),
            (x["cos_beta_b"], h_b),
        )

    def contact_point(self, a, b, x):
        l, n = b.p - a.p, ca.cross(a.ez, b.ez)
        foot = ca.dot(ca.cross(l, b.ez), n) / ca.dot(n, n)
        return a.p + foot * a.ez + x["r_a"] * self.directions(a, b, x).radial

    def directions(self, a, b, x):
        """Those of wheel b."""
        n = ca.cross(a.ez, b.ez)
        radial = n * (ca.sign(ca.dot(b.p - a.p, n)) / ca.norm_2(n))
        return Directions(ca.cross(b.ez, radial), radial, b.ez)

    def axial_share(self, x) -> ca.SX | float:
        return -x["sin_beta_b"] / x["cos_beta_b"]

    def separating(self, a, b, x, force, spread=None):
        size = ca.fabs(force) if spread is None else spread
        return size * (x["tan_alpha_n"] / x["cos_beta_b"]) * self.directions(a, b, x).radial

    def normal_force(self, x, force):
        return ca.fabs(force) * ca.sqrt(1 + x["tan_alpha_n"] ** 2) / x["cos_beta_b"]

    def printed(self):
        return VectorForm(
            "(r_a cos(beta_a) psi_a + sin(beta_a) h_a + r_b cos(beta_b) psi_b + sin(beta_b) h_b)/cos(beta_b)",
            NO_SLIP,
            GAMMA,
            (
                *CENTRES,
                ("n", "z_a x z_b"),
                ("e", "sigma n/|n|"),
                ("h_a", "(l x z_b) . n/(n . n)"),
                ("h_b", "(l x z_a) . n/(n . n)"),
                ("P", "p_a + h_a z_a + r_a e"),
                ("d", "z_b x e + tan(beta_b) z_b"),
                *AT_P,
                *AXES,
                ("n'", "z_a' x z_b + z_a x z_b'"),
                ("e'", "sigma n'/|n|"),
                ("h_a'", "((l' x z_b + l x z_b') . n + (l x z_b) . n')/(n . n)"),
                ("P'", "p_a' + h_a' z_a + h_a z_a' + r_a e'"),
                ("d'", "z_b' x e + z_b x e' + tan(beta_b) z_b'"),
            ),
            legend(
                "the common perpendicular",
                ("e", "along the common perpendicular of the axes, from a to b"),
                ("sigma", "1 or -1, so that e leads from a to b"),
                ("h_a, h_b", "distance along each axis from the wheel's centre to the common perpendicular"),
                ("beta_a, beta_b", "helix angles, positive right-handed"),
            ),
            "lambda d + abs(lambda) tan(alpha) e/cos(beta_b)",
        )


class CrossedMesh(WheelPair):
    """Two helical wheels on axes that cross without meeting. Removes 1 degree of freedom.

    The axes cross at the sum of the helix angles. Sized by `teeth` and `module`; or by `radii`; or by `teeth` or
    `ratio` alone, the radii then following from the distance of the axes. That distance is the sum of the pitch radii.

    Fields:
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix angle)
        helix_angles [rad]: of wheel a and wheel b, positive right-handed
        model: of the teeth: `rigid`
    """

    type: Literal["crossed"] = "crossed"
    kinds = frozenset({SPATIAL})
    helix_angles: tuple[Angle, Angle]

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> CrossedMesh:
        place = {"point_a": (0, 0, 0), "axis_a": (0, 0, 1), "point_b": (0.3, 0, 0), "axis_b": (0, 1, 0)}
        return cls(
            bodies=bodies, teeth=(20, 40), radii=(0.1, 0.2), helix_angles=(math.pi / 4, math.pi / 4), **place
        )

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from angle_issues(self, value, "helix_angles", -90, 90)

    def geometry(self, place: MeshPlace) -> MeshGeometry:
        reader = place.reader
        betas = reader.pair("helix_angles")
        assert betas is not None
        cosines = ca.cos(betas[0]), ca.cos(betas[1])
        radii = reader.given_radii(cosines)
        known = None if radii is None else place.number(radii[0] + radii[1])
        axes = place.axes(AxisRequirement("axes that cross", place.cross, known))
        centers, distance = skew_centers(place, axes)
        sizes = reader.wheels(cosines, distance)
        radii = reader.closed(sizes, distance, cosines)
        return skew_geometry(place, axes, centers, distance, betas, radii, sizes.teeth, sizes.counts)

    def tooth_shape(self, numbers):
        helix = numbers.both("helix_angles")
        return gears.CrossedPair(numbers.geometry.teeth, numbers.module(helix[0]), helix)

    Equations = CrossedEquations


# -- geometry


def skew_geometry(
    place: MeshPlace,
    axes: Pair,
    centers: tuple[ca.SX, ca.SX],
    distance: ca.SX,
    betas: tuple[ca.SX, ca.SX],
    radii: tuple[ca.SX, ca.SX],
    teeth: tuple[int, int],
    counts: tuple[ca.SX, ca.SX],
) -> MeshGeometry:
    rho = (centers[1] - centers[0]) / distance
    z_a, z_b = (axis.direction for axis in axes)
    _check_angle(place, axes, rho, betas)
    _check_efficiency(place, betas)
    # z_a turned by -(beta_a + beta_b) about rho
    angle = betas[0] + betas[1]
    expected = z_a * ca.cos(angle) - ca.cross(rho, z_a) * ca.sin(angle)
    z_b = z_b * ca.sign(ca.dot(z_b, expected))
    # exactly the ratio of the teeth
    r_a = radii[0]
    r_b = r_a * (counts[1] / counts[0]) * ca.cos(betas[0]) / ca.cos(betas[1])
    return place.geometry(
        axes,
        (WheelFrame(centers[0], z_a, rho), WheelFrame(centers[1], z_b, rho)),
        teeth,
        {
            "r_a": r_a,
            "r_b": r_b,
            "cos_beta_a": ca.cos(betas[0]),
            "sin_beta_a": ca.sin(betas[0]),
            "cos_beta_b": ca.cos(betas[1]),
            "sin_beta_b": ca.sin(betas[1]),
            "tan_alpha_n": ca.tan(place.pressure_angle),
            "pitch": 2 * ca.pi * r_b / counts[1],
        },
        distance,
        contact=centers[0] + r_a * rho,
        helical=True,
    )


def skew_centers(place: MeshPlace, axes: Pair) -> tuple[tuple[ca.SX, ca.SX], ca.SX]:
    """The feet of the common perpendicular, and their distance; the axes are checked."""
    a, b = axes
    names = place.at_an_angle(a, b, "cross")
    if not place.cross(a, b):
        raise MeshFault(f"{names} meet, but must pass each other", "wheels whose axes meet are `bevel`")
    centers = nearest_points(a, b)
    return centers, ca.norm_2(centers[1] - centers[0])


def _check_angle(place: MeshPlace, axes: Pair, rho: ca.SX, betas: tuple[ca.SX, ca.SX]) -> None:
    """The axes, as lines, are at the sum of the helix angles, in the sense that fits their hands."""
    a, b = axes
    across = np.cross(a.along, b.along) @ place.vector(rho)
    needed = float(np.arctan2(-across, a.along @ b.along))
    given = [place.number(beta) for beta in betas]
    if _line_angle(needed - sum(given)) <= TOLERANCE:
        return
    # of the two angles between lines, the one nearer to the helix angles says best what to change
    needed += HALF_TURN * round((sum(given) - needed) / HALF_TURN)
    angles = f"helix angles of {degrees(given[0])} and {degrees(given[1])}"
    text = f"the axes cross at {degrees(needed)}, but {angles} make {degrees(sum(given))}"
    hint = f"the helix angles, positive right-handed, must sum up to {degrees(needed)}"
    if _line_angle(needed + sum(given)) <= TOLERANCE:
        hint = "the hands are reversed: change the signs of both helix angles"
    raise MeshFault(text, hint, "helix_angles")


def _check_efficiency(place: MeshPlace, betas: tuple[ca.SX, ca.SX]) -> None:
    """With opposite hands the teeth roll more than they slide: not every efficiency is possible; see `losses`."""
    given = place.mesh.efficiency
    if given is None:
        return
    eta = place.number(place.value(given))
    tan_a, tan_b = (float(np.tan(place.number(beta))) for beta in betas)
    if np.sign(tan_a + tan_b) * (eta * tan_a + tan_b) <= 0:
        text = (
            f"wheels with helix angles of {degrees(place.number(betas[0]))} and {degrees(place.number(betas[1]))} "
            f"lose less than that: their efficiency is more than {abs(tan_b / tan_a):.6g}, whatever the friction, "
            f"but {eta:g} is given"
        )
        raise MeshFault(text, "give a greater efficiency, or `friction` instead", "efficiency")


def _line_angle(angle: float) -> float:
    """Angle between two lines, regardless of their senses."""
    return abs(angle - HALF_TURN * round(angle / HALF_TURN))
