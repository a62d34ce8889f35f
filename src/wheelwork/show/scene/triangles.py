"""Solids as triangles with normals, as graphics hardware wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .solids import Solid

CREASE = np.cos(np.radians(32.0))
"""Faces that meet at a smaller angle than this look like one round face."""


@dataclass(frozen=True)
class Triangles:
    """points (V, 3) [m], normals (V, 3) of length 1, tones (V): 1 for the darker tone; indices (M, 3), seen
    anticlockwise from outside.

    A corner of the solid is there once for every direction of a normal, so edges stay sharp.
    """

    points: np.ndarray
    normals: np.ndarray
    tones: np.ndarray
    indices: np.ndarray

    @property
    def volume(self) -> float:
        """By Gauss: a sixth of the sum of p . (q x r); right where the surface is closed [m^3]."""
        p, q, r = (self.points[self.indices[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", p, np.cross(q, r)) / 6)


def triangles(solid: Solid) -> Triangles:
    """Faces as fans of triangles; faces that meet at a blunt angle share their normals."""
    if not solid.faces:
        return Triangles(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0, int), np.zeros((0, 3), int))
    counts = np.array([len(face) for face in solid.faces])
    face_of = np.repeat(np.arange(len(counts)), counts)
    corner = np.concatenate([np.asarray(face, int) for face in solid.faces])
    areas = _area_vectors(solid.corners[corner], counts)
    normals = _normals(areas, face_of, corner)
    tones = np.asarray(solid.tones)[face_of]
    key = np.column_stack((corner, tones, np.round(normals * 1e5).astype(np.int64)))
    _, first, place = np.unique(key, axis=0, return_index=True, return_inverse=True)
    place = place.ravel()
    starts = np.cumsum(counts) - counts
    fans = np.arange(len(corner)) - starts[face_of]
    inner = np.flatnonzero((fans >= 1) & (fans < counts[face_of] - 1))
    indices = np.column_stack((starts[face_of[inner]], inner, inner + 1))
    _cut_short(indices, solid.corners[corner], inner, counts[face_of[inner]], fans[inner])
    return Triangles(solid.corners[corner[first]], normals[first], tones[first], place[indices])


def _cut_short(
    indices: np.ndarray, points: np.ndarray, inner: np.ndarray, counts: np.ndarray, fans: np.ndarray
) -> None:
    """Faces of four corners are cut along their shorter diagonal: twisted ones then fold the right way."""
    first = np.flatnonzero((counts == 4) & (fans == 1))
    a, b, c, d = (indices[first, 0], inner[first], inner[first] + 1, inner[first] + 2)
    across = np.linalg.norm(points[d] - points[b], axis=1) < 0.999 * np.linalg.norm(
        points[c] - points[a], axis=1
    )
    rows, (a, b, c, d) = first[across], (x[across] for x in (a, b, c, d))
    indices[rows] = np.column_stack((a, b, d))
    indices[rows + 1] = np.column_stack((b, c, d))


def _area_vectors(points: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Area times normal of each polygon (Newell), from its corners one after another."""
    last = np.cumsum(counts) - 1
    following = np.arange(len(points)) + 1
    following[last] = last - counts + 1
    return np.add.reduceat(np.cross(points, points[following]), last - counts + 1) / 2


def _normals(areas: np.ndarray, face_of: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """For each corner of each face: the mean normal of the faces around it that are not across an edge.

    A face without an area, which cannot be seen, has any normal.
    """
    size = np.linalg.norm(areas, axis=1, keepdims=True)
    unit = areas / np.where(size > 0, size, 1.0)
    order = np.argsort(corner, kind="stable")
    groups, start, count = np.unique(corner[order], return_index=True, return_counts=True)
    del groups
    out = np.empty((len(corner), 3))
    for valence in np.unique(count):
        chosen = order[start[count == valence][:, None] + np.arange(valence)]
        own, weighed = unit[face_of[chosen]], areas[face_of[chosen]]
        blunt = np.einsum("gik,gjk->gij", own, own) > CREASE
        total = np.einsum("gij,gjk->gik", blunt, weighed)
        length = np.linalg.norm(total, axis=2, keepdims=True)
        out[chosen] = np.where(length > 0, total / np.where(length > 0, length, 1.0), [0.0, 0.0, 1.0])
    return out
