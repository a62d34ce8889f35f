"""The involute of a circle.

An involute is drawn by the end of a string that unwinds from a base circle of radius r_b. With the free length rho of
the string (which is also the radius of curvature) and the pressure angle alpha of the point drawn:

    r = r_b / cos(alpha)              radius                       ISO 21771:2007, 4.3
    rho = r_b tan(alpha)              radius of curvature
    xi = tan(alpha) = rho / r_b       roll angle
    inv(alpha) = tan(alpha) - alpha   involute function: polar angle from the foot on the base circle

All angles in rad, all lengths in one unit (m in the rest of the package); arrays are taken element by element.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class GeometryError(ValueError):
    """A gear or a pair cannot exist with the numbers given; the text says which, why, and what to change."""


# -- the involute of a circle
#
# An involute is drawn by the end of a string that unwinds from a base circle of radius r_b. With the free length rho of
# the string (which is also the radius of curvature) and the pressure angle alpha of the point drawn:
#
#     r = r_b / cos(alpha)              radius                       ISO 21771:2007, 4.3
#     rho = r_b tan(alpha)              radius of curvature
#     xi = tan(alpha) = rho / r_b       roll angle
#     inv(alpha) = tan(alpha) - alpha   involute function: polar angle from the foot on the base circle
#
# All angles in rad, all lengths in one unit (m in the rest of the package); arrays are taken element by element.


def involute(pressure_angle: Any) -> Any:
    """Involute function inv(alpha) = tan(alpha) - alpha [rad].

    >>> float(round(involute(np.radians(20)), 6))
    0.014904
    """
    return np.tan(pressure_angle) - pressure_angle


def inverse_involute(value: Any) -> Any:
    """The pressure angle [rad] whose involute function is `value` (>= 0).

    Newton's method on f(alpha) = inv(alpha) - value with f' = tan(alpha)^2. Below the solution f is convex and so
    the first step goes past it, after which the steps come down monotonically. The start (3 value)^(1/3) is the limit
    for small angles; for large ones it is held below the asymptote, alpha < pi/2 - 1/(value + pi/2).

    >>> float(round(np.degrees(inverse_involute(0.014904)), 3))
    20.0
    """
    value = np.asarray(value, dtype=float)
    if np.any(value < 0):
        raise ValueError(f"an involute function is never negative, but {np.min(value):.6g} was given")
    cube = np.cbrt(3 * value)
    alpha = np.minimum(cube, np.pi / 2 - 1 / (value + np.pi / 2))
    for _ in range(50):
        slope = np.tan(alpha) ** 2
        step = np.where(slope > 0, (involute(alpha) - value) / np.where(slope > 0, slope, 1), 0)
        new = np.clip(alpha - step, 0, (alpha + np.pi / 2) / 2)
        if np.all(np.abs(new - alpha) <= 1e-16 + 4e-16 * np.abs(new)):
            alpha = new
            break
        alpha = new
    return alpha if alpha.ndim else float(alpha)


def pressure_angle_at(radius: Any, base_radius: float) -> Any:
    """Pressure angle alpha [rad] of the involute at a radius: cos(alpha) = r_b / r; 0 at and below the base circle."""
    return np.arccos(np.minimum(base_radius / np.asarray(radius, dtype=float), 1.0))


def curvature_at(radius: Any, base_radius: float) -> Any:
    """Radius of curvature rho = sqrt(r^2 - r_b^2), the length of line of action from base circle to point."""
    radius = np.asarray(radius, dtype=float)
    return np.sqrt(np.maximum(radius**2 - base_radius**2, 0.0))
