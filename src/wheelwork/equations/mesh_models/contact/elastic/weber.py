r"""Weber's law: Hertz's strip on teeth that are rigid from the depth t on (:mod:`wheelwork.gears.stiffness.contact`).

    h = P/(pi E*) (ln(t^2 pi E*/(P rho)) - nu/(1 - nu))

which is that of :mod:`.cylinders` with Lambda = t^2/rho exp(1 - nu/(1 - nu)), rho the reduced radius of curvature. So
it follows the place on the line of action, and is there for racks as well.
"""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ElasticLaw
from .cylinders import cylinder_energy, cylinder_force


class Weber(ElasticLaw):
    type = "weber"
    needs_width = True

    def given(self, choice, value):
        return [ca.SX(0) if choice.depth is None else value(choice.depth)]

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return touch.width * touch.share * cylinder_force(*self._of(touch, given[0]))

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return touch.width / touch.cos_helix * touch.share * cylinder_energy(*self._of(touch, given[0]))

    @staticmethod
    def _of(touch: Touch, t: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
        t = ca.if_else(t > 0, t, touch.pitch / 4)
        strain = ca.exp(1 - touch.poisson / (1 - touch.poisson))
        return (
            touch.depth * touch.cos_helix,
            t**2 * touch.cos_helix / touch.radius * strain,
            touch.modulus,
        )
