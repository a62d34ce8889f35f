"""What damping laws share: what the rate of depth makes of the elastic force.

A law is one file here, with one class: its fields, and `total`, which gets symbols for their numbers. Flanks are dry or
only wetted: a law adds nothing at no depth, and the total never pulls.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from wheelwork.elements.meshes.teeth.base import ToothLaw
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.lazy import casadi as ca


class DampingLaw(ToothLaw):
    """What the rate of depth adds."""

    family: ClassVar[str] = "damping_laws"

    @classmethod
    @abstractmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        """Normal force [N] with damping, from the elastic one; both as if the whole face were pressed so."""
