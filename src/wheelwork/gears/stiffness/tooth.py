"""A tooth as a beam: its shape from root to tip, and where and how the mating tooth pushes it.

The beam's axis is the tooth's middle line. At the height y over the root circle the tooth is 2 h(y) thick. A contact on
the flank at the height y_c and half thickness h_c pushes along the normal, which makes the angle alpha_F with the
perpendicular of the middle line:

    external   alpha_F = alpha_y - psi    alpha_y the pressure angle there, psi half the angle of the tooth there
    ring       alpha_F = alpha_y + psi
    rack       alpha_F = alpha_t

so a normal force F bends the tooth with F cos(alpha_F), presses it with F sin(alpha_F), and has about the section at y
the moment F (cos(alpha_F) (y_c - y) - sin(alpha_F) h_c).
"""

from __future__ import annotations

from math import pi, tan
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from ..gear import Gear
from ..involute import involute
from ..outline import half_tooth
from ..pair import GearPair
from ..rack_pair import RackPair

POINTS = (240, 160)  # on flank and fillet: integrals over them are good to 1e-5


@dataclass(frozen=True)
class Tooth:
    """Shape of a tooth, from the root circle (or root line) to the tip.

    height: (n,) over the root [m], increasing
    half: (n,) half thickness [m]
    root_radius: r_f of the root circle [m]; infinite for a rack
    internal: whether it stands on the inside of a ring
    """

    height: np.ndarray
    half: np.ndarray
    root_radius: float
    internal: bool

    @property
    def root_angle(self) -> float:
        """theta_f [rad]: half the angle of the tooth at the root circle; 0 for a rack"""
        return float(np.arcsin(min(self.half[0] / self.root_radius, 1.0)))

    def from_tangent(self, angle: float) -> Tooth:
        """The tooth above the place where the fillet's tangent makes this angle [rad] with the middle line."""
        slope = np.arctan2(-np.diff(self.half), np.diff(self.height))
        steep = np.flatnonzero(slope >= angle)
        first = int(steep[-1]) + 1 if len(steep) else 0
        return Tooth(self.height[first:], self.half[first:], self.root_radius, self.internal)


@dataclass(frozen=True)
class ToothLoad:
    """Where and how a normal force acts on a tooth; arrays of one shape.

    height: y_c [m]
    half: h_c [m]
    angle: alpha_F [rad]
    """

    height: Any
    half: Any
    angle: Any

    @property
    def lever(self) -> Any:
        """u [m]: height at which the line of the force crosses the middle line"""
        return self.height - self.half * np.tan(self.angle)

    @property
    def depth(self) -> Any:
        """From the contact along the normal to the middle line [m]: how far the contact's stresses spread"""
        return self.half / np.cos(self.angle)


def tooth_of(gear: Gear) -> Tooth:
    """The tooth of a gear, with its generated fillet."""
    height, half = half_tooth(gear, *POINTS).edge()
    return Tooth(height, half, gear.root_diameter / 2, gear.internal)


def load_on(gear: Gear, curvature: Any) -> ToothLoad:
    """A contact where the flank has this radius of curvature [m]."""
    base = gear.base_diameter / 2
    rho = np.asarray(curvature, dtype=float)
    alpha = np.arctan2(rho, base)
    radius = np.hypot(base, rho)
    psi = gear.base_half_angle - involute(alpha)
    root = gear.root_diameter / 2
    if gear.internal:
        psi = pi / gear.teeth - psi
        return ToothLoad(root - radius * np.cos(psi), radius * np.sin(psi), alpha + psi)
    return ToothLoad(radius * np.cos(psi) - root, radius * np.sin(psi), alpha - psi)


def rack_tooth(pair: RackPair) -> Tooth:
    """The tooth of the rack, with the round fillet of the basic rack."""
    height, half = pair.half_tooth(*POINTS).T
    return Tooth(height - height[0], half, np.inf, internal=False)


def load_on_rack(pair: RackPair, position: Any) -> ToothLoad:
    """A contact at a place on the line of action."""
    a, alpha = pair.a, pair.working_pressure_angle
    above = pair.working_distance - pair.contact_point(position)[..., 0]
    root = -a.rack.dedendum * a.module + pair.rack_thickness_allowance / (2 * tan(a.normal_pressure_angle))
    half = pair.rack_thickness / 2 - above * tan(alpha)
    return ToothLoad(above - root, half, np.full_like(above, alpha))


def teeth_of(pair: GearPair | RackPair) -> tuple[Tooth, Tooth]:
    """The teeth of both wheels."""
    return tooth_of(pair.a), rack_tooth(pair) if isinstance(pair, RackPair) else tooth_of(pair.b)


def loads_at(pair: GearPair | RackPair, position: Any) -> tuple[ToothLoad, ToothLoad]:
    """How the teeth of a pair are loaded that touch at `position` on the line of action."""
    position = np.asarray(position, dtype=float)
    if isinstance(pair, RackPair):
        return load_on(pair.a, position), load_on_rack(pair, position)
    return load_on(pair.a, position), load_on(pair.b, pair.path.curvature_b(position))
