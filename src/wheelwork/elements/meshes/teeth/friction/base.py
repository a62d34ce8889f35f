"""What friction laws share: how much of the friction there is at a speed of sliding.

A law is one file here, with one class: its fields, `given` (their numbers), and `part`, which gets symbols for them.
The friction is the coefficient of the mesh times the normal force times this, against sliding.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from wheelwork.description.base import Part
from wheelwork.lazy import casadi as ca


class FrictionLaw(Part):
    """How friction follows the speed of sliding."""

    family: ClassVar[str] = "friction_laws"
    # Its fields in the tests of all laws, where they have no defaults.
    sample: ClassVar[dict[str, Any]] = {}

    def given(self, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Numbers of its fields."""
        return []

    @classmethod
    @abstractmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        """From -1 to 1, with the sign of the speed of sliding [m/s]; 0 at rest."""
