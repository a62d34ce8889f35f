"""One cylindrical involute gear, external or internal, spur or helical, with profile shift (ISO 21771:2007, clause 4).

ISO 21771 gives an internal gear a negative number of teeth, and with it negative diameters. Here teeth and diameters
are positive and `internal` carries the sign: with S = -1 for an internal gear and +1 otherwise, the formulas of the
standard read

    m_t = m_n / cos(beta)                                    transverse module
    tan(alpha_t) = tan(alpha_n) / cos(beta)                  transverse pressure angle
    sin(beta_b) = sin(beta) cos(alpha_n)                     base helix angle
    d = z m_t                                                reference diameter
    d_b = d cos(alpha_t)                                     base diameter
    d_a = d + 2 S m_n (x + h*_aP + k)                        tip diameter
    d_f = d - 2 S m_n (h*_fP - x_E)                          root diameter, as generated
    x_E = x + E_sn / (2 m_n tan(alpha_n))                    generating profile shift
    p_t = pi m_t,  p_bt = p_t cos(alpha_t)                   pitch at the reference and base circle
    s_t = m_t (pi/2 + 2 x tan(alpha_n)) + E_sn / cos(beta)   transverse tooth thickness at the reference circle
    e_t = p_t - s_t                                          space width there
    s_y = d_y (s_t/d + S (inv(alpha_t) - inv(alpha_y)))      tooth thickness at the diameter d_y

So a positive profile shift makes the teeth thicker on both kinds of gear, and the diameters of an internal gear
*smaller*: that is the sign of ISO 21771 and DIN 3960. (Some catalogues count x of an internal gear the other way.)
The thickness allowance E_sn is counted in the normal section; it is negative where the teeth are made thinner to give
backlash.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from math import asin, atan, cos, degrees, inf, pi, radians, sin, tan
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from .basic_rack import ISO_53_A, BasicRack
from .involute import GeometryError, inverse_involute, involute, pressure_angle_at


@dataclass(frozen=True)
class Gear:
    """A cylindrical gear.

    teeth: z, always positive; whole, but for the virtual gears of bevel pairs
    module: normal module m_n [m]
    rack: its basic rack
    helix_angle: beta at the reference circle [rad], positive for a right-handed helix
    profile_shift: coefficient x
    tip_alteration: coefficient k; negative shortens the teeth
    thickness_allowance: E_sn [m], in the normal section; negative makes the teeth thinner
    face_width: b [m]; 0 where it is not known
    internal: whether it is a ring with the teeth inside

    >>> pinion = Gear(teeth=17, module=2e-3)
    >>> round(pinion.tip_diameter * 1e3, 9)
    38.0
    """

    teeth: float
    module: float
    rack: BasicRack = ISO_53_A
    helix_angle: float = 0.0
    profile_shift: float = 0.0
    tip_alteration: float = 0.0
    thickness_allowance: float = 0.0
    face_width: float = 0.0
    internal: bool = False

    def __post_init__(self) -> None:
        if self.teeth < 3:
            raise GeometryError(f"a gear needs at least 3 teeth, but {self.teeth:g} were given")
        if self.module <= 0:
            raise GeometryError(f"a module must be greater than zero, but is {self.module * 1e3:.4g} mm")
        if abs(self.helix_angle) >= radians(60):
            raise GeometryError(
                f"a helix angle must stay below 60 deg, but is {degrees(self.helix_angle):.4g} deg "
                "(angles are in radians)"
            )
        if self.face_width < 0:
            raise GeometryError(f"a face width is not negative, but {self.face_width * 1e3:.4g} mm was given")
        low, high = sorted((self.tip_diameter, self.root_diameter))
        if not 0 < low < high or (self.tip_diameter > self.root_diameter) == self.internal:
            raise GeometryError(
                f"a gear of {self.teeth:g} teeth has no height: its tip diameter would be "
                f"{self.tip_diameter * 1e3:.4g} mm and its root diameter {self.root_diameter * 1e3:.4g} mm; look at "
                "profile_shift and tip_alteration"
            )
        if not 0 < self.reference_thickness < self.transverse_pitch:
            raise GeometryError(
                f"a tooth of a gear of {self.teeth:g} teeth would be {self.reference_thickness * 1e3:.4g} mm thick on "
                f"the reference circle, where a pitch is {self.transverse_pitch * 1e3:.4g} mm; look at profile_shift "
                "and thickness_allowance"
            )

    def with_(self, **changes: Any) -> Gear:
        """The same gear with some data changed."""
        return replace(self, **changes)

    # -- the section

    @property
    def sign(self) -> int:
        """S: +1 for an external, -1 for an internal gear."""
        return -1 if self.internal else 1

    @property
    def normal_pressure_angle(self) -> float:
        """alpha_n [rad]"""
        return self.rack.pressure_angle

    @property
    def transverse_module(self) -> float:
        """m_t = m_n / cos(beta) [m]"""
        return self.module / cos(self.helix_angle)

    @property
    def transverse_pressure_angle(self) -> float:
        """alpha_t, from tan(alpha_t) = tan(alpha_n) / cos(beta) [rad]"""
        return atan(tan(self.rack.pressure_angle) / cos(self.helix_angle))

    @property
    def base_helix_angle(self) -> float:
        """beta_b, from sin(beta_b) = sin(beta) cos(alpha_n) [rad]"""
        return asin(sin(self.helix_angle) * cos(self.rack.pressure_angle))

    @property
    def lead(self) -> float:
        """p_z = pi d / tan(|beta|) [m], the advance of a flank in one turn; infinite for a spur gear"""
        return inf if self.helix_angle == 0 else pi * self.reference_diameter / tan(abs(self.helix_angle))

    @property
    def virtual_teeth(self) -> float:
        """z_n = z / (cos(beta_b)^2 cos(beta)): teeth of the spur gear with the normal section's shape"""
        return self.teeth / (cos(self.base_helix_angle) ** 2 * cos(self.helix_angle))

    # -- circles

    @property
    def reference_diameter(self) -> float:
        """d = z m_t [m]"""
        return self.teeth * self.transverse_module

    @property
    def base_diameter(self) -> float:
        """d_b = d cos(alpha_t) [m]"""
        return self.reference_diameter * cos(self.transverse_pressure_angle)

    @property
    def tip_diameter(self) -> float:
        """d_a = d + 2 S m_n (x + h*_aP + k) [m]"""
        height = self.profile_shift + self.rack.addendum + self.tip_alteration
        return self.reference_diameter + 2 * self.sign * self.module * height

    @property
    def generating_profile_shift(self) -> float:
        """x_E = x + E_sn / (2 m_n tan(alpha_n)): the shift of the tool that also makes the allowance"""
        return self.profile_shift + self.thickness_allowance / (
            2 * self.module * tan(self.rack.pressure_angle)
        )

    @property
    def root_diameter(self) -> float:
        """d_f = d - 2 S m_n (h*_fP - x_E) [m]: the tool that makes the allowance goes deeper by its part of x_E"""
        depth = self.rack.dedendum - self.generating_profile_shift
        return self.reference_diameter - 2 * self.sign * self.module * depth

    # -- pitches and thicknesses

    @property
    def transverse_pitch(self) -> float:
        """p_t = pi m_t [m]"""
        return pi * self.transverse_module

    @property
    def base_pitch(self) -> float:
        """p_bt = p_t cos(alpha_t) = pi d_b / z [m]: the distance of neighbouring flanks along the line of action"""
        return pi * self.base_diameter / self.teeth

    @property
    def reference_thickness(self) -> float:
        """s_t at the reference circle, in the transverse section [m]"""
        shape = pi / 2 + 2 * self.profile_shift * tan(self.rack.pressure_angle)
        return self.transverse_module * shape + self.thickness_allowance / cos(self.helix_angle)

    @cached_property
    def base_half_angle(self) -> float:
        """psi_b [rad]: half the angle that the involutes of one tooth (of one space of a ring) span on the base circle.

        psi_b = s_t / d + inv(alpha_t), for a ring with the space width e_t in place of s_t. The flank is then at the
        polar angle psi_b - inv(alpha_y) from the middle of the tooth (of the space).
        """
        width = (
            self.transverse_pitch - self.reference_thickness if self.internal else self.reference_thickness
        )
        return width / self.reference_diameter + float(involute(self.transverse_pressure_angle))

    def thickness(self, diameter: Any) -> Any:
        """Transverse tooth thickness s_y [m], an arc of the circle of this diameter, at or above the base circle."""
        inner = np.asarray(diameter, dtype=float)
        if np.any(inner < self.base_diameter * (1 - 1e-12)):
            raise GeometryError(
                f"there is no involute at a diameter of {np.min(inner) * 1e3:.6g} mm: the base circle has "
                f"{self.base_diameter * 1e3:.6g} mm"
            )
        flank = self.base_half_angle - involute(pressure_angle_at(inner, self.base_diameter))
        arc = inner * flank
        out = pi * inner / self.teeth - arc if self.internal else arc
        return out if out.ndim else float(out)

    def space_width(self, diameter: Any) -> Any:
        """Transverse space width e_y = pi d_y / z - s_y [m]."""
        return pi * np.asarray(diameter, dtype=float) / self.teeth - self.thickness(diameter)

    @property
    def tip_thickness(self) -> float:
        """s_a [m]: arc of the tip circle; negative where the flanks cross below it. A ring whose tip circle lies
        inside its base circle has no involute there; its flanks are then counted radial below the base circle."""
        return float(self.thickness(max(self.tip_diameter, self.base_diameter)))

    @property
    def pointed_diameter(self) -> float:
        """The diameter [m] at which the flanks of an external tooth meet: inv(alpha_y) = psi_b."""
        if self.internal:
            raise GeometryError(
                "the teeth of a ring do not come to a point: they grow thicker towards the root"
            )
        return self.base_diameter / cos(float(inverse_involute(self.base_half_angle)))

    # -- limits of generation by a rack

    @property
    def least_profile_shift(self) -> float:
        """x_min = h*_FfP - z sin(alpha_t)^2 / (2 cos(beta)): with a smaller generating shift a rack-type tool
        undercuts.

        ISO 21771:2007, 7.7. For the rack with a sharp corner this gives the familiar z_min = 2 h*/sin(alpha)^2 = 17.
        """
        alpha = self.transverse_pressure_angle
        return self.rack.form_dedendum - self.teeth * sin(alpha) ** 2 / (2 * cos(self.helix_angle))
