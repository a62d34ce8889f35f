"""All meshes of a mechanism, each with its geometry; everything wrong with any of them is one error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wheelwork.description import ModelError, Problem

from .axes import Axes
from .bevel import bevel
from .faults import MeshFault
from .geometry import MeshGeometry
from .parallel import belt, external, internal
from .rack import rack
from .site import MeshPlace
from .skew import crossed, worm

if TYPE_CHECKING:
    from ..layout import Layout

GEOMETRIES: dict[str, Callable[[MeshPlace], MeshGeometry]] = {
    "external": external,
    "internal": internal,
    "rack": rack,
    "bevel": bevel,
    "worm": worm,
    "crossed": crossed,
    "belt": belt,
}
"""By the type name of the description."""


def resolve_meshes(layout: Layout) -> dict[str, MeshGeometry]:
    """Geometry of every mesh by global name; `ModelError` with everything that does not fit."""
    flat = layout.flat
    if not flat.meshes:
        return {}
    finder = Axes(layout)
    found: dict[str, MeshGeometry] = {}
    problems: list[Problem] = []
    for name, placed in flat.meshes.items():
        mesh = placed.element
        try:
            found[name] = GEOMETRIES[mesh.type](MeshPlace(placed, finder))  # type: ignore[attr-defined]
        except MeshFault as fault:
            problems.append(placed.problem(fault.message, fault.hint, fault.path))
    if problems:
        raise ModelError(problems)
    return found
