"""Two cylindrical gears in mesh on parallel axes (ISO 21771:2007, clause 5).

Wheel a is external; wheel b is external or a ring. With S = -1 for a ring and +1 otherwise, and positive diameters:

    a_d = m_t |z_a + S z_b| / 2                             reference centre distance
    inv(alpha_wt) = inv(alpha_t) + 2 tan(alpha_n) (x_a + x_b) / (z_a + S z_b)     without backlash
    a_w = a_d cos(alpha_t) / cos(alpha_wt)                  working centre distance
    d_w = d_base / cos(alpha_wt)                            working (rolling) circles: d_wb = (z_b/z_a) d_wa
    T1T2 = a_w sin(alpha_wt)                                between the ends of the line of action
    epsilon_beta = b sin(beta) / (pi m_n)                   overlap ratio
    epsilon_gamma = epsilon_alpha + epsilon_beta            total contact ratio
    c_a = a_w - d_aa/2 - d_fb/2 (external)                  tip clearance of wheel a

The centre distance may be given; else it is the one at which the profile shifts leave no backlash (allowances then
give the backlash). Angles and contact points for a picture or a simulation: `contact_angles`, with wheel a in the
origin, wheel b on the x axis and wheel a driving in the positive sense.
"""

from __future__ import annotations

from functools import cached_property
from math import acos, cos, degrees, isclose, pi, sin, tan
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from .basic_rack import ISO_53_A, BasicRack
from .gear import Gear
from .in_notebooks import WithSheet
from .involute import GeometryError, curvature_at, inverse_involute, involute
from .outline import flank_curvatures
from .path_of_contact import ContactRatios, PathOfContact


@dataclass(frozen=True)
class GearPair(ContactRatios, WithSheet):
    """A pair of cylindrical gears.

    a: external gear
    b: external gear or ring
    centre_distance: a_w [m], always positive; None for the one without backlash
    """

    a: Gear
    b: Gear
    centre_distance: float | None = None

    def __repr__(self) -> str:
        kind = "and a ring of" if self.b.internal else "and"
        sizes = f"{self.a.teeth:g} {kind} {self.b.teeth:g} teeth, module {self.a.module * 1e3:g} mm"
        distance = "" if self.centre_distance is None else f", {self.centre_distance * 1e3:g} mm apart"
        return f"<GearPair of {sizes}{distance}; `pair.a` and `pair.b` are the wheels>"

    @classmethod
    def of(
        cls,
        teeth: tuple[float, float],
        module: float,
        *,
        internal: bool = False,
        rack: BasicRack = ISO_53_A,
        helix_angle: float = 0.0,
        profile_shift: tuple[float, float] = (0.0, 0.0),
        tip_alteration: tuple[float, float] = (0.0, 0.0),
        thickness_allowance: tuple[float, float] = (0.0, 0.0),
        face_width: float = 0.0,
        centre_distance: float | None = None,
    ) -> GearPair:
        """A pair from the data of both gears; `helix_angle` is that of wheel a, the other hand follows from the kind.

        >>> pair = GearPair.of((12, 24), 3e-3, profile_shift=(0.6, 0.36))
        >>> round(degrees(pair.working_pressure_angle), 3)
        26.089
        """
        hands = (helix_angle, helix_angle if internal else -helix_angle)
        a, b = (
            Gear(
                teeth=teeth[k],
                module=module,
                rack=rack,
                helix_angle=hands[k],
                profile_shift=profile_shift[k],
                tip_alteration=tip_alteration[k],
                thickness_allowance=thickness_allowance[k],
                face_width=face_width,
                internal=internal and k == 1,
            )
            for k in (0, 1)
        )
        return cls(a, b, centre_distance)

    def __post_init__(self) -> None:
        a, b = self.a, self.b
        if a.internal:
            raise GeometryError("the first wheel of a pair must be external; name the ring second")
        if not isclose(a.module, b.module, rel_tol=1e-9):
            raise GeometryError(
                f"wheels in mesh need one module, but these have {a.module * 1e3:.6g} and {b.module * 1e3:.6g} mm"
            )
        if not isclose(a.normal_pressure_angle, b.normal_pressure_angle, rel_tol=1e-9):
            raise GeometryError(
                f"wheels in mesh need one pressure angle, but these have {degrees(a.normal_pressure_angle):.6g} and "
                f"{degrees(b.normal_pressure_angle):.6g} deg"
            )
        if not isclose(a.helix_angle, -self.sign * b.helix_angle, abs_tol=1e-9):
            wanted = "equal" if b.internal else "opposite"
            raise GeometryError(
                f"an {'internal' if b.internal else 'external'} pair on parallel axes needs {wanted} helix angles, but "
                f"these are {degrees(a.helix_angle):.6g} and {degrees(b.helix_angle):.6g} deg"
            )
        if b.internal and b.teeth <= a.teeth:
            raise GeometryError(
                f"a ring needs more teeth than the wheel inside it, but has {b.teeth:g} against {a.teeth:g}"
            )
        least = self.reference_centre_distance * cos(self.a.transverse_pressure_angle)
        if self.centre_distance is None:
            shifts = self.no_backlash_involute
            if shifts < 0:
                raise GeometryError(
                    f"profile shifts of {a.profile_shift:.4g} and {b.profile_shift:.4g} leave no centre distance "
                    f"without backlash: the involute function of the working pressure angle would be {shifts:.3g}, "
                    f"below zero; {'lower' if b.internal else 'raise'} their sum"
                )
        elif self.centre_distance <= least:
            raise GeometryError(
                f"the centre distance of {self.centre_distance * 1e3:.6g} mm is below {least * 1e3:.6g} mm, where the "
                f"base circles {'come inside each other' if b.internal else 'touch'}; no involute meshes there"
            )

    # -- centre distance

    @property
    def sign(self) -> int:
        """S: +1 for an external, -1 for an internal pair"""
        return self.b.sign

    @property
    def internal(self) -> bool:
        return self.b.internal

    @property
    def teeth_sum(self) -> float:
        """z_a + S z_b: negative for an internal pair, as in ISO 21771"""
        return self.a.teeth + self.sign * self.b.teeth

    @property
    def gear_ratio(self) -> float:
        """u = z_b / z_a"""
        return self.b.teeth / self.a.teeth

    @property
    def reference_centre_distance(self) -> float:
        """a_d = m_t |z_a + S z_b| / 2 [m]"""
        return abs(self.teeth_sum) * self.a.transverse_module / 2

    @property
    def no_backlash_involute(self) -> float:
        """inv(alpha_wt) at which nominal teeth (E_sn = 0) have no backlash"""
        shift = self.a.profile_shift + self.b.profile_shift
        alpha = self.a.transverse_pressure_angle
        return float(involute(alpha)) + 2 * tan(self.a.normal_pressure_angle) * shift / self.teeth_sum

    @cached_property
    def working_pressure_angle(self) -> float:
        """alpha_wt [rad]: cos(alpha_wt) = a_d cos(alpha_t) / a_w"""
        if self.centre_distance is None:
            return float(inverse_involute(self.no_backlash_involute))
        alpha = self.a.transverse_pressure_angle
        return acos(self.reference_centre_distance * cos(alpha) / self.centre_distance)

    @cached_property
    def working_centre_distance(self) -> float:
        """a_w [m]"""
        if self.centre_distance is not None:
            return self.centre_distance
        alpha = self.a.transverse_pressure_angle
        return self.reference_centre_distance * cos(alpha) / cos(self.working_pressure_angle)

    @property
    def shift_sum_for_centre_distance(self) -> float:
        """x_a + x_b that would leave no backlash at this centre distance"""
        alpha = self.a.transverse_pressure_angle
        rise = float(involute(self.working_pressure_angle) - involute(alpha))
        return rise * self.teeth_sum / (2 * tan(self.a.normal_pressure_angle))

    @property
    def clearance_keeping_alteration(self) -> float:
        """k = (a_w - a_d)/m_n - (x_a + x_b) (external pairs): shortens the teeth so that the tip clearance stays that
        of the basic rack; zero for internal pairs, which lose none."""
        if self.internal:
            return 0.0
        gained = (self.working_centre_distance - self.reference_centre_distance) / self.a.module
        return min(gained - self.a.profile_shift - self.b.profile_shift, 0.0)

    # -- circles of the pair

    @property
    def working_diameters(self) -> tuple[float, float]:
        """d_w of both wheels [m]"""
        cosine = cos(self.working_pressure_angle)
        return self.a.base_diameter / cosine, self.b.base_diameter / cosine

    @property
    def working_helix_angle(self) -> float:
        """beta_w of wheel a [rad]: tan(beta_w) = tan(beta_b) / cos(alpha_wt)"""
        return float(np.arctan(tan(self.a.base_helix_angle) / cos(self.working_pressure_angle)))

    @property
    def working_pitch(self) -> float:
        """p_wt = pi d_w / z [m]"""
        return pi * self.working_diameters[0] / self.a.teeth

    @property
    def tip_clearances(self) -> tuple[float, float]:
        """c [m] of the tip of wheel a in the roots of b, and of the tip of b in those of a"""
        a, b, distance = self.a, self.b, self.working_centre_distance
        if self.internal:
            return (
                (b.root_diameter - a.tip_diameter) / 2 - distance,
                (b.tip_diameter - a.root_diameter) / 2 - distance,
            )
        return (
            distance - (a.tip_diameter + b.root_diameter) / 2,
            distance - (b.tip_diameter + a.root_diameter) / 2,
        )

    # -- contact

    @property
    def face_width(self) -> float:
        """b_w [m]: the common face width, the smaller of the two"""
        return min(self.a.face_width, self.b.face_width)

    @cached_property
    def tip_path(self) -> PathOfContact:
        """The path of contact between the tip circles, whatever lies below the flanks (the text-book one)."""
        a, b = self.a, self.b
        angle, distance = self.working_pressure_angle, self.working_centre_distance
        tangent = self.sign * distance * sin(angle)
        reach_b = float(curvature_at(b.tip_diameter / 2, b.base_diameter / 2))
        return PathOfContact(
            start=tangent - self.sign * reach_b,
            end=float(curvature_at(a.tip_diameter / 2, a.base_diameter / 2)),
            pitch_point=a.base_diameter / 2 * tan(angle),
            base_pitch=a.base_pitch,
            tangent_length=tangent,
        )

    @cached_property
    def path(self) -> PathOfContact:
        """The path of contact, cut off where a flank has no involute: below its form circle, or where flanks meet."""
        whole = self.tip_path
        (foot_a, tip_a), (foot_b, tip_b) = flank_curvatures(self.a), flank_curvatures(self.b)
        # The tip of wheel b meets the root of wheel a at the near end, and the other way round at the far end.
        start = max(whole.tangent_length - self.sign * tip_b, foot_a)
        end = min(tip_a, whole.tangent_length - self.sign * foot_b)
        return PathOfContact(start, end, whole.pitch_point, whole.base_pitch, whole.tangent_length)

    def radii(self, position: Any) -> tuple[Any, Any]:
        """Radii [m] on wheel a and wheel b of the contact at a position on the line of action."""
        position = np.asarray(position, dtype=float)
        return (
            np.hypot(self.a.base_diameter / 2, position),
            np.hypot(self.b.base_diameter / 2, self.path.curvature_b(position)),
        )

    def specific_sliding(self, position: Any) -> tuple[Any, Any]:
        """zeta_a, zeta_b: sliding speed over the rolling speed of either flank, 1 - (rho_b/u)/rho_a and the inverse."""
        rho_a = np.asarray(position, dtype=float)
        rho_b = self.path.curvature_b(position)
        with np.errstate(divide="ignore"):
            return 1 - rho_b / (self.gear_ratio * rho_a), 1 - self.gear_ratio * rho_a / rho_b

    # -- position of teeth

    @property
    def centre_b(self) -> np.ndarray:
        """Centre (x, y) [m] of wheel b when wheel a is in the origin and the pitch point on the positive x axis"""
        return np.array([self.sign * self.working_centre_distance, 0.0])

    def contact_angles(self, position: Any) -> tuple[Any, Any]:
        """Polar angles [rad] of the middle of the tooth of wheel a and of the mating tooth of wheel b (of the space
        of a ring) whose flanks touch at `position`, wheel a driving in the positive sense.

        Unwinding the strings of both base circles: phi = -alpha_wt + rho/r_b - psi_b, seen from the other wheel.
        """
        position = np.asarray(position, dtype=float)
        a, b, angle = self.a, self.b, self.working_pressure_angle
        own = -angle + position / (a.base_diameter / 2) - a.base_half_angle
        other = -angle + self.path.curvature_b(position) / (b.base_diameter / 2) - b.base_half_angle
        return own, other if self.internal else other + pi
