"""Internal (concave-convex) mesh: a pinion a inside a ring b, on parallel axes, turning the same way.

Position level (Vlasenko, Kasper, eq. 34; their i is the ring, j the pinion):

    g = r_a psi_a - r_b psi_b + tan(beta) l . (r_b z_b - r_a z_a)/(r_b - r_a)

Velocity level, with closed geometry (|l| = r_b - r_a): eq. 36,

    G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d),   d = t - tan(beta) z_a,   t = z_a x e,   e = -l/|l|

with e from either centre to the contact point. Numbers and markers are those of the external mesh; the ring has the
hand of the pinion. Tooth force on b: F_t t - F_t tan(beta) z_a + |F_t| tan(alpha_t) e; the radial part pushes the ring
outward and the pinion towards the ring's centre.
"""

from __future__ import annotations

from .parallel import ParallelAxes


class Internal(ParallelAxes):
    """Spur teeth."""

    type = "internal"
    outside = False


class HelicalInternal(Internal):
    type = "internal:helical"
    helical = True
