"""Surfaces of triangles: whether they are closed, what they enclose, and how to keep them in a line of text."""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

MOST_KEPT = 30_000
"""Triangles of a surface that is kept for pictures; finer ones are thinned out."""
_LARGEST_KEPT = 64 * 2**20
"""Bytes that a kept surface may have when it is unpacked."""


@dataclass(frozen=True)
class Moments:
    """Of a solid of density 1: volume, centre, and second moments (3, 3), the integral of x x^T about the centre."""

    volume: float
    center: np.ndarray
    second: np.ndarray


@dataclass(frozen=True)
class TriangleMesh:
    """points (N, 3), in whatever unit; triangles (M, 3), corners seen anticlockwise from outside."""

    points: np.ndarray
    triangles: np.ndarray

    @property
    def size(self) -> float:
        """The diagonal of the box around it."""
        used = self.points[self.triangles.ravel()]
        return float(np.linalg.norm(np.ptp(used, axis=0))) if len(used) else 0.0

    @cached_property
    def moments(self) -> Moments:
        """By Gauss, as the sum of tetrahedra over all triangles; right where the surface is closed.

        Of a tetrahedron with corners 0, p, q, r and d = p . (q x r): volume d/6, first moments d/24 (p + q + r), second
        moments d/120 (p p^T + q q^T + r r^T + s s^T) with s = p + q + r.
        """
        middle = self.points.mean(axis=0) if len(self.points) else np.zeros(3)
        corners = self.points[self.triangles] - middle
        p, q, r = corners[:, 0], corners[:, 1], corners[:, 2]
        d = np.einsum("ij,ij->i", p, np.cross(q, r))
        volume = float(d.sum()) / 6
        if volume == 0 or not np.isfinite(volume):
            return Moments(0.0, middle, np.zeros((3, 3)))
        s = corners.sum(axis=1)
        center = d @ s / 24 / volume
        second = np.einsum("i,ikj,ikl->jl", d, corners, corners) + np.einsum("i,ij,il->jl", d, s, s)
        return Moments(volume, middle + center, second / 120 - volume * np.outer(center, center))

    def joined(self) -> TriangleMesh:
        """Equal corners as one, as far as they are the same number; else those that a millionth of the size divides.

        Triangles without an area between two equal corners go.
        """
        exact = self._merged(self.points)
        if exact.why_open is None or not self.size:
            return exact
        rounded = self._merged(np.round(self.points / (1e-6 * self.size)))
        return rounded if rounded.why_open is None else exact

    def _merged(self, keys: np.ndarray) -> TriangleMesh:
        _, first, place = np.unique(keys + 0.0, axis=0, return_index=True, return_inverse=True)  # no -0.0
        triangles = place.ravel()[self.triangles]
        a, b, c = triangles.T
        return TriangleMesh(self.points[first], triangles[(a != b) & (b != c) & (c != a)])

    @cached_property
    def why_open(self) -> str | None:
        """Why the surface encloses nothing, in words; None where it is closed: each edge has two triangles, one each
        way."""
        if not len(self.triangles):
            return "has no triangles"
        edges = np.concatenate([self.triangles[:, [k, (k + 1) % 3]] for k in range(3)]).astype(np.int64)
        count = len(self.points)
        along, back = edges[:, 0] * count + edges[:, 1], edges[:, 1] * count + edges[:, 0]
        keys, there = np.unique(along, return_counts=True)
        against = np.zeros(len(keys), int)
        found, times = np.unique(back, return_counts=True)
        places = np.searchsorted(keys, found)
        known = (places < len(keys)) & (keys[np.minimum(places, len(keys) - 1)] == found)
        against[places[known]] = times[known]
        wrong = there != against
        if not np.any(wrong):
            return None
        a, b = divmod(int(keys[wrong][0]), count)
        x, y, z = (self.points[a] + self.points[b]) / 2
        alone = int(np.sum(wrong & (there + against == 1)))
        what = (
            f"{alone} edges have a triangle on one side only"
            if alone
            else "triangles are turned opposite to their neighbours"
        )
        return f"is not closed: {what}, the first at ({x:.5g}, {y:.5g}, {z:.5g}) in the numbers of the file"

    def turned(self) -> TriangleMesh:
        """Inside out."""
        return TriangleMesh(self.points, self.triangles[:, ::-1])

    def thinned(self, most: int = MOST_KEPT) -> TriangleMesh:
        """At most so many triangles, for pictures: corners in a cell of a grid become one; the grid gets coarser."""
        found, cells = self, 1024.0
        low, size = (self.points.min(axis=0), self.size) if len(self.points) else (np.zeros(3), 0.0)
        while len(found.triangles) > most and size:
            found = self._merged(np.floor((self.points - low) / size * cells))
            cells *= 0.8
        return found

    # -- in a line of text

    def packed(self) -> str:
        """Base64 of compressed numbers: 32-bit floats and 32-bit indices, little-endian."""
        order, place = np.unique(self.triangles, return_inverse=True)
        points = self.points[order].astype("<f4")
        triangles = place.reshape(-1, 3).astype("<i4")
        steps = np.diff(triangles.ravel(), prepend=0).astype("<i4")  # small numbers, which compress
        raw = np.array([len(points), len(triangles)], "<u4").tobytes() + points.tobytes() + steps.tobytes()
        return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")

    @staticmethod
    def unpacked(text: str) -> TriangleMesh:
        """What `packed` made; ValueError for anything else."""
        try:
            reader = zlib.decompressobj()
            raw = reader.decompress(base64.b64decode(text, validate=True), _LARGEST_KEPT)
        except (zlib.error, binascii.Error) as error:
            raise ValueError(f"is not a stored surface: {error}") from None
        if len(raw) < 8:
            raise ValueError("is not a stored surface: it is too short")
        points, triangles = (int(x) for x in np.frombuffer(raw[:8], "<u4"))
        if reader.unconsumed_tail or len(raw) != 8 + 12 * points + 12 * triangles:
            raise ValueError(
                f"is not a stored surface: {len(raw)} bytes for {points} corners and {triangles} triangles"
            )
        corners = np.frombuffer(raw, "<f4", 3 * points, 8).reshape(-1, 3).astype(float)
        steps = np.frombuffer(raw, "<i4", 3 * triangles, 8 + 12 * points)
        indices = np.cumsum(steps.astype(np.int64)).reshape(-1, 3)
        if not np.all(np.isfinite(corners)) or np.any(indices < 0) or np.any(indices >= points):
            raise ValueError("is not a stored surface: its triangles have corners that it does not hold")
        return TriangleMesh(corners, indices)
