"""The path of contact: the part of the line of action on which tooth pairs touch (ISO 21771:2007, 5.4).

In the transverse section the line of action is the common tangent of the base circles; it touches them at T1 and T2
and crosses the line of centres at the pitch point C. A place on it is given by its distance from T1, which is the
radius of curvature rho_a of the flank of wheel a there. While wheel a drives, a pair of teeth travels

    A   first contact: the tip of wheel b (or where its counterpart on wheel a has no involute any more)
    B   lower point of single contact: E - p_bt; here the pair before leaves contact
    C   pitch point: no sliding
    D   upper point of single contact: A + p_bt; here the pair behind takes over its share
    E   last contact: the tip of wheel a

(B and D as for a contact ratio between 1 and 2.) With the sum of curvatures T = T1T2 the flank of wheel b has
rho_b = T - rho_a in an external pair, rho_b = rho_a + T in an internal one, and is straight in a rack.

    g_alpha = E - A               length of the path of contact
    epsilon_alpha = g_alpha/p_bt  transverse contact ratio
    g_f = C - A, g_a = E - C      approach and recess (wheel a driving)
"""

from __future__ import annotations

from math import cos, inf, pi, sin
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class PathOfContact:
    """The path of contact of a pair; all places [m] are distances from T1.

    start, end: A and E
    pitch_point: C
    base_pitch: p_bt [m]
    tangent_length: T = T1T2 [m], negative for an internal pair and infinite for a rack
    """

    start: float
    end: float
    pitch_point: float
    base_pitch: float
    tangent_length: float

    @property
    def length(self) -> float:
        """g_alpha [m]; zero or less where teeth never reach each other"""
        return self.end - self.start

    @property
    def contact_ratio(self) -> float:
        """epsilon_alpha = g_alpha / p_bt"""
        return self.length / self.base_pitch

    @property
    def lower_single_contact(self) -> float:
        """B = E - p_bt [m]"""
        return self.end - self.base_pitch

    @property
    def upper_single_contact(self) -> float:
        """D = A + p_bt [m]"""
        return self.start + self.base_pitch

    @property
    def points(self) -> dict[str, float]:
        """A, B, C, D, E by name [m]"""
        return {
            "A": self.start,
            "B": self.lower_single_contact,
            "C": self.pitch_point,
            "D": self.upper_single_contact,
            "E": self.end,
        }

    def curvature_b(self, position: Any) -> Any:
        """rho_b [m]: of wheel b; infinite for a rack"""
        position = np.asarray(position, dtype=float)
        if self.tangent_length == inf:
            return np.full_like(position, inf)
        return np.abs(self.tangent_length - position)

    def reduced_curvature(self, position: Any) -> Any:
        """rho_red [m] of the contact: 1/rho_red = 1/rho_a +- 1/rho_b, minus where b is hollow (a ring)"""
        rho_a = np.asarray(position, dtype=float)
        rho_b = self.curvature_b(position)
        with np.errstate(divide="ignore"):
            return 1 / (1 / rho_a + np.sign(self.tangent_length) / rho_b)

    def pairs_in_contact(self, position: Any) -> Any:
        """How many pairs touch when one of them (perhaps beyond an end) is at `position`: those at
        position + i p_bt, i whole, between A and E."""
        first = np.ceil((self.start - np.asarray(position, dtype=float)) / self.base_pitch - 1e-12)
        last = np.floor((self.end - np.asarray(position, dtype=float)) / self.base_pitch + 1e-12)
        return np.maximum(last - first + 1, 0).astype(int)


class ContactRatios:
    """How many pairs of teeth touch on average, and where: of pairs with a path of contact, wheel `a`, a face width."""

    @property
    def transverse_contact_ratio(self: Any) -> float:
        """epsilon_alpha"""
        return self.path.contact_ratio

    @property
    def overlap_ratio(self: Any) -> float:
        """epsilon_beta = b sin(|beta|) / (pi m_n)"""
        return self.face_width * sin(abs(self.a.helix_angle)) / (pi * self.a.module)

    @property
    def total_contact_ratio(self) -> float:
        """epsilon_gamma"""
        return self.transverse_contact_ratio + self.overlap_ratio

    def contact_point(self: Any, position: Any) -> np.ndarray:
        """Point (x, y) [m] on the line of action, (..., 2); wheel a in the origin, the pitch point (and a rack, which
        is along y) at positive x."""
        position = np.asarray(position, dtype=float)
        angle, radius = self.working_pressure_angle, self.a.base_diameter / 2
        foot = np.array([radius * cos(angle), -radius * sin(angle)])
        return foot + position[..., None] * np.array([sin(angle), cos(angle)])
