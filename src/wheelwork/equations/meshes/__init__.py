"""Gear meshes, one file each, and their registry."""

from __future__ import annotations

from .base import Directions, MeshEquations, about
from .belt import Belt
from .bevel import Bevel
from .crossed import Crossed
from .external import External, HelicalExternal
from .internal import HelicalInternal, Internal
from .rack import HelicalRack, Rack, RackWithHeight
from .worm import Worm

MESHES: dict[str, MeshEquations] = {
    mesh.type: mesh()
    for mesh in (
        External,
        HelicalExternal,
        Internal,
        HelicalInternal,
        Rack,
        HelicalRack,
        RackWithHeight,
        Bevel,
        Worm,
        Crossed,
        Belt,
    )
}
"""Equations by the type name of the description, with `:helical` or `:height` for a variant."""


def mesh_equations(type: str, *, helical: bool = False, height: bool = False) -> MeshEquations:
    """Equations of a type of the description.

    helical: whether a helix angle other than zero may be among its numbers (the straight rows are shorter)
    height: for a rack in the plane, whether it also holds the pinion's distance
    """
    variant = f"{type}:height" if height else f"{type}:helical" if helical else type
    return MESHES.get(variant) or MESHES[type]


__all__ = ["MESHES", "Directions", "MeshEquations", "about", "mesh_equations"]
