"""F = k h for a pair of teeth over the whole face; a slice has its share of k."""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ElasticLaw


class Linear(ElasticLaw):
    type = "linear"

    def given(self, choice, value):
        return [value(choice.stiffness)]

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return given[0] * touch.share * touch.depth

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return given[0] * touch.share * touch.depth**2 / 2
