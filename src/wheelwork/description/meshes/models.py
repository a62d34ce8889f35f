"""How the teeth of a mesh are modelled: the field `model` of a mesh, as a mapping or by its type alone.

To add a model: one file here with its fields, its class in the union below and in `models` of the meshes that can have
it, and one file of equations (:mod:`wheelwork.equations.mesh_models`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.description.base import Part
from wheelwork.description.meshes.by_name import ByNameOrType
from wheelwork.description.meshes.compliant import CompliantTeeth
from wheelwork.description.meshes.contact import ContactTeeth


class RigidTeeth(Part):
    """The wheels roll on each other without slip: a constraint.

    Fields: none.
    """

    type: Literal["rigid"] = "rigid"


MeshModel = Annotated[RigidTeeth | CompliantTeeth | ContactTeeth, ByNameOrType()]
