"""How the wheels move against each other."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from ...frames import Marker
from .section import Section


@dataclass(frozen=True)
class Relative:
    """Motion of a against b at the centre of a, in the directions o, f, z of the section.

    velocity, spin   (3), m/s and rad/s
    tilt             z_a - z_b
    """

    velocity: ca.SX
    spin: ca.SX
    tilt: ca.SX

    @classmethod
    def of(cls, a: Marker, b: Marker, section: Section) -> Relative:
        v = a.velocity - b.body.v - ca.cross(b.body.w, a.p - b.body.x)
        return cls(*(section.components(u) for u in (v, a.body.w - b.body.w, a.ez - b.ez)))
