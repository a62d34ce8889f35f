r"""The stiffness of a pair of teeth along the path of contact, by a method of :mod:`wheelwork.gears.stiffness`.

Bending, shear, compression and body of both teeth, and the linear contact, are in series in it. The compliance of one
pair, less what all pairs share (q_s), is kept as a polynomial of the place on the path of the given position:

    1/k(x) = sum over n of c_n x^n,   x = -1 at A, 1 at E

and with h for the wheels as a whole, pairs see the depth h - q_s F, F the force of all of them:

    F_i = k_i h/(1 + q_s sum of k_i)
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.elements.meshes.teeth.stiffness import LineLoad
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np
from wheelwork.lazy import stiffness

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair
    from wheelwork.gears.stiffness import Material

DEGREE = 8


class ToothContact(ElasticLaw):
    """The stiffness of a pair of teeth along the path of contact: bending, shear, body and contact in series.

    Fields:
        method: `energy` or `beam`
        line_load [N/m]: with `beam`, force over face width at which the contact is taken
    """

    type: Literal["teeth"] = "teeth"
    positive = ("line_load",)
    needs_width = True
    method: Literal["energy", "beam"] = "energy"
    line_load: LineLoad = 200e3

    def given(self, value):
        return []  # all it has is in `computed`

    def computed(self, pair, materials, value):
        return list(_series(self.method, pair, materials, value(self.line_load)))

    @classmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return cls.pair_stiffness(at, computed) * at.depth

    @classmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return cls.pair_stiffness(at, computed) * at.depth**2 / 2

    @classmethod
    def shared(cls, computed: ca.SX) -> ca.SX:
        return computed[0]

    @staticmethod
    def pair_stiffness(at: ContactSlice, computed: ca.SX) -> ca.SX:
        x = ca.fmax(ca.fmin(at.along, 1.0), -1.0)
        compliance = ca.SX(0)
        for c in reversed(ca.vertsplit(computed[1:])):
            compliance = compliance * x + c
        return 1 / compliance


@lru_cache(maxsize=64)
def _series(
    method: str, pair: GearPair | RackPair, materials: tuple[Material, Material], line_load: float
) -> tuple[float, ...]:
    """q_s, then c_0 to c_n."""
    model = (
        stiffness.EnergyMethod(pair, materials)
        if method == "energy"
        else stiffness.BeamSlices(pair, materials, line_load=line_load)
    )
    x = np.cos(np.pi * (np.arange(65) + 0.5) / 65)
    path = pair.path
    compliance = 1 / model.local_stiffness(path.start + (x + 1) / 2 * path.length)
    fitted = np.polynomial.Chebyshev.fit(x, compliance, DEGREE, domain=[-1, 1])
    coefficients = fitted.convert(kind=np.polynomial.Polynomial).coef
    return (float(model.shared_compliance), *map(float, coefficients))
