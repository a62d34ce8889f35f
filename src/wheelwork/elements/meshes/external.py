"""External mesh: spur or helical wheels on parallel axes that turn against each other.

Position level (Vlasenko, Kasper, (5), with angles in the sense of (17)):

    g = r_a psi_a + r_b psi_b + tan(beta) l . (r_a z_a + r_b z_b)/(r_a + r_b)

Velocity level, with closed geometry (|l| = r_a + r_b at a right angle to the axes), their (28):

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = t - tan(beta) z_a,   t = z_a x e,   e = l/|l|

    r_a, r_b      pitch radii                                                      m
    tan_beta      of the helix angle of a, positive right-handed (b has -beta)     1
    tan_alpha_t   of the transverse pressure angle: tan(alpha_n)/cos(beta)         1
    pitch         2 pi r_a/z_a = 2 pi r_b/z_b                                      m
    phase         raw g at the given position                                      m

Markers: z_b along z_a, centres in one plane at a right angle to them.
Tooth force on b: F_t t - F_t tan(beta) z_a + |F_t| tan(alpha_t) e.
In the plane it is Haug's gear constraint (Computer Aided Kinematics and Dynamics, (3.4.2), (3.4.3)): that is
-|l| sin(g/(r_a + r_b)), with the same zeros and, there, minus the same Jacobian.
Departures from the paper: atan2 and the pitch in place of asin (15) and a moving reference; the helix.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.elements.meshes.parallel import ParallelEquations, ParallelGears


class ExternalMesh(ParallelGears):
    """Two spur or helical wheels on parallel axes that turn against each other. Removes 1 degree of freedom.

    Sized by `teeth` and `module`; or by `radii`; or by `teeth` or `ratio` alone, the radii then following from the
    distance of the axes. That distance is the sum of the pitch radii, or with `profile_shift` at least the one at
    which the shifted teeth just mesh.

    Fields:
        teeth [1]: of wheel a and wheel b, whole numbers; found where left out
        ratio [1]: teeth of b over teeth of a, a positive number; the speed of a over that of b against the carrier
        module [m]: of the normal section: pitch diameter = teeth * module / cos(helix_angle)
        helix_angle [rad]: of wheel a, positive right-handed; wheel b has the opposite hand
        thickness_allowance [m]: of the teeth of wheel a and wheel b, in the normal section; negative makes them thinner
        tip_alteration [1]: of the teeth of wheel a and wheel b, in modules; negative shortens them
        model: of the teeth: `rigid`, `compliant` or `contact`
    """

    type: Literal["external"] = "external"

    class Equations(ParallelEquations):
        def no_slip(self, a, b, x):
            return self.rolled(a, b, x["r_a"], x["r_b"], x["tan_beta"])  # (5) and (28)
