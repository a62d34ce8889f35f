"""F = F_0 (h/h_0)^n: Hertz's law for n = 3/2, close to that of lines of contact for n = 10/9 (Lundberg)."""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ElasticLaw


class Power(ElasticLaw):
    type = "power"

    def given(self, choice, value):
        return [value(choice.force), value(choice.depth), value(choice.exponent)]

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        force, depth, exponent = ca.vertsplit(given)
        return force * touch.share * (touch.depth / depth) ** exponent

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return self.force(touch, given, found) * touch.depth / (given[2] + 1)
