"""F = F_e max(1 + chi h', 0) (K. H. Hunt, F. R. E. Crossley, J. Applied Mechanics 42 (1975) 440-445).

An impact with the speed v gives back about 1 - 2/3 chi v of it.
"""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ViscousLaw


class HuntCrossley(ViscousLaw):
    type = "hunt_crossley"

    def given(self, choice, value):
        return [value(choice.factor)]

    def total(self, elastic: ca.SX, touch: Touch, given: ca.SX) -> ca.SX:
        return elastic * ca.fmax(1 + given[0] * touch.rate, 0.0)
