"""Crossed helical wheels: axes that cross without meeting; the teeth slide along each other.

The pitch cylinders touch at P on the common perpendicular of the axes. There the tooth of wheel i has the direction
tau_i = cos(beta_i) z_i + sin(beta_i) z_i x rho_i, rho_i outward from the axis, and the normal in the pitch plane
nu_i = cos(beta_i) z_i x rho_i - sin(beta_i) z_i. No slip is asked for along the normal only. With psi_i the turn
against the common perpendicular and h_i the way along z_i from the wheel's centre to it:

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
"""

from __future__ import annotations

import casadi as ca

from .base import Directions, MeshEquations
from .primitives import angle_to_direction, combination, exchanged, feet_of_common_perpendicular


class Crossed(MeshEquations):
    type = "crossed"
    extras = (
        "r_a",
        "r_b",
        "cos_beta_a",
        "sin_beta_a",
        "cos_beta_b",
        "sin_beta_b",
        "tan_alpha_n",
        "pitch",
        "phase",
    )
    slides = True

    def _angles(self, a, b):
        # the common perpendicular is a quarter turn from the projection of the other axis: the same angle but for phase
        return angle_to_direction(a, b, b.ez), exchanged(angle_to_direction(b, a, a.ez))

    def no_slip(self, a, b, x):
        phi_a, phi_b = self._angles(a, b)
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
        phi_a, phi_b = self._angles(a, b)
        return combination(
            (-x["r_a"] * x["cos_beta_a"] / (2 * x["cos_beta_b"]), phi_a), (x["r_b"] / 2, phi_b)
        )

    def sliding(self, a, b, x):
        phi_a, phi_b = self._angles(a, b)
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
