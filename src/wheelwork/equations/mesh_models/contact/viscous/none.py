"""No damping."""

from __future__ import annotations

import casadi as ca

from ..touch import Touch
from .base import ViscousLaw


class NoDamping(ViscousLaw):
    type = "none"

    def total(self, elastic: ca.SX, touch: Touch, given: ca.SX) -> ca.SX:
        return elastic
