"""The contract of an elastic law: force of a pair of flanks from the depth to which they press into each other.

To add a law: its fields in ``wheelwork.description.meshes.contact_laws``, one file here with a subclass of
:class:`ElasticLaw`, and its entry in the registry in ``elastic/__init__.py``.

Force and depth are counted along the transverse line of action, so that force times rate of depth is power. Normal to
the flanks of helical teeth the force is F/cos(beta_b), the depth h cos(beta_b), the line of contact b/cos(beta_b) long,
and so the force for unit length F/b.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import casadi as ca

from wheelwork.gears import GearPair, GeometryError, RackPair
from wheelwork.gears.stiffness import Material

from ..touch import Touch


class ElasticLaw:
    """Base of all elastic laws."""

    type: ClassVar[str]
    needs_width: ClassVar[bool] = False
    """Whether it needs the face width of the mesh."""

    def check(self, pair: GearPair | RackPair) -> None:
        """A :class:`GeometryError` where the law is not for these teeth."""
        if self.needs_width and pair.face_width <= 0:
            raise GeometryError(f"contact by `{self.type}` needs the `face_width` of the mesh; give it")

    def given(self, choice: Any, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Numbers that formulas of the description give."""
        return []

    def found(
        self,
        choice: Any,
        pair: GearPair | RackPair,
        materials: tuple[Material, Material],
        value: Callable[[Any], float],
    ) -> list[float]:
        """Numbers that have to be computed from the shape of the teeth."""
        return []

    def force(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        """Force [N] at the depth of `touch`: nothing at no depth, and rising with it."""
        raise NotImplementedError

    def energy(self, touch: Touch, given: ca.SX, found: ca.SX) -> ca.SX:
        """Integral of the force over depth [J]."""
        raise NotImplementedError

    def shared(self, found: ca.SX) -> ca.SX | None:
        """Compliance [m/N] that all pairs have in common, for laws that are linear in depth; None without."""
        return None
