"""Worm pairs, the basic sizes (ISO/TR 10828, ISO 14521, DIN 3975).

    p_x = pi m_x                      axial pitch
    p_z = z_1 p_x                     lead
    q = d_1 / m_x                     diameter quotient
    tan(gamma) = z_1 / q              lead angle at the reference cylinder
    m_n = m_x cos(gamma), tan(alpha_n) = tan(alpha_x) cos(gamma)
    d_2 = z_2 m_x                     wheel
    a = (d_1 + d_2)/2 + x_2 m_x       centre distance
    eta_12 = tan(gamma) / tan(gamma + rho'),   eta_21 = tan(gamma - rho') / tan(gamma)
    tan(rho') = mu / cos(alpha_n)

eta_12 is the efficiency with the worm driving, eta_21 with the wheel driving; gamma <= rho' is self-locking.
"""

from __future__ import annotations

from math import atan, cos, degrees, pi, radians, tan

from wheelwork.lazy import dataclass

from .in_notebooks import WithSheet
from .involute import GeometryError


@dataclass(frozen=True)
class WormPair(WithSheet):
    """A worm and its wheel on axes that cross at right angles.

    threads: z_1
    wheel_teeth: z_2
    axial_module: m_x [m]
    worm_diameter: d_1 [m], reference
    pressure_angle: alpha_n [rad], normal
    profile_shift: x_2 of the wheel
    """

    threads: int
    wheel_teeth: int
    axial_module: float
    worm_diameter: float
    pressure_angle: float = radians(20.0)
    profile_shift: float = 0.0

    def __post_init__(self) -> None:
        if self.threads < 1 or self.wheel_teeth < 3:
            raise GeometryError(
                f"a worm needs at least one thread and its wheel three teeth, but {self.threads} and "
                f"{self.wheel_teeth} were given"
            )
        if self.worm_diameter <= 0 or self.axial_module <= 0:
            raise GeometryError("module and worm diameter must be greater than zero")

    @property
    def gear_ratio(self) -> float:
        """u = z_2 / z_1"""
        return self.wheel_teeth / self.threads

    @property
    def diameter_quotient(self) -> float:
        """q = d_1 / m_x"""
        return self.worm_diameter / self.axial_module

    @property
    def axial_pitch(self) -> float:
        """p_x [m]"""
        return pi * self.axial_module

    @property
    def lead(self) -> float:
        """p_z [m]"""
        return self.threads * self.axial_pitch

    @property
    def lead_angle(self) -> float:
        """gamma [rad]"""
        return atan(self.threads / self.diameter_quotient)

    @property
    def normal_module(self) -> float:
        """m_n [m]"""
        return self.axial_module * cos(self.lead_angle)

    @property
    def axial_pressure_angle(self) -> float:
        """alpha_x [rad]"""
        return atan(tan(self.pressure_angle) / cos(self.lead_angle))

    @property
    def wheel_diameter(self) -> float:
        """d_2 [m]"""
        return self.wheel_teeth * self.axial_module

    @property
    def centre_distance(self) -> float:
        """a [m]"""
        return (self.worm_diameter + self.wheel_diameter) / 2 + self.profile_shift * self.axial_module

    def friction_angle(self, friction: float) -> float:
        """rho' [rad] for a coefficient of friction mu on the flanks"""
        return atan(friction / cos(self.pressure_angle))

    def efficiency(self, friction: float) -> tuple[float, float]:
        """eta_12 (worm drives) and eta_21 (wheel drives; zero or less: self-locking).

        >>> pair = WormPair(2, 30, 3e-3, 44e-3)
        >>> [round(e, 3) for e in pair.efficiency(0.05)]
        [0.714, 0.605]
        """
        gamma, rho = self.lead_angle, self.friction_angle(friction)
        if gamma + rho >= pi / 2:
            raise GeometryError(
                f"with a lead angle of {degrees(gamma):.4g} deg and friction {friction:.3g} the worm cannot drive"
            )
        return tan(gamma) / tan(gamma + rho), tan(gamma - rho) / tan(gamma)

    def self_locking(self, friction: float) -> bool:
        """Whether the wheel cannot drive the worm at this coefficient of friction: gamma <= rho'"""
        return self.lead_angle <= self.friction_angle(friction)
