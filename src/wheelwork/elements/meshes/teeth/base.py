"""How the teeth of a mesh are modelled: the field `model` of a mesh, as a mapping or by its type alone.

A model is one file here: a class derived from :class:`ToothModel`, with a class `Equations` derived from
:class:`wheelwork.elements.meshes.teeth.mesh_force.MeshForce` where teeth are a force in place of the mesh's constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.description.base import Part, lacking_in
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import stiffness

if TYPE_CHECKING:
    from wheelwork.elements.meshes.teeth.mesh_force import MeshForce
    from wheelwork.gears.stiffness import Material


class ToothModel(Part):
    """What the teeth of any type of mesh do."""

    family: ClassVar[str] = "tooth_models"
    # Its equations; None where the mesh's own constraint is all there is.
    Equations: ClassVar[type[MeshForce] | None] = None
    # Whether it is for flanks that touch along a path of contact only: cylindrical wheels and racks.
    needs_path: ClassVar[bool] = True

    # Whether it is for plain wheels alone, which are drawn as such.
    plain: ClassVar[bool] = False

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        """Whether a type of mesh can have it."""
        return mesh.has_path or not cls.needs_path

    @classmethod
    @cache
    def equations(cls) -> MeshForce | None:
        if cls.Equations is None:
            return None
        made = cls.Equations()
        made.type = cls.model_fields["type"].default
        return made

    @classmethod
    def lacking(cls) -> Iterator[str]:
        yield from super().lacking()
        if cls.Equations is not None:
            yield from lacking_in(cls.Equations, "Equations")

    def materials(self, value: Callable[[Any], float]) -> tuple[Material, Material]:
        """Of wheel a and wheel b."""
        return stiffness.STEEL, stiffness.STEEL


class ToothLaw(Part):
    """What all laws of tooth contact share: fields with their numbers."""

    # Its fields in the tests of all laws, where they have no defaults.
    sample: ClassVar[dict[str, Any]] = {}

    def given(self, value: Callable[[Any], ca.SX]) -> list[ca.SX]:
        """Numbers of its fields, in their order."""
        return [value(getattr(self, name)) for name in type(self).model_fields if name != "type"]
