"""Sections of the solids of a scene, and how far those of two wheels in mesh overlap: by lines across the picture.

A section of a closed surface by a plane is a heap of line pieces; a point is inside where a line to it crosses an odd
number of them, whatever their order. So no polygons have to be put together, and rings need no care.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import numpy as np

from wheelwork.show.scene import GROUND, Scene, Triangles, make_scene
from wheelwork.show.scene.drawn_meshes import DrawnMesh, DrawnWheel, drawn_meshes
from wheelwork.system.attitude import rotation_matrices
from wheelwork.system.motion import Motion

LINES = 200
"""Across the region that is looked at: 2.5 pitches to either side of the pitch point, 40 a pitch."""
TOOTH = 0.3
"""Area of a tooth over the square of the pitch, rather less than it is: 2.25 modules high, half a pitch thick."""


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
        ends = [
            flat[a] + (height[a] / (height[a] - height[o]))[:, None] * (flat[o] - flat[a]) for o in (b, c)
        ]
        return np.stack(ends, axis=1)


def world(scene: Scene, frame: int, body: int, points: np.ndarray) -> np.ndarray:
    if body == GROUND:
        return points
    R = rotation_matrices(scene.orientation[frame, body])
    return points @ R.T + scene.position[frame, body]


def overlap(
    one: np.ndarray, other: np.ndarray, low: np.ndarray, high: np.ndarray, lines: int = LINES
) -> float:
    """Area within a box that is inside both sections."""
    spacing = (high[1] - low[1]) / lines
    heights = low[1] + spacing * (np.arange(lines) + 0.5)
    line, x, whose = [], [], []
    for k, pieces in enumerate((one, other)):
        (xa, ya), (xb, yb) = pieces[:, 0].T, pieces[:, 1].T
        # piece i crosses the lines from first to last
        first, last = np.sort(np.clip(np.searchsorted(heights, [ya, yb], side="right"), 0, lines), axis=0)
        i = np.repeat(np.arange(len(pieces)), last - first)
        j = np.arange(len(i)) - np.repeat(np.cumsum(last - first) - (last - first), last - first) + first[i]
        line.append(j)
        x.append(xa[i] + (heights[j] - ya[i]) / (yb[i] - ya[i]) * (xb[i] - xa[i]))
        whose.append(np.full(len(i), k))
    line, x, whose = np.concatenate(line), np.concatenate(x), np.concatenate(whose)
    order = np.lexsort((x, line))
    line, x, whose = line[order], np.clip(x[order], low[0], high[0]), whose[order]
    inside = [np.cumsum(whose == k) % 2 == 1 for k in (0, 1)]
    both = (inside[0] & inside[1])[:-1] & (line[1:] == line[:-1])
    return float(np.sum((x[1:] - x[:-1])[both])) * spacing


def mesh_plane(
    scene: Scene, frame: int, site: DrawnMesh, bodies: tuple[int, int], lift: float = 0.0
) -> Plane:
    """The plane in which two wheels are looked at, through their pitch point.

    Parallel axes and racks: at a right angle to the axes, `lift` [m] along them. Bevel: at a right angle to the common
    line of the cones; teeth are cones with their tip in the apex, so this one plane tells all. Others: through the
    worm's axis and the pitch point, shifted by `lift` along the wheel's axis.
    """
    (a, b), (wa, wb) = bodies, site.wheels

    def place(body: int, wheel: DrawnWheel) -> tuple[np.ndarray, np.ndarray]:
        centre = world(scene, frame, body, wheel.point[None, :])[0]
        axes = world(scene, frame, body, wheel.axes.T) - world(scene, frame, body, np.zeros((1, 3)))
        return centre, axes.T

    (p, A), (q, B) = place(a, wa), place(b, wb)
    z = A[:, 2]
    if site.mesh.type == "rack":
        outward = -B[:, 1]
        return Plane(p + wa.radius * outward + lift * z, outward, np.cross(z, outward))
    if site.mesh.type == "bevel":
        n = np.cross(z, B[:, 2])
        n /= np.linalg.norm(n)
        toward = np.cross(n, z)  # from the axis of a to the common line
        pitch_point = p + wa.radius * toward
        apex = p - z * (wa.radius / np.tan(_cone_angle(z, B[:, 2], wa.radius, wb.radius)))
        line = (pitch_point - apex) / np.linalg.norm(pitch_point - apex)
        return Plane(pitch_point, np.cross(n, line), n)
    l = q - p
    l -= z * (z @ l)
    outward = l / np.linalg.norm(l)
    if site.mesh.type == "internal":
        outward = -outward
    if site.mesh.type in ("worm", "crossed"):
        across = np.cross(outward, z)
        return Plane(p + wa.radius * outward + lift * across, outward, z)
    return Plane(p + wa.radius * outward + lift * z, outward, np.cross(z, outward))


def _cone_angle(z_a: np.ndarray, z_b: np.ndarray, r_a: float, r_b: float) -> float:
    """Of wheel a: tan(delta_a) = sin(sigma)/(r_b/r_a + cos(sigma))."""
    sine = float(np.linalg.norm(np.cross(z_a, z_b)))
    return float(np.arctan2(sine, r_b / r_a + float(z_a @ z_b)))


class Meshing:
    """The wheels of a motion, to be looked at in sections."""

    def __init__(self, motion: Motion):
        self.scene = make_scene(motion)
        self.sites = drawn_meshes(motion)[0]
        self.solids: dict[str, list[tuple[int, Triangles]]] = {}
        for part in self.scene.parts:
            if part.kind == "wheel":
                self.solids.setdefault(part.name, []).append((part.body, part.solid.triangles()))

    def overlaps(
        self,
        frames: Iterable[int],
        lifts: tuple[float, ...] = (0.0,),
        slip: float = 0.0,
        only: Collection[str] | None = None,
    ) -> dict[str, float]:
        """The largest overlap of the wheels of each mesh over frames, in areas of a tooth.

        lifts: of the planes, in pitches; slip: turns wheel a out of its place, in pitches; only: names of meshes
        """
        sites = [site for site in self.sites if only is None or site.name in only]
        return {site.name: self._worst(site, frames, lifts, slip) for site in sites}

    def _worst(self, site: DrawnMesh, frames: Iterable[int], lifts: tuple[float, ...], slip: float) -> float:
        names = [f"{w.body} z={w.teeth}" if w.teeth else w.body for w in site.wheels]
        bodies = self.solids[names[0]][0][0], self.solids[names[1]][0][0]
        box = site.pitch * np.array([1.5, 2.5])
        own = [(body, _slipped(t, site, slip)) for body, t in self.solids[names[0]]]
        worst = 0.0
        for frame in frames:
            for lift in lifts:
                plane = mesh_plane(self.scene, frame, site, bodies, lift * site.pitch)
                cuts = [_cut(plane, self.scene, frame, some) for some in (own, self.solids[names[1]])]
                worst = max(worst, overlap(cuts[0], cuts[1], -box, box))
        return worst / (TOOTH * site.pitch**2)


def _slipped(found: Triangles, site: DrawnMesh, slip: float) -> Triangles:
    """Turned about wheel a's axis."""
    wheel = site.wheels[0]
    angle = slip * site.pitch / (wheel.radius * np.cos(wheel.helix))
    local = (found.points - wheel.point) @ wheel.axes
    c, s = np.cos(angle), np.sin(angle)
    turned = local @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    return replace(found, points=turned @ wheel.axes.T + wheel.point)


def area(cut: np.ndarray, lines: int = 400) -> float:
    """Of a section."""
    low, high = cut.reshape(-1, 2).min(axis=0), cut.reshape(-1, 2).max(axis=0)
    return overlap(cut, cut + 0.0, low, high, lines)


def _cut(plane: Plane, scene: Scene, frame: int, solids: list[tuple[int, Triangles]]) -> np.ndarray:
    return np.concatenate([plane.cut(world(scene, frame, body, t.points), t.indices) for body, t in solids])
