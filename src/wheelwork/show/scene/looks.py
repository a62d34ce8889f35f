"""What bodies look like by their own geometry: surfaces from files, and simple solids that are placed in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from wheelwork.description import Geometry
from wheelwork.layout import layout_of
from wheelwork.system.motion import Motion

from .scene import GROUND
from .solids import Solid, shape_solid


class BodySolid(NamedTuple):
    """A solid about the body's centre of mass, in body axes; in the world for ground. `paint`: a colour, or empty."""

    body: int
    solid: Solid
    paint: str
    name: str


def looks(motion: Motion) -> list[BodySolid]:
    """The geometry of all bodies, and of frames on them and on ground."""
    program, out = motion.program, []
    for k, name in enumerate(program.bodies):
        for piece in program.flat.bodies[name].element.geometry:
            if not piece.shown:
                continue
            solid = _solid(piece, motion.numbers.value).placed(-motion.numbers.center[k])
            out.append(BodySolid(k, solid, piece.color or "", name))
    for name, placed in program.flat.frames.items():
        if placed.element.geometry:
            layout = layout_of(program.flat)
            body, marker = layout.marker_of_frame(name)
            record = layout.number(marker, motion.numbers.parameters)
            k = GROUND if body == "ground" else program.body_index(body)
            for piece in placed.element.geometry:
                if not piece.shown:
                    continue
                solid = _solid(piece, motion.numbers.value).placed(record[:3], record[3:].reshape(3, 3))
                out.append(BodySolid(k, solid, piece.color or "", name))
    return out


def _solid(piece: Geometry, value: Callable[[Any], float]) -> Solid:
    """In the body frame, or in that of the frame it stands in."""
    if piece.shape is not None:
        solid = shape_solid(piece.shape, value)
    else:
        surface = piece.surface()
        solid = Solid(surface.points, surface.triangles.tolist(), [0] * len(surface.triangles))
    return solid.placed([value(x) for x in piece.position], np.array(piece.orientation.matrix(value)))


def covers(own: list[Solid], wheel: Solid) -> bool:
    """Whether solids reach as far as a wheel on all sides, or nearly so: then they show it already."""
    if not own:
        return False
    corners = np.concatenate([solid.corners for solid in own])
    slack = 0.03 * np.ptp(wheel.corners, axis=0).max()
    low, high = wheel.corners.min(axis=0), wheel.corners.max(axis=0)
    return bool(np.all(corners.min(axis=0) <= low + slack) and np.all(corners.max(axis=0) >= high - slack))
