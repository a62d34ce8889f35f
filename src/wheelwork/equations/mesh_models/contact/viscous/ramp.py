"""F = max(F_e + c (3 x^2 - 2 x^3) h', 0) with x = h/h_d up to 1: a damper that sets in with the depth."""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ViscousLaw


class RampDamping(ViscousLaw):
    type = "ramp"

    def given(self, choice, value):
        return [value(choice.damping), value(choice.depth)]

    def total(self, elastic: ca.SX, touch: Touch, given: ca.SX) -> ca.SX:
        x = ca.fmin(touch.depth / given[1], 1.0)
        damping = given[0] * touch.share * x**2 * (3 - 2 * x)
        return ca.fmax(elastic + damping * touch.rate, 0.0)
