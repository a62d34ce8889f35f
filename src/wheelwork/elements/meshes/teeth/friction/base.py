"""What friction laws share: how much of the friction there is at a speed of sliding.

A law is one file here, with one class: its fields, and `part`, which gets symbols for their numbers. The friction is
the coefficient of the mesh times the normal force times this, against sliding.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from wheelwork.elements.meshes.teeth.base import ToothLaw
from wheelwork.lazy import casadi as ca


class FrictionLaw(ToothLaw):
    """How friction follows the speed of sliding."""

    family: ClassVar[str] = "friction_laws"

    @classmethod
    @abstractmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        """From -1 to 1, with the sign of the speed of sliding [m/s]; 0 at rest."""
