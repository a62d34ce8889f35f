"""The contract of a tangential law: how much of the friction there is at a speed of sliding.

To add a law: its fields in ``wheelwork.description.meshes.contact_laws``, one file here with a subclass of
:class:`TangentialLaw`, and its entry in the registry in ``tangential/__init__.py``. The friction is the coefficient of
the mesh times the normal force times this, against sliding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import casadi as ca


class TangentialLaw:
    """Base of all tangential laws."""

    type: ClassVar[str]

    def given(self, choice: Any, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Its numbers."""
        return []

    def part(self, sliding: ca.SX, given: ca.SX) -> ca.SX:
        """From -1 to 1, with the sign of the speed of sliding [m/s]; 0 at rest."""
        raise NotImplementedError
