"""External mesh: spur or helical wheels on parallel axes that turn against each other.

Position level (Vlasenko, Kasper, eq. 5, with angles in the sense of 17):

    g = r_a psi_a + r_b psi_b + tan(beta) l . (r_a z_a + r_b z_b)/(r_a + r_b)

Velocity level, with closed geometry (|l| = r_a + r_b at a right angle to the axes): eq. 28,

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = t - tan(beta) z_a,   t = z_a x e,   e = l/|l|

    r_a, r_b      pitch radii                                                      m
    tan_beta      of the helix angle of a, positive right-handed (b has -beta)     1
    tan_alpha_t   of the transverse pressure angle: tan(alpha_n)/cos(beta)         1
    pitch         2 pi r_a/z_a = 2 pi r_b/z_b                                      m
    phase         raw g at the given position                                      m

Markers: z_b along z_a, centres in one plane at a right angle to them.
Tooth force on b: F_t t - F_t tan(beta) z_a + |F_t| tan(alpha_t) e.
In the plane it is Haug's gear constraint (Computer Aided Kinematics and Dynamics, eq. 3.4.2-3.4.3): that is
-|l| sin(g/(r_a + r_b)), with the same zeros and, there, minus the same Jacobian.
Departures from the paper: atan2 and the pitch in place of asin (15) and a moving reference; the helix.
"""

from __future__ import annotations

from .parallel import ParallelAxes


class External(ParallelAxes):
    """Spur wheels."""

    type = "external"


class HelicalExternal(External):
    type = "external:helical"
    helical = True
