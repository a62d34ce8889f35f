"""Tooth and mesh stiffness by ISO 6336-1:2006 (clause 9), method B.

For a pair of teeth, per unit face width, in N/(mm um):

    q' = C1 + C2/z_na + C3/z_nb + C4 x_a + C5 x_a/z_na + C6 x_b + C7 x_b/z_nb + C8 x_a^2 + C9 x_b^2    [mm um/N]
    c'_th = 1/q'
    c' = c'_th C_M C_R C_B cos(beta)                     largest stiffness of a single pair
    C_M = 0.8                                            from theory to measurement
    C_R = 1 + ln(b_s/b) / (5 exp(s_R/(5 m_n)))           web of thickness b_s, rim of thickness s_R; 1 for solid discs
    C_B = (1 + 0.5 (1.2 - h_fP/m_n)) (1 - 0.02 (20 deg - alpha_n))   basic rack
    c_gamma_alpha = c' (0.75 epsilon_alpha + 0.25)       mean of the mesh, for epsilon_alpha >= 1.2
    c_gamma_beta = 0.85 c_gamma_alpha                    for the distribution across the face

for steel on steel (E = 206 GPa); other materials scale with E = 2 E_a E_b/(E_a + E_b). z_n are the virtual numbers of
teeth; for internal gears z_nb is infinite. Below F_t K_A/b = 100 N/mm, c' = c'_th ... ((F_t K_A/b)/100)^0.25. Valid
for x_a >= x_b and -0.5 <= x_a + x_b <= 2. Below epsilon_alpha = 1.2 the standard allows c' up to 10 per cent smaller,
which is not done here.

ISO counts stiffness in the normal section along the normal; here it is turned to the transverse line of action as it
stands, as the standard itself does when it uses c_gamma for the resonance speed. The standard knows nothing of the
course over a mesh cycle: a single pair has c' b all along its path, the mesh c_gamma_alpha b at every phase.
"""

from __future__ import annotations

from math import cos, degrees, exp, inf, log
from typing import Any

import numpy as np

from wheelwork.gears.involute import GeometryError

from ..pair import GearPair
from ..rack_pair import RackPair
from .base import MeshStiffness
from .material import STEEL, Materials, of_wheels

C = (0.04723, 0.15551, 0.25791, -0.00635, -0.11654, -0.00193, -0.24188, 0.00529, 0.00182)
REFERENCE_MODULUS = 206e9  # [Pa]
UNIT = 1e9  # N/(mm um) in Pa


class Iso6336(MeshStiffness):
    """c' and c_gamma of ISO 6336-1.

    materials: of both wheels, or of wheel a and wheel b
    web: (b_s, s_R) [m], thickness of the web and of the rim; None for solid discs
    line_load: F_t K_A / b [N/m], where it is below 100 N/mm
    """

    name = "ISO 6336-1"

    def __init__(
        self,
        pair: GearPair | RackPair,
        materials: Materials = STEEL,
        web: tuple[float, float] | None = None,
        line_load: float | None = None,
    ) -> None:
        super().__init__(pair)
        self.materials, self.web, self.line_load = of_wheels(materials), web, line_load
        if line_load is not None and line_load <= 0:
            raise GeometryError(f"a line load must be greater than zero, but is {line_load:.4g} N/m")

    @property
    def theoretical(self) -> float:
        """c'_th [Pa] (1 N/(mm um) is 1 GPa)"""
        (z_a, x_a), (z_b, x_b) = self._pinion_and_wheel()
        c1, c2, c3, c4, c5, c6, c7, c8, c9 = C
        flexibility = c1 + c2 / z_a + c3 / z_b + c4 * x_a + c5 * x_a / z_a + c6 * x_b + c7 * x_b / z_b
        return UNIT / (flexibility + c8 * x_a**2 + c9 * x_b**2)

    def _pinion_and_wheel(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """z_n and x; the series is not symmetric, and its first wheel is the one with fewer teeth"""
        a = self.pair.a
        first = (a.virtual_teeth, a.profile_shift)
        if isinstance(self.pair, RackPair):
            return first, (inf, 0.0)
        b = self.pair.b
        second = (inf if b.internal else b.virtual_teeth, b.profile_shift)
        fewer = second[0] < first[0] or (second[0] == first[0] and second[1] > first[1])
        return (second, first) if fewer else (first, second)

    @property
    def single(self) -> float:
        """c' [Pa]"""
        a = self.pair.a
        body = 1.0
        if self.web is not None:
            thickness, rim = self.web
            body = 1 + log(thickness / self.pair.face_width) / (5 * exp(rim / (5 * a.module)))
        rack = (1 + 0.5 * (1.2 - a.rack.dedendum)) * (1 - 0.02 * (20 - degrees(a.normal_pressure_angle)))
        e_a, e_b = (m.youngs_modulus for m in self.materials)
        out = self.theoretical * 0.8 * body * rack * cos(a.helix_angle)
        out *= 2 * e_a * e_b / (e_a + e_b) / REFERENCE_MODULUS
        if self.line_load is not None:
            out *= min(self.line_load / 100e3, 1.0) ** 0.25
        return out

    @property
    def mean(self) -> float:
        """c_gamma_alpha [Pa]"""
        return self.single * (0.75 * self.pair.transverse_contact_ratio + 0.25)

    @property
    def across_face(self) -> float:
        """c_gamma_beta [Pa]"""
        return 0.85 * self.mean

    @property
    def out_of_range(self) -> str:
        """What of the profile shifts is outside of that for which the standard's series holds; empty if nothing is"""
        (_, x_a), (_, x_b) = self._pinion_and_wheel()
        if x_a >= x_b and -0.5 <= x_a + x_b <= 2:
            return ""
        return (
            f"ISO 6336-1 gives c' for profile shifts of the pinion not below the wheel's, with a sum of -0.5 "
            f"to 2; they are {x_a:.4g} and {x_b:.4g}, so that c' is extrapolated"
        )

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        inside = self.within(np.asarray(position, dtype=float))
        return np.where(inside, self.single * self.pair.face_width, 0.0)

    def mesh_stiffness(self, phase: Any, force: float | None = None) -> Any:
        return np.full(np.shape(phase), self.mean * self.pair.face_width)
