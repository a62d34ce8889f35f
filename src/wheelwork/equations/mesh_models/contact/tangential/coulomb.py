"""Coulomb's friction made smooth: v/sqrt(v^2 + v_0^2)."""

from __future__ import annotations

import casadi as ca

from .base import TangentialLaw


class Coulomb(TangentialLaw):
    type = "coulomb"

    def given(self, choice, value):
        return [value(choice.slip_speed)]

    def part(self, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return sliding / ca.sqrt(sliding**2 + given[0] ** 2)
