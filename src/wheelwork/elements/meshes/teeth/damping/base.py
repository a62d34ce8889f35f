"""What damping laws share: what the rate of depth makes of the elastic force.

A law is one file here, with one class: its fields, `given` (their numbers), and `total`, which gets symbols for them.
Flanks are dry or only wetted: a law adds nothing at no depth, and the total never pulls.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from wheelwork.description.base import Part
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.lazy import casadi as ca


class DampingLaw(Part):
    """What the rate of depth adds."""

    family: ClassVar[str] = "damping_laws"
    # Its fields in the tests of all laws, where they have no defaults.
    sample: ClassVar[dict[str, Any]] = {}

    def given(self, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Numbers of its fields."""
        return []

    @classmethod
    @abstractmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        """Normal force [N] with damping, from the elastic one."""
