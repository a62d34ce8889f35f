"""GLB and DAE (Collada) through trimesh. Both tell their unit; other files that they name are not opened."""

from __future__ import annotations

import io
import json
import re
import struct
from importlib.util import find_spec
from typing import Any, NoReturn

import numpy as np

from wheelwork.lazy import trimesh
from wheelwork.problems import ModelError

from .mesh import TriangleMesh


def read_glb(data: bytes, name: str) -> TriangleMesh:
    """In metres and with +Y up, as the standard has it; turned here so that +Z is up."""
    if data[:4] != b"glTF" or len(data) < 20:
        _refuse("is not a GLB file: it does not begin with `glTF`", name)
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2 or length != len(data):
        _refuse(
            f"is damaged: its header says version {version} and {length} bytes, but it has {len(data)}", name
        )
    size, kind = struct.unpack_from("<II", data, 12)
    try:
        if kind != 0x4E4F534A:
            raise ValueError("its first part is not JSON")
        document = json.loads(data[20 : 20 + size])
        outside = [entry["uri"] for entry in document.get("buffers", ()) if "uri" in entry]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        _refuse(f"is damaged (byte 20): {error}", name)
    if outside:
        _refuse(f"has its numbers in another file (`{str(outside[0])[:60]}`), which is not opened", name)
    mesh = _read(data, "glb", name)
    return TriangleMesh(mesh.points[:, [0, 2, 1]] * [1.0, -1.0, 1.0], mesh.triangles)


def read_dae(data: bytes, name: str) -> tuple[TriangleMesh, float]:
    """The triangles, and metres per unit of the file."""
    if re.search(rb"<!(?:DOCTYPE|ENTITY)", data):
        line = data.count(b"\n", 0, re.search(rb"<!(?:DOCTYPE|ENTITY)", data).start()) + 1  # type: ignore[union-attr]
        _refuse("declares a document type or entities, which are not read", f"{name}:{line}")
    if find_spec("collada") is None:
        hint = "pip install 'wheelwork[cad]'"
        raise ModelError("DAE needs pycollada, which is not installed", name, "", hint)
    told = re.search(rb"<unit[^>]*\bmeter\s*=\s*[\"']([^\"']*)[\"']", data)
    try:
        metres = float(told[1]) if told else 1.0
    except ValueError:
        metres = float("nan")
    if not 1e-9 < metres < 1e9:
        _refuse(f"has a unit of `{told[1].decode('latin-1') if told else ''}` metres", name)
    return _read(data, "dae", name), metres


def _read(data: bytes, kind: str, name: str) -> TriangleMesh:
    if find_spec("trimesh") is None:
        hint = "pip install 'wheelwork[cad]'"
        raise ModelError(f"{kind.upper()} needs trimesh, which is not installed", name, "", hint)
    try:
        found: Any = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False, skip_materials=True)
        pieces = [piece for piece in found.dump(concatenate=False) if hasattr(piece, "faces")]
    except Exception as error:  # a library for good files: anything may come of damaged ones
        _refuse(
            f"is damaged, or no {kind.upper()} (trimesh: {type(error).__name__}: {str(error)[:120]})", name
        )
    points, triangles, count = [np.zeros((0, 3))], [np.zeros((0, 3), int)], 0
    for piece in pieces:
        points.append(np.asarray(piece.vertices, float))
        triangles.append(np.asarray(piece.faces, int) + count)
        count += len(piece.vertices)
    mesh = TriangleMesh(np.concatenate(points), np.concatenate(triangles))
    if not np.all(np.isfinite(mesh.points)) or np.any(mesh.triangles >= count) or np.any(mesh.triangles < 0):
        _refuse("has triangles with corners that are not finite, or that it does not contain", name)
    return mesh


def _refuse(text: str, where: str) -> NoReturn:
    raise ModelError(text, where, "", "export it again from the CAD program")
