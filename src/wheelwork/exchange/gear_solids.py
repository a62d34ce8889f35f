"""Wheels of a mechanism as solids for CAD and printing: true flanks and fillets, profile shift, helix, bore or rim.

Bore and rim are polygons with two corners a tooth. A wheel stands about z, its face from -b/2 to b/2, the middle of a
tooth on the x axis at z = 0.
"""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from math import ceil, pi
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from wheelwork.description import Description
from wheelwork.description.whole_file import write_whole
from wheelwork.gears import Gear, GearPair, GeometryError
from wheelwork.layout import layout_of
from wheelwork.problems import ModelError, Problem
from wheelwork.show.player.glb import solid_glb
from wheelwork.show.scene.cylindrical import Detail, swept, tooth_line, twist
from wheelwork.show.scene.solids import Solid

from .notes import Note, tell

if TYPE_CHECKING:
    from wheelwork.layout import Layout

DETAIL = Detail(flank=48, fillet=24)
LEVELS_A_PITCH = 12
"""Sections of a helical wheel, over the height in which it turns by one tooth."""
RIM = 2.5
"""Thickness of a ring behind its teeth in modules, where its body has no tube that tells."""


def write_wheels(
    description: Description,
    folder: str | os.PathLike[str],
    kind: Literal["stl", "glb"] = "stl",
    *,
    notes: list[Note] | None = None,
) -> list[Path]:
    """Write every cylindrical wheel to a file `BODY-zTEETH.KIND` of a folder; gives the files.

    STL is in millimetres, as is usual, GLB in metres. The bore is that of a body's `gear_blank` or `tube`, the rim of a
    ring its tube's outer radius, or 2.5 modules behind the teeth. Teeth that cannot be drawn are told in a warning, or
    put into the list `notes`.
    """
    found: list[Note] = []
    wheels = _wheels(description, found)
    if not wheels:
        text = "none of the meshes has cylindrical wheels with teeth and a face width to be written as solids"
        raise ModelError([Problem(text, path="meshes", hint="; ".join(str(note) for note in found[:3]))])
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    files = []
    for name, (gear, back) in wheels.items():
        solid = wheel(gear, back)
        data = _stl(solid, name) if kind == "stl" else solid_glb(solid, name)
        files.append(target / f"{name}.{kind}")
        write_whole(files[-1], data)
    if notes is None:
        tell(found)
    else:
        notes += found
    return files


def wheel(gear: Gear, back: float, detail: Detail = DETAIL) -> Solid:
    """The solid of a wheel as wide as its face [m]; `back`: radius of the bore, or of a ring's rim."""
    width, slope = gear.face_width, twist(gear)
    levels = 2 + ceil(abs(slope) * width / (2 * pi / gear.teeth) * LEVELS_A_PITCH) if slope else 2
    heights = np.linspace(-width / 2, width / 2, levels)
    return swept(tooth_line(gear, detail), round(gear.teeth), heights, slope, back, inside=gear.internal)


def _wheels(description: Description, notes: list[Note]) -> dict[str, tuple[Gear, float]]:
    layout = layout_of(description)
    out: dict[str, tuple[Gear, float]] = {}
    for mesh in layout.mesh_teeth:
        if not isinstance(mesh.pair, GearPair):
            why = mesh.why_not or f"wheels of a {mesh.type} mesh are not written as solids"
            notes.append(Note(f"meshes.{mesh.name}", why))
            continue
        gears = (mesh.pair.a, mesh.pair.b)
        widths = [_width(layout, body, gear) for body, gear in zip(mesh.bodies, gears, strict=True)]
        for k, body in enumerate(mesh.bodies):
            try:
                gear = replace(gears[k], face_width=widths[k] or widths[1 - k])
                back = _back(layout, body, gear)
            except GeometryError as error:
                notes.append(Note(f"meshes.{mesh.name}", str(error)))
                continue
            name = f"{body}-z{gear.teeth:g}"
            known, count = name, 1
            while known in out and out[known] != (gear, back):
                count += 1
                known = f"{name}-{count}"
            out[known] = (gear, back)
    return out


def _number(layout: Layout, body: str, *names: str) -> float:
    """The first of these fields that the body's shape has; 0 where it has none."""
    shape = getattr(layout.flat.bodies[body].element, "shape", None) if body in layout.flat.bodies else None
    for name in names:
        value = getattr(shape, name, None)
        if value is not None:
            return np.array(layout.number(layout.parameters.value(value))).item()
    return 0.0


def _width(layout: Layout, body: str, gear: Gear) -> float:
    return gear.face_width or _number(layout, body, "face_width", "thickness", "length")


def _back(layout: Layout, body: str, gear: Gear) -> float:
    """Radius of the bore, or of a ring's rim."""
    if not gear.face_width > 0:
        raise GeometryError(
            f"`{body}` has no face width: give `face_width` of the mesh, or a shape of the body"
        )
    outer, inner = sorted((gear.root_diameter / 2, gear.tip_diameter / 2), reverse=True)
    if gear.internal:
        rim = _number(layout, body, "outer_radius") or outer + RIM * gear.module
        if rim <= outer:
            text = (
                f"the tube of `{body}` ends at {rim * 1e3:.4g} mm, inside its teeth at {outer * 1e3:.4g} mm"
            )
            raise GeometryError(text)
        return rim
    bore = _number(layout, body, "bore_radius", "inner_radius")
    if bore >= inner:
        text = f"the bore of `{body}`, {bore * 1e3:.4g} mm, leaves nothing inside its teeth at {inner * 1e3:.4g} mm"
        raise GeometryError(text)
    return bore


def _stl(solid: Solid, name: str) -> bytes:
    """Binary STL: normal and three corners of each triangle, in millimetres."""
    found = solid.triangles()
    corners = 1e3 * found.points[found.indices]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0)
    record = np.zeros(len(corners), dtype=[("numbers", "<f4", (4, 3)), ("attribute", "<u2")])
    record["numbers"] = np.concatenate([normal[:, None], corners], axis=1)
    head = f"Wheelwork, mm: {name}".encode()[:80].ljust(80)
    return head + struct.pack("<I", len(record)) + record.tobytes()
