"""Coulomb's friction made smooth: v/sqrt(v^2 + v_0^2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Speed
from wheelwork.elements.meshes.teeth.base import above_zero
from wheelwork.elements.meshes.teeth.friction.base import FrictionLaw
from wheelwork.lazy import casadi as ca


class CoulombFriction(FrictionLaw):
    """Friction against sliding, of the size `friction` of the mesh times the normal force.

    Fields:
        slip_speed [m/s]: speed of sliding at which most of the friction is there
    """

    type: Literal["coulomb"] = "coulomb"
    slip_speed: Speed = 1e-3

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, slip_speed="m/s")

    def given(self, value):
        return [value(self.slip_speed)]

    @classmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return sliding / ca.sqrt(sliding**2 + given[0] ** 2)
