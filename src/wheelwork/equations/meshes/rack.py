"""Rack and pinion: pinion a rolls on the pitch line of rack b.

Position level (Vlasenko, Kasper, eq. 37 and 40 with their words for rack and pinion exchanged, and angle as in 17):

    g = r_a psi_a + x_b . (p_a - p_b) - tan(beta) (z_b . (p_a - p_b) + r_a z_a . y_b)

psi_a = -phi_a, phi_a from a's x axis to -y_b, the direction from the pinion to the pitch line. The term of the helix
has r_a z_a . y_b, which vanishes where the axes are parallel, so that the axial force acts at P.

Velocity level, with closed geometry (y_b . (p_a - p_b) = r_a): eq. 41 with its sign of p^i put right,

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
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from ..rows import offset_along, perpendicular
from .base import Directions, MeshEquations, about, along
from .primitives import angle_to_direction, combination, exchanged


class Rack(MeshEquations):
    """Straight teeth."""

    type = "rack"
    extras = ("r_a", "tan_beta", "tan_alpha_t", "pitch", "phase")
    helical = False

    def no_slip(self, a, b, x):
        r_a = x["r_a"]
        row = combination((-r_a, angle_to_direction(a, b, -b.ey)), (1.0, exchanged(offset_along(b, b.ex, a))))
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
        row = exchanged(offset_along(b, b.ey, a))
        return replace(row, value=row.value - x["r_a"])

    def wheel_forces(self, a, b, x, force, **spread):
        """The rack is a wheel with its axis far away: outward from it is y_b, wherever the pinion stands."""
        total = self.tooth_force(a, b, x, force, **spread)
        on_pinion = about(a, self.contact_point(a, b, x), -total)
        return ca.vertcat(*on_pinion), ca.vertcat(*along(b.ez, b.ey, total))

    def friction_forces(self, a, b, x, friction):
        row = self.rolling(a, b, x)
        on_a = ca.dot(a.ez, row.a_angular - ca.cross(a.s, row.a_linear)) / x["r_a"]
        return ca.vertcat(friction * on_a, 0, 0), ca.vertcat(*along(b.ez, b.ey, friction * row.b_linear))


class HelicalRack(Rack):
    type = "rack:helical"
    helical = True


class RackWithHeight(Rack):
    """Holds the pinion's distance, too."""

    type = "rack:height"
    row_names = ("mesh", "height")

    def equations(self, a, b, x, turn=None, against="carrier"):
        return [*super().equations(a, b, x, turn, against), self.clearance(a, b, x)]
