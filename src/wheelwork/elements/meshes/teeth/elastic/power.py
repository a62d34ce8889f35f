"""F = F_0 (h/h_0)^n: Hertz's law for n = 3/2, close to that of lines of contact for n = 10/9 (Lundberg)."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import AT_LEAST_ONE
from wheelwork.description.values import Force, Length, Number
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.lazy import casadi as ca


class PowerContact(ElasticLaw):
    """Force as a power of depth: F = force (h/depth)^exponent.

    Fields:
        force [N]: of one pair of teeth over the whole face, along the transverse line of action
        depth [m]: at which the force is that
        exponent [1]: 3/2 for balls, 10/9 for lines of contact
    """

    type: Literal["power"] = "power"
    positive = ("force", "depth")
    sample: ClassVar = {"force": 1e3, "depth": 1e-5, "exponent": 1.4}
    force: Force
    depth: Length
    exponent: Number = 1.5
    ranges: ClassVar = {"exponent": AT_LEAST_ONE}

    @classmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        force, depth, exponent = ca.vertsplit(given)
        return force * (at.depth / depth) ** exponent

    @classmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return cls.normal_force(at, given, computed) * at.depth / (given[2] + 1)
