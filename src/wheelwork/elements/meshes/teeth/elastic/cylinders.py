r"""Two cylinders pressed together: depth from force in closed form, and force from depth without iteration failures.

With P the force for unit length, E* the modulus of both, and a length Lambda that says how deep the strain reaches:

    h = P/(pi E*) (ln(pi E* Lambda/P) - 1)

Lambda = 4 (R_1 + R_2) for two whole cylinders (K. L. Johnson, Contact Mechanics, 1985, eq. 5.57, each compressed
between contact and centre; C. Pereira, A. Ramalho, J. Ambrosio, Nonlinear Dynamics 63 (2011) 681-697). With
y = h/Lambda and the branch W_-1 of Lambert's function:

    P = -pi E* h/W,   W = W_-1(-e y),   W + ln(-W) = ln(y) + 1

-W is a function of s = sqrt(2u), u = -2 - ln(y), smooth down to the branch point u = 0; the bounds of
I. Chatzigeorgiou (IEEE Communications Letters 17 (2013) 1505) are 1 + s + 2u/3 < -W < 1 + s + u. It is computed as a
rational function N(s)/D(s), fitted to 5.1e-17 of it for all y from 1e-20 to exp(-2), with positive coefficients, so
that no digits are lost: no iteration, and one division, P = pi E* h D/N. For smaller y, where h is below the round-off
of the places of teeth, W stays. The law itself ends at y = exp(-2), from where on the force goes on in proportion to h.

The energy for unit length is pi E* Lambda^2 X^2 (-W/2 - 1/4), with X = P/(pi E* Lambda) = -y/W.
"""

from __future__ import annotations

from collections.abc import Sequence

from wheelwork.lazy import casadi as ca

SMALLEST = 1e-20
ABOVE = (
    1.00000000000000005, 2.03906238983992362, 1.86038841182373951, 0.990399362163590542, 0.335724387280426899,
    0.0739662626377845582, 0.0103031011504715558, 8.29693324789786972e-4, 3.13074498736143941e-5,
    3.68959297721155575e-7,
)  # fmt: skip
BELOW = (
    1.0, 1.03906238983992594, 0.487992688650501093, 0.12827476578782467, 0.019626251491311914,
    0.00164330112901795472, 6.25960194803776951e-5, 7.37967788157496973e-7,
)  # fmt: skip
"""N, D: coefficients from that of s^0 on."""


def polynomial(x: ca.SX, coefficients: Sequence[float]) -> ca.SX:
    """Pairs first, then pairs of these: processors do half of it side by side (Estrin)."""
    terms = [ca.SX(c) for c in coefficients]
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        terms = [low + x * high for low, high in pairs] + (terms[-1:] if len(terms) % 2 else [])
        x = x * x
    return terms[0]


def parts_of_lambert(y: ca.SX) -> tuple[ca.SX, ca.SX]:
    """N and D of W_-1(-e y) = -N/D for 0 <= y <= exp(-2)."""
    s = ca.sqrt(ca.fmax(-2 * ca.log(ca.fmax(y, SMALLEST)) - 4, 0.0))
    return polynomial(s, ABOVE), polynomial(s, BELOW)


def _ratio(depth: ca.SX, length: ca.SX) -> ca.SX:
    """y. A quotient would wait for the depth, which is known last; of a product with 1/length CasADi makes one."""
    return depth * (0.5 * (2 / length))


def cylinder_force(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """P [N/m]; length: Lambda"""
    above, below = parts_of_lambert(_ratio(depth, length))
    return ca.pi * modulus * depth * below / above


def cylinder_energy(depth: ca.SX, length: ca.SX, modulus: ca.SX) -> ca.SX:
    """Energy for unit length [J/m]"""
    above, below = parts_of_lambert(_ratio(depth, length))
    w = -above / below
    return ca.pi * modulus * (depth / w) ** 2 * (-w / 2 - 0.25)
