"""Solids as polygons, for pictures: corners (N, 3) in metres and faces, each a list of corners seen anticlockwise from
outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .triangles import Triangles, triangles

SIDES = 28


@dataclass(frozen=True)
class Solid:
    """`tones` has a number for each face: 0 plain, 1 the darker tone that lets one see a round body turn."""

    corners: np.ndarray
    faces: list[list[int]]
    tones: list[int]

    def placed(self, origin: Any = (0, 0, 0), axes: np.ndarray | None = None) -> Solid:
        """Moved to `origin`, its axes along the columns of `axes`."""
        corners = self.corners if axes is None else self.corners @ axes.T
        return Solid(corners + np.asarray(origin, float), self.faces, self.tones)

    def triangles(self) -> Triangles:
        """For graphics hardware and files of meshes."""
        return triangles(self)


def joined(solids: list[Solid]) -> Solid:
    """Several solids as one."""
    corners, faces, tones, first = [np.zeros((0, 3))], [], [], 0
    for solid in solids:
        corners.append(solid.corners)
        faces += [[first + k for k in face] for face in solid.faces]
        tones += solid.tones
        first += len(solid.corners)
    return Solid(np.concatenate(corners), faces, tones)


def box(size: Any) -> Solid:
    """Centred; edges along the axes."""
    half = np.asarray(size, float) / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return Solid(corners, faces, [0] * 6)


def evenly(count: int) -> np.ndarray:
    """Angles all the way round, from zero."""
    return 2 * np.pi * np.arange(count) / count


def directions(angles: np.ndarray | float) -> np.ndarray:
    """Unit vectors (..., 2) at angles from x."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def turned_by(angle: float) -> np.ndarray:
    """Axes turned about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def around(solid: Solid, circle: float, angles: np.ndarray) -> list[Solid]:
    """A solid once for each angle, on a circle about z."""
    return [solid.placed((x, y, 0)) for x, y in circle * directions(angles)]


def _ring(radius: float, z: float, sides: int) -> np.ndarray:
    return np.column_stack([radius * directions(evenly(sides)), np.full(sides, z)])


def lofted(
    rings: Sequence[Any], tone: Callable[[int, int], int] = lambda band, side: 0, closed: bool = False
) -> Solid:
    """Bands of faces from each ring of points (n, 3) to the next; a ring of one point ends in it.

    tone: of a face, by the number of its band and its place around; closed: the last ring leads back to the first
    """
    starts, sides = np.cumsum([0, *map(len, rings)]), max(map(len, rings))
    here, faces, tones = np.arange(sides), [], []
    for band, (i, j) in enumerate(pairwise([*range(len(rings)), *[0] * closed])):
        low, high = (
            [starts[r] + (here + k) % len(rings[r]) for k in (0, 1)[: len(rings[r])]] for r in (i, j)
        )
        faces += np.column_stack([*low, *high[::-1]]).tolist()
        tones += [tone(band, k) for k in range(sides)]
    return Solid(np.concatenate(rings), faces, tones)


def cylinder(radius: float, length: float, sides: int = SIDES, toned: bool = True) -> Solid:
    """Centred, round about z. Opposite quarters of the ends have the darker tone."""
    low, high = -length / 2, length / 2
    rings = [[[0, 0, low]], _ring(radius, low, sides), _ring(radius, high, sides), [[0, 0, high]]]
    return lofted(rings, lambda band, k: int(toned and band != 1 and (4 * k // sides) % 2))


def tube(outer: float, inner: float, length: float, sides: int = SIDES) -> Solid:
    """Centred, round about z."""
    if inner <= 0:
        return cylinder(outer, length, sides)
    low, high = -length / 2, length / 2
    rings = [_ring(r, z, sides) for r, z in ((outer, low), (outer, high), (inner, high), (inner, low))]
    return lofted(rings, lambda band, k: band % 2 * (4 * k // sides % 2), closed=True)


def sphere(radius: float, sides: int = 18, toned: bool = True) -> Solid:
    """Opposite eighths have the darker tone."""
    bands = max(3, sides // 2)
    angles = np.pi * np.arange(1, bands) / bands
    rings = [_ring(radius * np.sin(x), -radius * np.cos(x), sides) for x in angles]
    rings = [[[0, 0, -radius]], *rings, [[0, 0, radius]]]
    return lofted(rings, lambda band, k: int(toned and (4 * k // sides + (2 * band >= bands)) % 2))


def bar(start: np.ndarray, end: np.ndarray, thickness: float, sides: int = 6) -> Solid:
    """A thin straight bar between two points."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0:
        return joined([])
    return cylinder(thickness / 2, length, sides, toned=False).placed((start + end) / 2, axes_along(along))


def axes_along(direction: np.ndarray) -> np.ndarray:
    """A right-handed frame (columns) with its z along a direction."""
    z = np.asarray(direction, float) / np.linalg.norm(direction)
    helper = np.eye(3)[int(np.argmin(np.abs(z)))]
    y = np.cross(z, helper)
    y /= np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1)


# Columns are where x, y and z of a solid that is round about z go.
_AXES = {
    "x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    "y": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "z": np.eye(3),
}


@dataclass(frozen=True)
class RoundShape:
    """outer, inner: radii [m]; length: [m]; hub: its radius and length, if there is one; axis: in the body"""

    outer: float
    inner: float
    length: float
    axis: np.ndarray
    hub: tuple[float, float] | None = None


def round_shape(shape: Any, value: Callable[[Any], float]) -> RoundShape | None:
    """A cylinder, disc, tube or gear blank; None for other shapes."""
    axis = round_axis(shape)
    if axis is None:
        return None
    kind = shape.type
    if kind == "tube":
        return RoundShape(value(shape.outer_radius), value(shape.inner_radius), value(shape.length), axis)
    if kind == "gear_blank":
        hub = None
        if shape.hub_radius is not None and shape.hub_length is not None:
            hub = value(shape.hub_radius), value(shape.hub_length)
        bore = value(shape.bore_radius)
        return RoundShape(value(shape.pitch_radius), bore, value(shape.face_width), axis, hub)
    length = value(shape.thickness if kind == "disc" else shape.length)
    return RoundShape(value(shape.radius), 0.0, length, axis)


def shape_solid(shape: Any, value: Callable[[Any], float]) -> Solid:
    """A shape of the description."""
    if shape.type == "box":
        return box([value(x) for x in shape.size])
    found = round_shape(shape, value)
    if found is None:
        return sphere(value(shape.radius))
    pieces = [(found.outer, found.length), *([found.hub] if found.hub else [])]
    solid = joined([tube(radius, found.inner, length) for radius, length in pieces])
    return solid.placed(axes=_AXES[shape.axis])


def round_axis(shape: Any) -> np.ndarray | None:
    """The axis of a round shape, in body axes."""
    axis = getattr(shape, "axis", None)
    return None if axis is None else np.eye(3)["xyz".index(axis)]
