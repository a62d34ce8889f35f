"""No damping."""

from __future__ import annotations

from typing import Literal

from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.lazy import casadi as ca


class NoDamping(DampingLaw):
    """Nothing but the elastic force.

    Fields: none.
    """

    type: Literal["none"] = "none"

    @classmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        return elastic
