"""All meshes of a mechanism, each with its geometry; everything wrong with any of them is one error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.description.problems import ModelError, Problem

from .axes import Axes
from .faults import MeshFault
from .mesh_geometry import MeshGeometry
from .place import MeshPlace

if TYPE_CHECKING:
    from wheelwork.layout import Layout


def resolve_meshes(layout: Layout) -> dict[str, MeshGeometry]:
    """Geometry of every mesh by global name; `ModelError` with everything that does not fit."""
    flat = layout.flat
    if not flat.meshes:
        return {}
    finder = Axes(layout)
    found: dict[str, MeshGeometry] = {}
    problems: list[Problem] = []
    for name, placed in flat.meshes.items():
        try:
            found[name] = placed.element.geometry(MeshPlace(placed, finder))
        except MeshFault as fault:
            problems.append(placed.problem(fault.message, fault.hint, fault.path))
    if problems:
        raise ModelError(problems)
    return found
