"""The basic rack: the straight-sided profile that all gears of a system have in common (ISO 53, ISO 21771 clause 4).

A gear of the system is what this rack would generate by rolling, with its tooth tips and spaces exchanged: what is
dedendum and root radius of the gear's own basic rack is addendum and tip radius of the tool that cuts it.

Lengths are in normal modules (the coefficients of the standards, marked * there):

    addendum       h*_aP     from the reference line to the tip line
    dedendum       h*_fP     from the reference line to the root line; tip clearance c*_P = h*_fP - h*_aP
    root_radius    rho*_fP   of the fillet; the tool's tip radius

The fillet must fit: both flanks and the root line leave room for no more than

    rho*_max = (pi/4 - h*_fP tan(alpha_n)) cos(alpha_n) / (1 - sin(alpha_n))

at which the tool has one round tip.
"""

from __future__ import annotations

from math import cos, pi, radians, sin, tan

from wheelwork.lazy import dataclass

from .involute import GeometryError


@dataclass(frozen=True)
class BasicRack:
    """Basic rack tooth profile.

    pressure_angle: alpha_n [rad]
    addendum, dedendum, root_radius: h*_aP, h*_fP, rho*_fP in normal modules
    """

    pressure_angle: float = radians(20.0)
    addendum: float = 1.0
    dedendum: float = 1.25
    root_radius: float = 0.38

    def __post_init__(self) -> None:
        if not 0 < self.pressure_angle < radians(45):
            raise GeometryError(
                f"the pressure angle of a basic rack must be between 0 and 45 deg, but is "
                f"{self.pressure_angle * 180 / pi:.4g} deg (angles are in radians)"
            )
        for name in ("addendum", "dedendum"):
            if getattr(self, name) <= 0:
                raise GeometryError(
                    f"the {name} of a basic rack must be greater than zero, but is {getattr(self, name):.4g} modules"
                )
        if self.root_radius < 0:
            raise GeometryError(
                f"a root radius is not negative, but {self.root_radius:.4g} modules were given"
            )
        if self.root_radius > self.greatest_root_radius * (1 + 1e-12):
            raise GeometryError(
                f"a root radius of {self.root_radius:.4g} modules does not fit between the flanks: with this pressure "
                f"angle and dedendum at most {max(self.greatest_root_radius, 0):.4g}; make it or the dedendum smaller"
            )

    @property
    def greatest_root_radius(self) -> float:
        """rho*_max of the tool with one round tip, in modules; negative where the flanks cross above the root line."""
        alpha = self.pressure_angle
        return (pi / 4 - self.dedendum * tan(alpha)) * cos(alpha) / (1 - sin(alpha))

    @property
    def clearance(self) -> float:
        """Tip clearance c*_P = h*_fP - h*_aP in modules."""
        return self.dedendum - self.addendum

    @property
    def form_dedendum(self) -> float:
        """h*_FfP: reference line to the end of the straight flank, h*_fP - rho*_fP (1 - sin(alpha_n))."""
        return self.dedendum - self.root_radius * (1 - sin(self.pressure_angle))


ISO_53_A = BasicRack()
ISO_53_B = BasicRack(root_radius=0.30)
ISO_53_C = BasicRack(root_radius=0.25)
ISO_53_D = BasicRack(dedendum=1.40, root_radius=0.39)
