"""Compliance of a tooth as a short beam of changing section, two ways.

With the section's area A = 2 h b and moment of inertia I = (2 h)^3 b / 12, and the load of `tooth.ToothLoad`, the
elastic energy of a normal force F in bending, shear and compression gives the compliance

    delta/F = int_0^{y_c} (cos(alpha_F) (y_c - y) - sin(alpha_F) h_c)^2 / (E I) dy       bending
            + 1.2 cos(alpha_F)^2 int_0^{y_c} dy / (G A)                                  shear
            + sin(alpha_F)^2 int_0^{y_c} dy / (E A)                                      axial

`integrals` does the integrals along the outline. `slices` cuts the tooth into slices of constant section, as Cornell
and Bai do; with delta_i the thickness of a slice and l_i the distance from its upper side to the load, each adds

    A cos^2 + B cos sin + C sin^2                                          (Bai, p. 42)
    A = (delta^3 + 3 delta^2 l + 3 delta l^2) / (3 I) + 12 (1 + nu) delta / (5 S)
    B = -(delta^2 h_c + 2 delta h_c l) / I
    C = h_c^2 delta / I + delta / S

Departures from Bai: his l_i = x_j - x_i reaches to the lower side of the slice, with which the cubes do not add
up to a cantilever's x^3/3; his B is positive and half as large, which counts the moment of the radial part of the
force the wrong way round and leaves out the work of that part; and C lacks the first term for the same reason. As
written here the slices converge to the integrals (a test asserts the rate), and the compliance matrix is symmetric.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .material import Material
from .tooth import Tooth, ToothLoad


def integrals(tooth: Tooth, load: ToothLoad, material: Material, wide: bool = False) -> tuple[Any, Any, Any]:
    """Compliances [m^2/N] for unit face width in bending, shear and compression, each of the shape of the load.

    wide: plane strain: E/(1 - nu^2) in bending and compression
    """
    y, h = tooth.height, tooth.half
    modulus = material.plane_strain_modulus if wide else material.youngs_modulus
    cosine, sine = np.cos(load.angle), np.sin(load.angle)
    top = np.asarray(load.height, dtype=float)

    def up_to_load(integrand: np.ndarray) -> Any:
        """Trapezoids along the outline, the last one up to the load."""
        steps = np.diff(y) * (integrand[1:] + integrand[:-1]) / 2
        sums = np.concatenate(([0.0], np.cumsum(steps)))
        k = np.clip(np.searchsorted(y, top) - 1, 0, len(y) - 2)
        part = (top - y[k]) / (y[k + 1] - y[k])
        end = integrand[k] + part * (integrand[k + 1] - integrand[k])
        return sums[k] + (top - y[k]) * (integrand[k] + end) / 2

    # The square is multiplied out, so that three integrals serve all positions of the load.
    inertia = 2 / 3 * h**3
    arm = cosine * top - sine * load.half
    zeroth, first, second = (up_to_load(y**power / inertia) for power in (0, 1, 2))
    length = up_to_load(1 / (2 * h))
    bending = (arm**2 * zeroth - 2 * arm * cosine * first + cosine**2 * second) / modulus
    shear = 1.2 * cosine**2 * length / material.shear_modulus
    axial = sine**2 * length / modulus
    return bending, shear, axial


def slices(tooth: Tooth, load: ToothLoad, material: Material, count: int = 60, wide: bool = True) -> Any:
    """Compliance [m^2/N] for unit face width of `count` slices of constant section below the load."""
    modulus = material.plane_strain_modulus if wide else material.youngs_modulus
    ratio = modulus / (2 * material.shear_modulus * (1 + material.poisson_ratio))
    top = np.asarray(load.height, dtype=float)[..., None]
    low = tooth.height[0]
    edges = low + (top - low) * np.linspace(0, 1, count + 1)
    half = np.interp((edges[..., 1:] + edges[..., :-1]) / 2, tooth.height, tooth.half)
    delta, l = np.diff(edges, axis=-1), top - edges[..., 1:]
    section, inertia = 2 * half, 2 / 3 * half**3
    h_c = np.asarray(load.half, dtype=float)[..., None]
    a = (delta**3 + 3 * delta**2 * l + 3 * delta * l**2) / (3 * inertia)
    # G does not know about plane strain: Bai's 12 (1 + nu)/5 is 1.2 E/G with the plain E.
    a = a + ratio * 12 * (1 + material.poisson_ratio) * delta / (5 * section)
    b = -(delta**2 + 2 * delta * l) * h_c / inertia
    c = h_c**2 * delta / inertia + delta / section
    cosine, sine = np.cos(load.angle), np.sin(load.angle)
    total = cosine**2 * a.sum(-1) + cosine * sine * b.sum(-1) + sine**2 * c.sum(-1)
    return total / modulus
