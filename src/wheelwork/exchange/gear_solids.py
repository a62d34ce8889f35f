"""Wheels of a mechanism as solids for CAD and printing: true flanks and fillets, profile shift, helix, bore or rim.

In STL and GLB bore and rim are polygons with two corners a tooth. A wheel stands about z, its face from -b/2 to b/2,
the middle of a tooth on the x axis at z = 0.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, count
from math import ceil, pi
from pathlib import Path
from typing import Any, Literal

import numpy as np

from wheelwork.analyses import assemble
from wheelwork.cad import TriangleMesh, write_stl
from wheelwork.description import Description
from wheelwork.description.extras import need_extras
from wheelwork.description.formula import number_of
from wheelwork.description.whole_file import write_whole
from wheelwork.gears import Gear, GearPair, GeometryError, RackPair
from wheelwork.layout import Layout, layout_of
from wheelwork.problems import ModelError
from wheelwork.show.player.glb import solid_glb
from wheelwork.show.scene.cylindrical import Detail, swept, tooth_line, twist
from wheelwork.show.scene.solids import Solid
from wheelwork.show.scene.wheel_parts import RackBar, WheelParts
from wheelwork.show.scene.wheels import Teeth, find_wheels

from .gear_step import gear_plan, rack_plan, write_plans
from .notes import Note, hand_over

DETAIL = Detail(flank=48, fillet=24)
LEVELS_A_PITCH = 12
"""Sections of a helical wheel, over the height in which it turns by one tooth."""
RIM = 2.5
"""Thickness of a ring behind its teeth in modules, where its body has no tube that tells."""


def write_wheels(
    description: Description,
    folder: str | os.PathLike[str],
    kind: Literal["stl", "glb", "step"] = "stl",
    *,
    notes: list[Note] | None = None,
) -> list[Path]:
    """Write every toothed wheel to a file `BODY-zTEETH.KIND` of a folder, racks to `BODY-rack.KIND`; gives the files.

    STL is in millimetres, as is usual, GLB in metres; both hold triangles. STEP has true surfaces, of cylindrical
    wheels and racks; it needs the extra `cad`. The bore is that of a body's `gear_blank` or `tube`, the rim of a ring
    its tube's outer radius, or 2.5 modules behind the teeth. Teeth that cannot be written are reported in a warning, or
    put into the list `notes`.
    """
    found: list[Note] = []
    wheels = _wheels(description, found)
    others = _other_wheels(description)
    target = Path(folder)
    solids: dict[str, Solid] = {}
    plans: list[dict[str, Any]] = []
    for name, (gear, back) in wheels.items():
        if kind == "step":
            plans.append(gear_plan(name, gear, back, target / f"{name}.step"))
        else:
            solids[name] = wheel(gear, back)
    for name, (teeth, solid, bar) in others.items():
        if kind != "step":
            solids[name] = solid
        elif isinstance(teeth, RackPair) and bar is not None:
            plans.append(rack_plan(name, teeth, bar, target / f"{name}.step"))
        else:
            found.append(Note(name, "bevel wheels and worms are written as STL and GLB, not as STEP"))
    if not solids and not plans:
        text = "none of the meshes has wheels with teeth and a face width to be written as solids"
        raise ModelError(text, path="meshes", hint="; ".join(str(note) for note in found[:3]))
    need_extras(*["OCP"] * bool(plans))
    target.mkdir(parents=True, exist_ok=True)
    for name, solid in solids.items():
        data = stl_of(solid, name) if kind == "stl" else solid_glb(solid, name)
        write_whole(target / f"{name}.{kind}", data)
    wrong = write_plans(plans)
    found += [Note(name, why) for name, why in wrong.items()]
    hand_over(found, notes)
    names = [*solids, *(plan["name"] for plan in plans if plan["name"] not in wrong)]
    return [target / f"{name}.{kind}" for name in names]


def stl_of(solid: Solid, name: str) -> bytes:
    """Binary STL in millimetres."""
    found = solid.triangles()
    return write_stl(TriangleMesh(found.points, found.indices), f"Wheelwork, mm: {name}")


def _other_wheels(description: Description) -> dict[str, tuple[Teeth, Solid, RackBar | None]]:
    """Racks, bevel wheels and worms as the scene has them, in the wheel's own frame; a rack's bar too."""
    if not any(not isinstance(one.pair, GearPair) for one in layout_of(description).mesh_teeth):
        return {}
    motion = assemble(description).motion
    parts = WheelParts(motion, find_wheels(motion))
    parts.detail = DETAIL
    out: dict[str, tuple[Teeth, Solid, RackBar | None]] = {}
    for k, one in enumerate(parts.found.wheels):
        if one.teeth is None or isinstance(one.teeth, Gear):
            continue
        body = "ground" if one.body < 0 else motion.program.bodies[one.body]
        rack = isinstance(one.teeth, RackPair)
        name = _free_name(f"{body}-rack" if rack else f"{body}-z{one.count}", out)
        bar = parts.rack_bar(k, one, one.teeth)[0] if isinstance(one.teeth, RackPair) else None
        out[name] = one.teeth, parts.own_solids(k)[0], bar
    return out


def _free_name(name: str, taken: Mapping[str, Any]) -> str:
    return next(free for free in chain([name], (f"{name}-{n}" for n in count(2))) if free not in taken)


def wheel(gear: Gear, back: float, detail: Detail = DETAIL) -> Solid:
    """The solid of a wheel as wide as its face [m]; `back`: radius of the bore, or of a ring's rim."""
    width, slope = gear.face_width, twist(gear)
    levels = 2 + ceil(abs(slope) * width / (2 * pi / gear.teeth) * LEVELS_A_PITCH) if slope else 2
    heights = np.linspace(-width / 2, width / 2, levels)
    return swept(tooth_line(gear, detail), round(gear.teeth), heights, slope, back, inside=gear.internal)


def _wheels(description: Description, notes: list[Note]) -> dict[str, tuple[Gear, float]]:
    layout = layout_of(description)
    out: dict[str, tuple[Gear, float]] = {}
    seen: list[tuple[str, tuple[Gear, float]]] = []
    for mesh in layout.mesh_teeth:
        pair = mesh.pair
        if not isinstance(pair, GearPair | RackPair):
            if pair is None:
                notes.append(Note(f"meshes.{mesh.name}", mesh.why_not))
            continue
        gears = (pair.a, pair.b) if isinstance(pair, GearPair) else (pair.a,)
        bodies = mesh.bodies[: len(gears)]
        widths = [_width(layout, body, gear) for body, gear in zip(bodies, gears, strict=True)]
        for k, body in enumerate(bodies):
            try:
                gear = replace(gears[k], face_width=widths[k] or widths[k - 1])
                back = _back(layout, body, gear)
            except GeometryError as error:
                notes.append(Note(f"meshes.{mesh.name}", str(error)))
                continue
            if (body, (gear, back)) not in seen:
                seen.append((body, (gear, back)))
                out[_free_name(f"{body}-z{gear.teeth:g}", out)] = gear, back
    return out


def _number(layout: Layout, body: str, *names: str) -> float:
    """The first of these fields that the body's shape has; 0 where it has none."""
    shape = getattr(layout.flat.bodies[body].element, "shape", None) if body in layout.flat.bodies else None
    for name in names:
        value = getattr(shape, name, None)
        if value is not None:
            return number_of(value, layout.flat.values)
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
