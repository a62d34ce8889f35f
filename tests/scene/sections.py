"""Sections of the solids of a scene, and how far those of two wheels in mesh overlap: by lines across the picture.

A section of a closed surface by a plane is a heap of line pieces; a point is inside where a line to it crosses an odd
number of them, whatever their order. So no polygons have to be put together, and rings need no care.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wheelwork.equations.attitude import rotation_matrices
from wheelwork.scene import GROUND, Scene
from wheelwork.scene.mesh_sites import MeshSite

LINES = 500  # across the region that is looked at


@dataclass(frozen=True)
class Plane:
    """Through a point, with two directions in it."""

    point: np.ndarray
    x: np.ndarray
    y: np.ndarray

    @property
    def normal(self) -> np.ndarray:
        return np.cross(self.x, self.y)

    def cut(self, points: np.ndarray, indices: np.ndarray) -> np.ndarray:
        """Pieces (n, 2, 2) in which the plane cuts triangles."""
        rel = points - self.point
        height = rel @ self.normal
        height = np.where(height == 0, 1e-300, height)
        flat = np.column_stack((rel @ self.x, rel @ self.y))
        above = height[indices] > 0
        some = indices[above.any(axis=1) & ~above.all(axis=1)]
        up = height[some] > 0
        lone = np.where(up.sum(axis=1) == 1, up.argmax(axis=1), (~up).argmax(axis=1))
        a, b, c = (some[np.arange(len(some)), (lone + k) % 3] for k in range(3))
        ends = [flat[a] + (height[a] / (height[a] - height[o]))[:, None] * (flat[o] - flat[a]) for o in (b, c)]
        return np.stack(ends, axis=1)


def world(scene: Scene, frame: int, body: int, points: np.ndarray) -> np.ndarray:
    if body == GROUND:
        return points
    R = rotation_matrices(scene.orientation[frame, body])
    return points @ R.T + scene.position[frame, body]


def overlap(one: np.ndarray, other: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """Area within a box that is inside both sections."""
    spacing = (high[1] - low[1]) / LINES
    heights = low[1] + spacing * (np.arange(LINES) + 0.5)
    line, x, whose = [], [], []
    for k, pieces in enumerate((one, other)):
        near = pieces[(pieces[:, :, 1].max(axis=1) >= low[1]) & (pieces[:, :, 1].min(axis=1) <= high[1])]
        (xa, ya), (xb, yb) = near[:, 0].T, near[:, 1].T
        crosses = (ya[:, None] > heights) != (yb[:, None] > heights)
        i, j = np.nonzero(crosses)
        line.append(j)
        x.append(xa[i] + (heights[j] - ya[i]) / (yb[i] - ya[i]) * (xb[i] - xa[i]))
        whose.append(np.full(len(i), k))
    line, x, whose = np.concatenate(line), np.concatenate(x), np.concatenate(whose)
    order = np.lexsort((x, line))
    line, x, whose = line[order], np.clip(x[order], low[0], high[0]), whose[order]
    inside = [np.cumsum(whose == k) % 2 == 1 for k in (0, 1)]
    both = (inside[0] & inside[1])[:-1] & (line[1:] == line[:-1])
    return float(np.sum((x[1:] - x[:-1])[both])) * spacing


def mesh_plane(scene: Scene, frame: int, site: MeshSite, bodies: tuple[int, int], lift: float = 0.0) -> Plane:
    """The plane in which two wheels are looked at, through their pitch point.

    Parallel axes and racks: at a right angle to the axes, `lift` [m] along them. Bevel: at a right angle to the common
    line of the cones; teeth are cones with their tip in the apex, so this one plane tells all. Others: through the
    worm's axis and the pitch point, shifted by `lift` along the wheel's axis.
    """
    (a, b), (wa, wb) = bodies, site.wheels

    def place(body: int, wheel) -> tuple[np.ndarray, np.ndarray]:
        centre = world(scene, frame, body, wheel.point[None, :])[0]
        axes = world(scene, frame, body, wheel.axes.T) - world(scene, frame, body, np.zeros((1, 3)))
        return centre, axes.T

    (p, A), (q, B) = place(a, wa), place(b, wb)
    z = A[:, 2]
    if site.type == "rack":
        outward = -B[:, 1]
        return Plane(p + wa.radius * outward + lift * z, outward, np.cross(z, outward))
    if site.type == "bevel":
        n = np.cross(z, B[:, 2])
        n /= np.linalg.norm(n)
        e = np.cross(n, z)
        e *= np.sign(e @ B[:, 2])
        f = p + wa.radius * e
        along = wa.radius * z * 0
        apex = p - z * (wa.radius / np.tan(np.arccos(np.clip(_cone(z, B[:, 2], wa.radius, wb.radius), -1, 1))))
        del along
        d = (f - apex) / np.linalg.norm(f - apex)
        return Plane(f, np.cross(n, d), n)
    l = q - p
    l -= z * (z @ l)
    outward = l / np.linalg.norm(l)
    if site.type == "internal":
        outward = -outward
    if site.type in ("worm", "crossed"):
        across = np.cross(outward, z)
        return Plane(p + wa.radius * outward + lift * across, outward, z)
    return Plane(p + wa.radius * outward + lift * z, outward, np.cross(z, outward))


def _cone(z_a: np.ndarray, z_b: np.ndarray, r_a: float, r_b: float) -> float:
    """Cosine of wheel a's cone angle: tan(delta_a) = sin(sigma)/(r_b/r_a + cos(sigma))."""
    cosine = float(z_a @ z_b)
    sine = float(np.linalg.norm(np.cross(z_a, z_b)))
    return float(np.cos(np.arctan2(sine, r_b / r_a + cosine)))
