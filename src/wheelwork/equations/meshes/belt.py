"""Belt or chain on two pulleys with parallel axes; it neither slips nor stretches.

    g = r_a psi_a - sigma r_b psi_b,   sigma = +1 open, -1 crossed

psi_i is the turn of pulley i against the line of centres l. The multiplier F_t is the difference of the pulls in the
two strands. G^T F_t has the couples F_t r_a and F_t r_b, and the part of the pulls across the line of centres,
F_t sin(theta): the strands of unequal pulleys are at the angle theta to it, sin(theta) = (r_a - sigma r_b)/|l|.

    r_a, r_b    radii of the belt's pitch line                                          m
    sign        sigma: +1 for an open belt, -1 for one that crosses over                1
    tension     pull in each strand at rest, T_0                                        N
    pitch       of the teeth: 2 pi r_a/z_a = 2 pi r_b/z_b                               m
    phase       raw g at the given position                                             m

Markers: z_b along z_a.

`separating` is the rest of the strands' pull: it draws the pulleys together along the line of centres with
(T_1 + T_2) cos(theta). T_1 - T_2 = |F_t|; T_1 + T_2 = 2 T_0, or |F_t| where that is more, when the slack strand has no
pull left. A belt has no contact point: `contact_point` is the centre of b, on the line of action of that force, and
`normal_force` is the pull in the tight strand.
"""

from __future__ import annotations

import casadi as ca

from .base import Directions, MeshEquations
from .parallel import by_mate, turns_against_centres
from .primitives import angle_to_centre, combination


class Belt(MeshEquations):
    type = "belt"
    extras = ("r_a", "r_b", "sign", "tension", "pitch", "phase")

    def no_slip(self, a, b, x):
        phi_a, phi_b = turns_against_centres(a, b)
        return combination((-x["r_a"], phi_a), (x["sign"] * x["r_b"], phi_b))

    def angle_of_a(self, a, b):
        return angle_to_centre(a, b).value

    def unwrapped_by_mate(self, a, b, x, turn):
        return by_mate(a, b, self.raw(a, b, x), x["r_a"], -x["sign"] * x["r_b"], turn)

    def rolling(self, a, b, x):
        phi_a, phi_b = turns_against_centres(a, b)
        return combination((-x["r_a"] / 2, phi_a), (-x["sign"] * x["r_b"] / 2, phi_b))

    def contact_point(self, a, b, x):
        return b.p

    def directions(self, a, b, x):
        l = b.p - a.p
        radial = l / ca.norm_2(l)
        return Directions(ca.cross(a.ez, radial), radial, a.ez)

    def _sine(self, a, b, x):
        return (x["r_a"] - x["sign"] * x["r_b"]) / ca.norm_2(b.p - a.p)

    def strands(self, x, force):
        """Pulls in the tight and the slack strand [N]."""
        both = ca.fmax(2 * x["tension"], ca.fabs(force))
        return (both + ca.fabs(force)) / 2, (both - ca.fabs(force)) / 2

    def driving_direction(self, a, b, x):
        """Force on b in the row for F_t = 1; there is a couple besides, the moment of the strands about b's axis."""
        return self._sine(a, b, x) * self.directions(a, b, x).tangential

    def separating(self, a, b, x, force, spread=None):
        tight, slack = self.strands(x, force)
        pull = (tight + slack) * ca.sqrt(1 - self._sine(a, b, x) ** 2)
        return -pull * self.directions(a, b, x).radial

    def wheel_forces(self, a, b, x, force, **spread):
        """Tangential: moment over radius; radial: the pull along the line of centres, towards the other pulley."""
        pull = ca.norm_2(self.separating(a, b, x, force))
        return ca.vertcat(-force, pull, 0), ca.vertcat(x["sign"] * force, pull, 0)

    def normal_force(self, x, force):
        return self.strands(x, force)[0]
