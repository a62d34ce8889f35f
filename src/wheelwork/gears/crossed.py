"""Crossed helical gears: two cylindrical gears on axes that neither cut nor are parallel (ISO 21771:2007, clause 6).

    Sigma = beta_a + beta_b                   shaft angle, right-handed helices positive
    d = z m_n / cos(beta)                     reference diameters
    a = (d_a + d_b) / 2                       centre distance without profile shift
    v_g / v_a = sin(Sigma) / cos(beta_b)      sliding along the teeth over the pitch speed of wheel a

Contact is in a point, and a path of contact leaves the transverse plane: contact ratio, stiffness and backlash of
parallel axes do not apply.
"""

from __future__ import annotations

from math import cos, sin

from wheelwork.lazy import dataclass

from .in_notebooks import WithSheet


@dataclass(frozen=True)
class CrossedPair(WithSheet):
    """Two helical gears on crossed axes.

    teeth: z_a, z_b
    module: m_n [m]
    helix_angles: beta_a, beta_b [rad], positive right-handed
    """

    teeth: tuple[int, int]
    module: float
    helix_angles: tuple[float, float]

    @property
    def shaft_angle(self) -> float:
        """Sigma = beta_a + beta_b [rad]"""
        return self.helix_angles[0] + self.helix_angles[1]

    @property
    def reference_diameters(self) -> tuple[float, float]:
        """d_a, d_b [m]"""
        (z_a, z_b), (beta_a, beta_b) = self.teeth, self.helix_angles
        return z_a * self.module / cos(beta_a), z_b * self.module / cos(beta_b)

    @property
    def centre_distance(self) -> float:
        """a [m]"""
        return sum(self.reference_diameters) / 2

    @property
    def gear_ratio(self) -> float:
        """u = z_b / z_a; not the ratio of the diameters"""
        return self.teeth[1] / self.teeth[0]

    @property
    def sliding_ratio(self) -> float:
        """v_g / v_a: sliding along the teeth for each unit of pitch speed of wheel a"""
        return abs(sin(self.shaft_angle) / cos(self.helix_angles[1]))
