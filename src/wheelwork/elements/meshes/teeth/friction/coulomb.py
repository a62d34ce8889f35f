"""Coulomb's friction made smooth: v/sqrt(v^2 + v_0^2)."""

from __future__ import annotations

from typing import Literal

from wheelwork.description.values import Speed
from wheelwork.elements.meshes.teeth.friction.base import FrictionLaw
from wheelwork.lazy import casadi as ca


class CoulombFriction(FrictionLaw):
    """Friction against sliding, of the size `friction` of the mesh times the normal force.

    Fields:
        slip_speed [m/s]: speed of sliding at which most of the friction is there
    """

    type: Literal["coulomb"] = "coulomb"
    positive = ("slip_speed",)
    slip_speed: Speed = 1e-3

    @classmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return sliding / ca.sqrt(sliding**2 + given[0] ** 2)
