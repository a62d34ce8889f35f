"""The contract of a viscous law: what the rate of depth makes of the elastic force.

To add a law: its fields in ``wheelwork.description.meshes.contact_laws``, one file here with a subclass of
:class:`ViscousLaw`, and its entry in the registry in ``viscous/__init__.py``. Flanks are dry or only wetted: a law adds
nothing at no depth, and the total never pulls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import casadi as ca

from ..touch import Touch


class ViscousLaw:
    """Base of all viscous laws."""

    type: ClassVar[str]

    def given(self, choice: Any, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Its numbers."""
        return []

    def total(self, elastic: ca.SX, touch: Touch, given: ca.SX) -> ca.SX:
        """Normal force [N] with damping, from the elastic one."""
        raise NotImplementedError
