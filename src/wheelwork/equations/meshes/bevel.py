"""Bevel mesh: wheels on axes that meet at the apex O, at any angle.

Position level (Vlasenko, Kasper, eq. 32, and the distance of the axes):

    g = r_a psi_a + r_b psi_b - l . n/|n|,   n = z_a x z_b

psi_a = -phi_a, phi_a from a's x axis to the projection of z_b; psi_b likewise to that of z_a. Without the last term
the tooth force would be in the row as its moment about the apex alone: a couple on each wheel. With it, which vanishes
where the axes meet, G^T F_t is the force itself, at P, and the bearings see it.

Velocity level, with closed geometry: eq. 28 with s of eq. 33,

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

A spiral angle is in the force only: its part along f is no part of the row, but of `separating`.
"""

from __future__ import annotations

import casadi as ca

from .base import Directions, MeshEquations
from .primitives import angle_to_direction, combination, distance_of_axes, exchanged


class Bevel(MeshEquations):
    type = "bevel"
    extras = ("r_a", "r_b", "tan_spiral", "tan_alpha_t", "pitch", "phase")

    def _angles(self, a, b):
        return angle_to_direction(a, b, b.ez), exchanged(angle_to_direction(b, a, a.ez))

    def no_slip(self, a, b, x):
        phi_a, phi_b = self._angles(a, b)
        return combination((-x["r_a"], phi_a), (-x["r_b"], phi_b), (-1.0, distance_of_axes(a, b)))

    def angle_of_a(self, a, b):
        return angle_to_direction(a, b, b.ez).value

    def rolling(self, a, b, x):
        phi_a, phi_b = self._angles(a, b)
        return combination((-x["r_a"] / 2, phi_a), (x["r_b"] / 2, phi_b))

    def contact_point(self, a, b, x):
        c = ca.dot(a.ez, b.ez)
        return a.p + (x["r_a"] / ca.sqrt(1 - c**2)) * (b.ez - c * a.ez)

    def directions(self, a, b, x):
        n = ca.cross(a.ez, b.ez)
        tangential = n / ca.norm_2(n)
        line = x["r_b"] * a.ez + x["r_a"] * b.ez
        line = line / ca.norm_2(line)
        return Directions(tangential, ca.cross(tangential, line), line)

    def separating(self, a, b, x, force, spread=None):
        along = self.directions(a, b, x).axial
        return super().separating(a, b, x, force, spread) - force * x["tan_spiral"] * along

    def normal_force(self, x, force):
        return ca.fabs(force) * ca.sqrt(1 + x["tan_spiral"] ** 2 + x["tan_alpha_t"] ** 2)
