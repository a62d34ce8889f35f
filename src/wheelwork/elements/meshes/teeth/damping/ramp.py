"""F = max(F_e + c (3 x^2 - 2 x^3) h', 0) with x = h/h_d up to 1: a damper that sets in with the depth."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import Damping, Length
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.lazy import casadi as ca


class RampDamping(DampingLaw):
    """A damper that sets in with depth, smoothly, never pulling.

    Fields:
        damping [N s/m]: of one pair over the whole face, along the transverse line of action, from `depth` on
        depth [m]: at which the damper is fully there
    """

    type: Literal["ramp"] = "ramp"
    positive = ("damping", "depth")
    sample: ClassVar = {"damping": 5e3, "depth": 1e-5}
    damping: Damping
    depth: Length

    @classmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        x = ca.fmin(at.depth / given[1], 1.0)
        damping = given[0] * x**2 * (3 - 2 * x)
        return ca.fmax(elastic + damping * at.rate, 0.0)
