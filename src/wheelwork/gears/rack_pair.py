"""A gear on a rack (ISO 21771:2007, clause 5, with z_b -> infinity).

The rack has the basic rack's profile, with tooth tips h*_aP (+ k) modules above its reference line. Its flanks are
straight, so the working pressure angle is that of the basic rack whatever the distance, and the gear rolls on its
reference circle:

    alpha_wt = alpha_t,  d_w = d
    H = d/2 + x m_n                 distance of the gear's axis from the rack's reference line, without backlash
    rho_C = r_b tan(alpha_t)        pitch point
    A = rho_C - (h_a + r - H) / sin(alpha_t)    from the tip line of the rack, r the reference radius
    E = sqrt(r_a^2 - r_b^2)                     from the tip of the gear

`distance` may be given; moving the rack away from the gear by dH opens the backlash 2 dH tan(alpha_t).
"""

from __future__ import annotations

from functools import cached_property
from math import cos, inf, pi, sin, tan
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from .gear import Gear
from .in_notebooks import WithSheet
from .involute import GeometryError, curvature_at
from .outline import flank_curvatures
from .path_of_contact import ContactRatios, PathOfContact


@dataclass(frozen=True)
class RackPair(ContactRatios, WithSheet):
    """A gear and a rack.

    a: the gear, external
    distance: H [m] from its axis to the rack's reference line; None for the one without backlash
    rack_tip_alteration: k of the rack's teeth, negative where they are shorter
    rack_thickness_allowance: E_sn of the rack's teeth [m]
    rack_face_width: [m]; 0 where it is not known
    """

    a: Gear
    distance: float | None = None
    rack_tip_alteration: float = 0.0
    rack_thickness_allowance: float = 0.0
    rack_face_width: float = 0.0

    def __post_init__(self) -> None:
        if self.a.internal:
            raise GeometryError("a ring does not mesh with a rack; the wheel on a rack must be external")
        if self.working_distance <= 0:
            raise GeometryError(
                f"a rack's distance must be greater than zero, but is {self.working_distance:.4g} m"
            )

    @property
    def working_distance(self) -> float:
        """H [m]"""
        if self.distance is not None:
            return self.distance
        return self.a.reference_diameter / 2 + self.a.profile_shift * self.a.module

    @property
    def working_pressure_angle(self) -> float:
        """alpha_wt = alpha_t [rad]"""
        return self.a.transverse_pressure_angle

    @property
    def addendum(self) -> float:
        """h_a of the rack [m], from its reference line"""
        return (self.a.rack.addendum + self.rack_tip_alteration) * self.a.module

    @property
    def rack_thickness(self) -> float:
        """Transverse tooth thickness of the rack on its reference line [m]"""
        return self.a.transverse_pitch / 2 + self.rack_thickness_allowance / cos(self.a.helix_angle)

    @property
    def face_width(self) -> float:
        """b_w [m]"""
        return min(self.a.face_width, self.rack_face_width)

    @property
    def tip_clearances(self) -> tuple[float, float]:
        """c [m] of the gear's tip in the rack's roots, and of the rack's tip in the gear's roots"""
        a, distance = self.a, self.working_distance
        # The allowance of the rack is made by a tool that goes deeper, as on a gear.
        deeper = -self.rack_thickness_allowance / (2 * tan(a.normal_pressure_angle))
        return (
            distance + a.rack.dedendum * a.module + deeper - a.tip_diameter / 2,
            distance - self.addendum - a.root_diameter / 2,
        )

    @cached_property
    def tip_path(self) -> PathOfContact:
        """The path of contact between the tips, whatever lies below the flanks"""
        a, alpha = self.a, self.working_pressure_angle
        pitch_point = a.base_diameter / 2 * tan(alpha)
        above = self.addendum + a.reference_diameter / 2 - self.working_distance
        return PathOfContact(
            start=pitch_point - above / sin(alpha),
            end=float(curvature_at(a.tip_diameter / 2, a.base_diameter / 2)),
            pitch_point=pitch_point,
            base_pitch=a.base_pitch,
            tangent_length=inf,
        )

    @cached_property
    def path(self) -> PathOfContact:
        """The path of contact, cut off where the gear has no involute and where the rack's flank ends"""
        whole, a, alpha = self.tip_path, self.a, self.working_pressure_angle
        foot, tip = flank_curvatures(a)
        start = max(whole.start, foot)
        deepest = self.working_distance + a.rack.form_dedendum * a.module - a.reference_diameter / 2
        end = min(tip, whole.pitch_point + deepest / sin(alpha))
        return PathOfContact(start, end, whole.pitch_point, whole.base_pitch, inf)

    def contact_angles(self, position: Any) -> tuple[Any, Any]:
        """Polar angle [rad] of the middle of the gear's tooth, and y [m] of the middle of the rack's tooth, whose
        flanks touch at `position`, the gear driving in the positive sense."""
        position = np.asarray(position, dtype=float)
        a, angle = self.a, self.working_pressure_angle
        own = -angle + position / (a.base_diameter / 2) - a.base_half_angle
        x, y = np.moveaxis(self.contact_point(position), -1, 0)
        # The rack's tooth is pushed on its lower flank, thicker towards its root.
        half = self.rack_thickness / 2 + (x - self.working_distance) * tan(angle)
        return own, y + half

    # -- outline

    def half_tooth(self, flank: int = 20, fillet: int = 12) -> np.ndarray:
        """Half a tooth of the rack from root to tip, (n, 2) [m]: height over the reference line, half thickness.

        The fillet is round in the normal section; the transverse section is that stretched by 1/cos(beta).
        """
        m, rack = self.a.module, self.a.rack
        alpha, radius = rack.pressure_angle, rack.root_radius * m
        thinner = self.rack_thickness_allowance / 2
        # The tool that makes the allowance goes deeper, as on a gear.
        root = -rack.dedendum * m + thinner / tan(alpha)
        t = np.linspace(pi / 2, alpha, fillet)
        foot = pi * m / 4 + thinner - (root + radius) * tan(alpha) + radius / cos(alpha)
        round_part = np.column_stack((root + radius - radius * np.sin(t), foot - radius * np.cos(t)))
        y = np.linspace(round_part[-1, 0], self.addendum, flank)
        straight = np.column_stack((y, pi * m / 4 + thinner - y * tan(alpha)))
        return np.concatenate((round_part[:-1], straight)) / [1.0, cos(self.a.helix_angle)]

    def outline(self, teeth: int) -> np.ndarray:
        """Teeth of the rack as a line (n, 2) [m]: along the rack, the middle of the first tooth at 0; height over the
        reference line."""
        half = self.half_tooth()[:, ::-1]
        pitch = self.a.transverse_pitch
        half = np.concatenate(([[pitch / 2, half[0, 1]]], half, [[0.0, half[-1, 1]]]))
        one = np.concatenate((half * [-1.0, 1.0], half[-2::-1]))
        starts = np.column_stack((pitch * np.arange(teeth), np.zeros(teeth)))
        line = (one[:-1] + starts[:, None]).reshape(-1, 2)
        return np.concatenate((line, [one[-1] + starts[-1]]))
