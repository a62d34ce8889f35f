"""The three laws of one mesh with their numbers."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from .elastic import ElasticLaw
from .tangential import TangentialLaw
from .touch import Touch
from .viscous import ViscousLaw


@dataclass(frozen=True)
class Laws:
    """Elastic, viscous and tangential law; `friction_coefficient` is None without friction."""

    elastic: ElasticLaw
    elastic_given: ca.SX
    elastic_found: ca.SX
    viscous: ViscousLaw
    viscous_given: ca.SX
    tangential: TangentialLaw
    tangential_given: ca.SX
    friction_coefficient: ca.SX | None

    @property
    def shared(self) -> ca.SX | None:
        """Compliance that all pairs have in common."""
        return self.elastic.shared(self.elastic_found)

    def elastic_force(self, touch: Touch) -> ca.SX:
        return self.elastic.force(touch, self.elastic_given, self.elastic_found)

    def energy(self, touch: Touch) -> ca.SX:
        return self.elastic.energy(touch, self.elastic_given, self.elastic_found)

    def normal_force(self, elastic: ca.SX, touch: Touch) -> ca.SX:
        return self.viscous.total(elastic, touch, self.viscous_given)

    def friction(self, normal: ca.SX, sliding: ca.SX) -> ca.SX:
        """On b along the speed of a against b."""
        if self.friction_coefficient is None:
            return ca.SX(0)
        return self.friction_coefficient * normal * self.tangential.part(sliding, self.tangential_given)
