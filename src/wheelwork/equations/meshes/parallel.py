"""What meshes on parallel axes share.

With psi_i = -phi_i the turn of wheel i against the line of centres l (phi_i from its x axis to l), and the radius of b
counted negative where the wheels turn the same way (R_b = -r_b):

    g = r_a psi_a + R_b psi_b + tan(beta) l . (r_a z_a + R_b z_b)/(r_a + R_b)

The last term is that of a helix: wheel a moving along its axis turns b like a rack. Its weights are those for which the
axial force acts at P, where the teeth are, and not at a wheel's centre. P divides the line of centres in the ratio of
the radii: P = p_a + l r_a/(r_a + R_b).
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from ..frames import Marker
from ..rows import Row, separation
from .base import Directions, Extras, MeshEquations, modulo
from .primitives import along_axis_of_a, along_axis_of_b, angle_to_centre, combination, exchanged


def turns_against_centres(a: Marker, b: Marker) -> tuple[Row, Row]:
    """phi_a, phi_b: angles of the line of centres in each wheel (of b to the same direction or its opposite)."""
    return angle_to_centre(a, b), exchanged(angle_to_centre(b, a))


def by_mate(a: Marker, b: Marker, raw: ca.SX, r_a: ca.SX, r_b: ca.SX, turn: ca.SX) -> tuple[ca.SX, ca.SX]:
    """g = -r_a phi_a - R_b phi_b with phi_a - phi_b = -turn - pi over whole turns: it is then known but for whole turns
    of the line of centres, 2 pi (r_a + R_b)."""
    phi_a, phi_b = (row.value for row in turns_against_centres(a, b))
    off = -turn - ca.pi - (phi_a - phi_b)
    return raw + r_b * (off - modulo(off, 2 * ca.pi)), 2 * ca.pi * ca.fabs(r_a + r_b)


class ParallelAxes(MeshEquations):
    """Spur wheels on parallel axes."""

    extras = ("r_a", "r_b", "tan_beta", "tan_alpha_t", "pitch", "phase")
    helical = False
    """Whether the row has the term of the helix; without it `tan_beta` must be zero."""

    outside = True
    """Whether wheel b is beside a, not around it."""

    def signed(self, x: Extras) -> ca.SX:
        """R_b: radius of b, negative where the wheels turn the same way."""
        return x["r_b"] if self.outside else -x["r_b"]

    def no_slip(self, a: Marker, b: Marker, x: Extras) -> Row:
        phi_a, phi_b = turns_against_centres(a, b)
        r_a, r_b = x["r_a"], self.signed(x)
        row = combination((-r_a, phi_a), (-r_b, phi_b))
        if self.helical:
            lead = x["tan_beta"] / (r_a + r_b)
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
