r"""Johnson's law for two cylinders with the curvatures of the flanks (:mod:`.cylinders`), as in the paper.

Lambda = 4 |rho_a + rho_b| (the difference for a ring), which on the line of action is 4 T, the same for all pairs. In
helical teeth radii of curvature are those of the normal section, rho/cos(beta_b). Each cylinder yields by

    h_i = P (1 - nu_i^2)/(pi E_i) (2 ln(4 rho_i/a) - 1)

so that with two materials, of which w_a is the part of a in what the contact yields, it is
Lambda = 4 T (rho_a/rho_b)^(2 w_a - 1).
"""

from __future__ import annotations

import casadi as ca

from wheelwork.gears import GearPair, GeometryError, RackPair

from ..touch import Touch
from .base import ElasticLaw
from .cylinders import cylinder_energy, cylinder_force


class Johnson(ElasticLaw):
    type = "johnson"
    needs_width = True

    def check(self, pair: GearPair | RackPair) -> None:
        if isinstance(pair, RackPair):
            raise GeometryError(
                "contact by `johnson` is for two round flanks, but a rack's are flat; take `weber`"
            )
        super().check(pair)

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return touch.width * touch.share * cylinder_force(*self._of(touch))

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return touch.width / touch.cos_helix * touch.share * cylinder_energy(*self._of(touch))

    @staticmethod
    def _of(touch: Touch) -> tuple[ca.SX, ca.SX, ca.SX]:
        assert touch.sum_radius is not None
        # rho_a is the place, rho_b = T rho/rho_a; off the path, where nothing touches, it only has to be finite
        rho_a = ca.fmax(touch.place, 1e-3 * touch.pitch)
        rho_b = ca.fmax(touch.sum_radius * ca.fabs(touch.radius) / rho_a, 1e-3 * touch.pitch)
        length = 4 * touch.sum_radius * (rho_a / rho_b) ** (2 * touch.part - 1)
        return touch.depth * touch.cos_helix, length / touch.cos_helix, touch.modulus
