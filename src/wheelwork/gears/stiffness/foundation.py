"""Compliance of the body under a tooth.

Sainsot, Velex & Duverger (J. Mech. Design 126, 2004, 748-752): the body as an elastic ring, from Muskhelishvili's
solution for linear tractions on the root circle:

    delta_f = F cos(alpha_F)^2 / (b E) (L* (u/S_f)^2 + M* (u/S_f) + P* (1 + Q* tan(alpha_F)^2))
    X*(h, theta_f) = A/theta_f^2 + B h^2 + C h/theta_f + D/theta_f + E h + F,   h = r_f / r_bore

fitted for 1.4 <= h <= 7 and 0.01 <= theta_f <= 0.12 rad. Outside this range the nearest inside is taken.

O'Donnell's half plane (Cornell, J. Mech. Design 103, 1981, 447-459), for a wide tooth (plane strain):

    delta_f = (1 - nu^2) F cos(alpha_F)^2 / (b E) ((50/(3 pi)) (u/S_f)^2 + 2 (1 - nu - 2 nu^2)/(1 - nu^2) (u/S_f)
              + (4.82/pi) (1 + tan(alpha_F)^2 / (2.4 (1 + nu))))

and for a narrow one (plane stress) without the first factor and with 2 (1 - nu) in the middle. u is the lever of the
force over the root section and S_f the thickness there. A half plane has no curvature: it lies between a wheel, which
is softer, and a ring, whose root is hollow; for rings and racks it is used in all methods, as Sainsot's ring does not
describe them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .material import Material
from .tooth import Tooth, ToothLoad

# A, B, C, D, E, F of Sainsot, Velex & Duverger, table 1
COEFFICIENTS = {
    "L": (-5.574e-5, -1.9986e-3, -2.3015e-4, 4.7702e-3, 0.0271, 6.8045),
    "M": (60.111e-5, 28.100e-3, -83.431e-4, -9.9256e-3, 0.1624, 0.9086),
    "P": (-50.952e-5, 185.50e-3, 0.0538e-4, 53.300e-3, 0.2895, 0.9236),
    "Q": (-6.2042e-5, 9.0889e-3, -4.0964e-4, 7.8297e-3, -0.1472, 0.6904),
}
RATIO_RANGE = (1.4, 7.0)
ANGLE_RANGE = (0.01, 0.12)


def sainsot_factors(ratio: float, angle: float) -> dict[str, float]:
    """L*, M*, P*, Q* for h = r_f/r_bore and theta_f [rad], both brought into the fitted range."""
    h, theta = float(np.clip(ratio, *RATIO_RANGE)), float(np.clip(angle, *ANGLE_RANGE))
    return {
        name: a / theta**2 + b * h**2 + c * h / theta + d / theta + e * h + f
        for name, (a, b, c, d, e, f) in COEFFICIENTS.items()
    }


def sainsot(tooth: Tooth, load: ToothLoad, material: Material, bore_ratio: float) -> Any:
    """Compliance [m^2/N] for unit face width, along the force.

    bore_ratio: h = r_f / r_bore
    """
    f = sainsot_factors(bore_ratio, tooth.root_angle)
    arm = load.lever / (2 * tooth.half[0])
    shape = f["L"] * arm**2 + f["M"] * arm + f["P"] * (1 + f["Q"] * np.tan(load.angle) ** 2)
    return np.cos(load.angle) ** 2 / material.youngs_modulus * shape


def half_plane(tooth: Tooth, load: ToothLoad, material: Material, wide: bool = True) -> Any:
    """Compliance [m^2/N] for unit face width, along the force; `wide` for plane strain."""
    nu = material.poisson_ratio
    modulus = material.plane_strain_modulus if wide else material.youngs_modulus
    middle = 2 * (1 - nu - 2 * nu**2) / (1 - nu**2) if wide else 2 * (1 - nu)
    arm = (load.lever - tooth.height[0]) / (2 * tooth.half[0])
    shape = 50 / (3 * np.pi) * arm**2 + middle * arm
    shape = shape + 4.82 / np.pi * (1 + np.tan(load.angle) ** 2 / (2.4 * (1 + nu)))
    return np.cos(load.angle) ** 2 / modulus * shape
