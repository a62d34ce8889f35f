r"""Where the flanks of two wheels meet, in the transverse section, by direct formulas.

After I. Kosenko, I. Gusev, Revised and improved implementation of the spur involute gear dynamical model, 9th Modelica
conference, 2012, sections 3 and 4: the common normal of two involutes is always the line of action, the common tangent
of the base circles, so that it is enough to know where the flank of either wheel crosses it.

With d the distance of the centres now, r_ba and r_bb the base radii (R_bb = r_bb, or -r_bb for a ring), o the direction
from the centre of a to the pitch point, f = z_a x o, and alpha the pressure angle that belongs to d:

    cos(alpha) = |r_ba + R_bb|/d
    n = o sin(alpha) +- f cos(alpha)                 line of action of front (+) and back flanks of a, towards b
    K = p_a + r_ba (o cos(alpha) -+ f sin(alpha))    its foot on the base circle of a; points are K + s n
    T = (r_ba + R_bb) tan(alpha)                     foot on the base circle of b (negative for a ring)

The paper counts s_A from K and s_B from the other foot; here both are counted from K, and h = s_A - s_B is positive
where flanks press (the paper has the other sign). A tooth of a whose middle is at the polar angle phi_a from o has its
front flank at s_A = r_ba (phi_a + alpha + psi_a), psi_a its half thickness angle on the base circle. Of all teeth that
meet at the same time s_A - s_B is the same, so it is found from the arc g by which a is ahead of b (the row of the
mesh, which vanishes in the middle of the backlash):

    h = +- g cos(alpha_0) - B,   B = B_0 + (r_ba + R_bb) (inv(alpha) - inv(alpha_0))

alpha_0 and half the backlash B_0 are those of the given position. Flanks touch from A, where the tip circle of b (or
the form circle of a) cuts the line, to E, where that of a (or the form circle of b) does:

    A = max(T - S sqrt(r_tb^2 - r_bb^2), rho_fa),   E = min(sqrt(r_ta^2 - r_ba^2), T - S rho_fb)

S = -1 for a ring. For a rack alpha stays, and B, A and E follow the distance C by which it stands off:

    B = B_0 + C sin(alpha),   A = max(A_b + C/sin(alpha), rho_fa),   E = min(rho_ta, E_b + C/sin(alpha))

The equations of a mesh give its section: their `line_of_action`.

Where the paper's equations are ("Kosenko, Gusev (n)" stands at each line; the paper numbers four):

    (1)   the end of contact, phi_Amin = alpha_w - (|K_A a| + |ab|)/r_Ab, is s_A = E    `end` of `line_of_action`
    (2)   which flanks stand at the first point a of contact at the start               `places` in :mod:`.contact`
    (3)   the next pair is one tooth behind                                             `Flank.place_of`
    (4)   the angle of a pair follows that of the wheel, and starts again at the ends    `Flank.place_of`
    h = L - s_A - s_B (section 3, without a number)                                     `depth` of `Flank`
"""

from __future__ import annotations

from wheelwork.equations.frames import Marker
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class FlankShape:
    """Numbers of the teeth, symbols or values.

    half      B_0, half the backlash along the line of action at the given position                   m
    thick     r_ba psi_a: half the thickness of a's teeth on the base circle                          m
    start     A at the given position                                                                 m
    tip_a, foot_a   rho of a's flanks at the tip and form circle                                      m
    tip_b, foot_b   the same of b; for a rack A_b and E_b                                             m
    cosine, angle   of alpha_0                                                                        1, rad
    """

    half: ca.SX
    thick: ca.SX
    start: ca.SX
    tip_a: ca.SX
    foot_a: ca.SX
    tip_b: ca.SX
    foot_b: ca.SX
    cosine: ca.SX
    angle: ca.SX


@dataclass(frozen=True)
class Section:
    """The line of action of the position at hand; see the module's docstring for the symbols.

    outward, forward, axis   o, f, z_a
    cosine, sine, angle      of alpha
    turned     alpha - alpha_0
    base       r_ba
    half       B
    tangent    T; None for a rack
    start, end A, E
    tips       where the tip of b and the tip of a touch, whatever lies below the flanks
    distance   d; pinion to pitch line for a rack
    """

    outward: ca.SX
    forward: ca.SX
    axis: ca.SX
    cosine: ca.SX
    sine: ca.SX
    angle: ca.SX
    turned: ca.SX
    base: ca.SX
    half: ca.SX
    tangent: ca.SX | None
    start: ca.SX
    end: ca.SX
    tips: tuple[ca.SX, ca.SX]
    distance: ca.SX

    def components(self, vector: ca.SX) -> ca.SX:
        """Of a vector of the world, along o, f, z."""
        return ca.vertcat(*(ca.dot(axis, vector) for axis in (self.outward, self.forward, self.axis)))

    def vector(self, components: ca.SX) -> ca.SX:
        """In the world."""
        return self.outward * components[0] + self.forward * components[1] + self.axis * components[2]

    def radii(self, place: ca.SX) -> tuple[ca.SX | None, ca.SX]:
        """|rho_a + rho_b| (None for a rack), and the reduced radius of curvature rho_a rho_b/(rho_a + rho_b)."""
        if self.tangent is None:
            return None, place
        return ca.fabs(self.tangent), place * (self.tangent - place) / self.tangent


@dataclass(frozen=True)
class RelativeMotion:
    """Motion of a against b at the centre of a, in the directions o, f, z of the section.

    velocity, spin   (3), m/s and rad/s
    tilt             z_a - z_b
    """

    velocity: ca.SX
    spin: ca.SX
    tilt: ca.SX

    @classmethod
    def of(cls, a: Marker, b: Marker, section: Section) -> RelativeMotion:
        v = a.velocity - b.body.v - ca.cross(b.body.w, a.p - b.body.x)
        return cls(*(section.components(u) for u in (v, a.body.w - b.body.w, a.ez - b.ez)))


SMALL = 1 / 64


def small_angle(sine: ca.SX, cosine: ca.SX) -> ca.SX:
    """An angle below a right one. Where it is small, as between pressure angles, by the series of the arc sine, to
    2e-20 of it, as sums that do not wait for each other."""
    z = sine * sine
    rest = (1 / 6 + z * (3 / 40)) + z * z * (5 / 112 + z * (35 / 1152))
    series = sine + sine * z * rest
    return ca.if_else(ca.fabs(sine) < SMALL, series, ca.atan(sine / cosine))
