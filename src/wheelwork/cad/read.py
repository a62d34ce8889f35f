"""Files of solids by the ending of their names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

import numpy as np

from wheelwork.problems import ModelError, listed

from .by_trimesh import read_dae, read_glb
from .mesh import Moments, TriangleMesh
from .obj import read_obj
from .step import read_step
from .stl import read_stl

ENDINGS = (".stl", ".obj", ".glb", ".dae", ".step", ".stp")
WITHOUT_UNIT = (".stl", ".obj")
"""Those that hold numbers without a unit."""
LARGEST = 256 * 2**20
"""Bytes that a file may have."""
_LARGEST_NUMBER = 1e9


@dataclass(frozen=True)
class SolidFile:
    """What was in a file, in its own numbers.

    mesh: its surface
    metres: how long its unit is; None where the file does not tell
    moments: of what it encloses; None where it encloses nothing
    why_none: why it does not, in words
    """

    mesh: TriangleMesh
    metres: float | None
    moments: Moments | None
    why_none: str = ""


def read_solid(data: bytes, name: str) -> SolidFile:
    """Read a file of solids; what is wrong with it is a `ModelError`.

    name: of the file, for its ending and for messages
    """
    ending = PurePath(name).suffix.lower()
    if ending in (".step", ".stp"):
        mesh, moments, why = read_step(data, name)
        found = SolidFile(mesh, 1e-3, moments, why)
    else:
        metres = None
        if ending == ".stl":
            mesh = read_stl(data, name)
        elif ending == ".obj":
            mesh = read_obj(data, name)
        elif ending == ".glb":
            mesh, metres = read_glb(data, name), 1.0
        elif ending == ".dae":
            mesh, metres = read_dae(data, name)
        else:
            text = f"needs a name that ends in {listed(ENDINGS, 'or')}"
            raise ModelError(text, name, "", "write it as one of these from the CAD program")
        found = _of_surface(mesh.joined(), metres)
    if not len(found.mesh.triangles):
        raise ModelError("has no triangles: it is empty", name)
    size = float(np.abs(found.mesh.points).max(initial=0.0))
    if size > _LARGEST_NUMBER:
        text = f"has a corner at {size:.3g}, and numbers go up to {_LARGEST_NUMBER:g}"
        raise ModelError(text, name, "", "export it again, in millimetres")
    return found


def _of_surface(mesh: TriangleMesh, metres: float | None) -> SolidFile:
    """The solid inside a surface of triangles."""
    why, moments = mesh.why_open, mesh.moments
    if why is not None:
        return SolidFile(mesh, metres, None, why)
    if moments.volume < 0:
        text = f"its triangles are turned inside out: the volume comes out as {moments.volume:.4g}"
        return SolidFile(mesh.turned(), metres, None, f"{text} (in the cube of the file's unit)")
    if moments.volume < 1e-12 * mesh.size**3:
        text = f"encloses a volume of {moments.volume:.3g} only, with a size of {mesh.size:.3g}"
        return SolidFile(mesh, metres, None, f"{text}, in the numbers of the file")
    return SolidFile(mesh, metres, moments)
