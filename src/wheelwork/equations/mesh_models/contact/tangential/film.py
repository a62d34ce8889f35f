"""An oil film: v/v_1 up to the speed v_1, and no more beyond."""

from __future__ import annotations

import casadi as ca

from .base import TangentialLaw


class Film(TangentialLaw):
    type = "film"

    def given(self, choice, value):
        return [value(choice.speed)]

    def part(self, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return ca.fmax(ca.fmin(sliding / given[0], 1.0), -1.0)
