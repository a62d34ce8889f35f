r"""Two cylinders pressed together: depth from force in closed form, and force from depth without iteration failures.

With P the force for unit length, E* the modulus of both, and a length Lambda that says how deep the strain reaches:

    h = P/(pi E*) (ln(pi E* Lambda/P) - 1)

Lambda = 4 (R_1 + R_2) for two whole cylinders (K. L. Johnson, Contact Mechanics, 1985, eq. 5.57, each compressed
between contact and centre; C. Pereira, A. Ramalho, J. Ambrosio, Nonlinear Dynamics 63 (2011) 681-697). With
y = h/Lambda and the branch W_-1 of Lambert's function:

    P = -pi E* h/W,   W = W_-1(-e y),   W + ln(-W) = ln(y) + 1

W is found by two Halley steps on the last equation, whose second derivative is small. They start within the bounds of
I. Chatzigeorgiou (IEEE Communications Letters 17 (2013) 1505), -1 - sqrt(2u) - u < W < -1 - sqrt(2u) - 2u/3 with
u = -2 - ln(y), so that they converge from everywhere; round-off is reached for all y below 1e-2, far beyond what teeth
stand. The law itself ends at y = exp(-2), from where on the force goes on in proportion to h.

The energy for unit length is pi E* Lambda^2 X^2 (-W/2 - 1/4), with X = P/(pi E* Lambda) = -y/W.
"""

from __future__ import annotations

from wheelwork.lazy import casadi as ca

SMALLEST = 1e-30


def lambert(y: ca.SX) -> ca.SX:
    """W_-1(-e y) for 0 <= y <= exp(-2)."""
    level = ca.fmin(ca.log(ca.fmax(y, SMALLEST)), -2.0) + 1
    u = -1 - level
    w = -1 - ca.sqrt(2 * u) - 0.83 * u
    for _ in range(2):
        f = w + ca.log(-w) - level
        # Halley with f' = 1 + 1/w and f'' = -1/w^2, each times w
        slope = w + 1 - 1e-12
        w = w - f * w * slope / (slope**2 + f / 2)
    return w


def cylinder_force(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """P [N/m]; length: Lambda"""
    return -ca.pi * modulus * depth / lambert(depth / length)


def cylinder_energy(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """Energy for unit length [J/m]"""
    w = lambert(depth / length)
    return ca.pi * modulus * (depth / w) ** 2 * (-w / 2 - 0.25)
