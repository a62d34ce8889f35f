r"""The stiffness of a pair of teeth along the path of contact, by a method of :mod:`wheelwork.gears.stiffness`.

Bending, shear, compression and body of both teeth, and the linear contact, are in series in it. The compliance of one
pair, less what all pairs share (q_s), is kept as a polynomial of the place on the path of the given position:

    1/k(x) = sum over n of c_n x^n,   x = -1 at A, 1 at E

and with h for the wheels as a whole, pairs see the depth h - q_s F, F the force of all of them:

    F_i = k_i h/(1 + q_s sum of k_i)
"""

from __future__ import annotations

from functools import lru_cache

import casadi as ca
import numpy as np

from wheelwork.gears import GearPair, RackPair
from wheelwork.gears.stiffness import BeamSlices, EnergyMethod, Material

from ..touch import Touch
from .base import ElasticLaw

DEGREE = 8


class Teeth(ElasticLaw):
    type = "teeth"
    needs_width = True

    def found(self, choice, pair, materials, value):
        return list(_series(choice.method, pair, materials, value(choice.line_load)))

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return self.stiffness(touch, found) * touch.depth

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        return self.stiffness(touch, found) * touch.depth**2 / 2

    def shared(self, found: ca.SX) -> ca.SX:
        return found[0]

    @staticmethod
    def stiffness(touch: Touch, found: ca.SX) -> ca.SX:
        x = ca.fmax(ca.fmin(touch.along, 1.0), -1.0)
        compliance = ca.SX(0)
        for c in reversed(ca.vertsplit(found[1:])):
            compliance = compliance * x + c
        return touch.share / compliance


@lru_cache(maxsize=64)
def _series(
    method: str, pair: GearPair | RackPair, materials: tuple[Material, Material], line_load: float
) -> tuple[float, ...]:
    """q_s, then c_0 to c_n."""
    model = (
        EnergyMethod(pair, materials)
        if method == "energy"
        else BeamSlices(pair, materials, line_load=line_load)
    )
    x = np.cos(np.pi * (np.arange(65) + 0.5) / 65)
    path = pair.path
    compliance = 1 / model.local_stiffness(path.start + (x + 1) / 2 * path.length)
    fitted = np.polynomial.Chebyshev.fit(x, compliance, DEGREE, domain=[-1, 1])
    coefficients = fitted.convert(kind=np.polynomial.Polynomial).coef
    return (float(model.shared_compliance), *map(float, coefficients))
