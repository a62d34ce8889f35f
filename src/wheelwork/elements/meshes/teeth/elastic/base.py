"""What elastic laws share: the force of a pair of flanks from the depth to which they press into each other.

A law is one file here, with one class: its fields, `computed` (numbers from the shape of the teeth), and `normal_force`
and `stored_energy`, which get symbols for both. The force is zero at no depth, and rises with it.

Force and depth are counted along the transverse line of action, so that force times rate of depth is power. Normal to
the flanks of helical teeth the force is F/cos(beta_b), the depth h cos(beta_b), the line of contact b/cos(beta_b) long,
and so the force for unit length F/b.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.elements.meshes.teeth.base import ToothLaw
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair
    from wheelwork.gears.stiffness import Material


class ElasticLaw(ToothLaw):
    """Force from depth."""

    family: ClassVar[str] = "elastic_laws"
    # Whether it needs the face width of the mesh.
    needs_width: ClassVar[bool] = False

    @classmethod
    def check(cls, pair: GearPair | RackPair) -> None:
        """A `GeometryError` where the law is not for these teeth."""
        if cls.needs_width and pair.face_width <= 0:
            name = cls.model_fields["type"].default
            raise gears.GeometryError(f"contact by `{name}` needs the `face_width` of the mesh; give it")

    def computed(
        self, pair: GearPair | RackPair, materials: tuple[Material, Material], value: Callable[[Any], float]
    ) -> list[float]:
        """Numbers that follow from the shape of the teeth."""
        return []

    @classmethod
    @abstractmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        """Force [N] at the depth of the slice, if the whole face were pressed so deep."""

    @classmethod
    @abstractmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        """Integral of the force over depth [J]."""

    @classmethod
    def shared(cls, computed: ca.SX) -> ca.SX | None:
        """Compliance [m/N] that all pairs have in common, for laws that are linear in depth; None without."""
        return None
