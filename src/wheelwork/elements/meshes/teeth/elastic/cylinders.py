r"""Two cylinders pressed together: depth from force in closed form, and force from depth without iteration failures.

With P the force for unit length, E* the modulus of both, and a length Lambda that says how deep the strain reaches:

    h = P/(pi E*) (ln(pi E* Lambda/P) - 1)

Lambda = 4 (R_1 + R_2) for two whole cylinders (K. L. Johnson, Contact Mechanics, 1985, eq. 5.57, each compressed
between contact and centre; C. Pereira, A. Ramalho, J. Ambrosio, Nonlinear Dynamics 63 (2011) 681-697). With
y = h/Lambda and the branch W_-1 of Lambert's function:

    P = -pi E* h/W,   W = W_-1(-e y),   W + ln(-W) = ln(y) + 1

W is found by one Halley step on the last equation, whose second derivative is small. It starts at

    -1 - s - u R(s),   s = sqrt(2u),   u = -2 - ln(y)

as the bounds of I. Chatzigeorgiou (IEEE Communications Letters 17 (2013) 1505) suggest, 2/3 < R < 1, with a rational R
fitted to W for all y from 1e-30 to exp(-2), to 7e-8 of W. One step from there reaches round-off for all y below 1e-2,
far beyond what teeth stand. The law itself ends at y = exp(-2), from where on the force goes on in proportion to h.

The energy for unit length is pi E* Lambda^2 X^2 (-W/2 - 1/4), with X = P/(pi E* Lambda) = -y/W.
"""

from __future__ import annotations

from wheelwork.lazy import casadi as ca

SMALLEST = 1e-30
ABOVE = (0.66667120, 0.37540904, 0.076886568, 0.0050275507)
BELOW = (1.0, 0.47981343, 0.086397717, 0.0050326168)
"""R(s): coefficients of numerator and denominator, from that of s^0 on."""


def lambert(y: ca.SX) -> ca.SX:
    """W_-1(-e y) for 0 <= y <= exp(-2)."""
    level = ca.fmin(ca.log(ca.fmax(y, SMALLEST)), -2.0) + 1
    u = -1 - level
    s = ca.sqrt(2 * u)
    above, below = (c[0] + s * (c[1] + s * (c[2] + s * c[3])) for c in (ABOVE, BELOW))
    w = -1 - s - u * above / below
    f = w + ca.log(-w) - level
    # Halley with f' = 1 + 1/w and f'' = -1/w^2, each times w
    slope = w + 1 - 1e-12
    return w - f * w * slope / (slope**2 + f / 2)


def cylinder_force(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """P [N/m]; length: Lambda"""
    return -ca.pi * modulus * depth / lambert(depth / length)


def cylinder_energy(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """Energy for unit length [J/m]"""
    w = lambert(depth / length)
    return ca.pi * modulus * (depth / w) ** 2 * (-w / 2 - 0.25)
