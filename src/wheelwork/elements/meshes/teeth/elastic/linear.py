"""F = k h for a pair of teeth over the whole face; a slice has its share of k."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import Stiffness
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.lazy import casadi as ca


class LinearContact(ElasticLaw):
    """Force in proportion to depth.

    Fields:
        stiffness [N/m]: of one pair of teeth over the whole face, along the transverse line of action
    """

    type: Literal["linear"] = "linear"
    positive = ("stiffness",)
    sample: ClassVar = {"stiffness": 2e8}
    stiffness: Stiffness

    @classmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return given[0] * at.depth

    @classmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return given[0] * at.depth**2 / 2
