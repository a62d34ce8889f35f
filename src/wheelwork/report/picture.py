"""Still pictures of a mechanism, painted from far to near as the report's animation does it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.attitude import rotation_matrices
from wheelwork.scene import GROUND, STEEL, Scene, make_scene, upright

if TYPE_CHECKING:
    from wheelwork.results import Result

SHADOW, GRID = "#d7d9dc", "#c9cdd2"
LIGHT = np.array([-0.35, 0.72, 0.6])
AWAY = 3.4
"""Distance of the eye, in radii of the scene."""


def draw_mechanism(
    axes: Any,
    result: Result,
    t: float,
    yaw: float = -1.05,
    pitch: float = 0.36,
    bodies: Collection[str] | None = None,
) -> None:
    """Draw the mechanism at one time onto matplotlib axes.

    yaw, pitch [rad]: turn the view
    bodies: names of those to draw, without the symbols of joints; all where left out
    """
    motion = result.at([t]).motion
    scene = make_scene(result.motion, divided=True)
    if bodies is not None:
        shown = {k for k, name in enumerate(scene.names) if name in bodies}
        scene.parts = [part for part in scene.parts if part.body in shown and not part.symbol]
        scene.lines = []
    scene.position, scene.orientation, scene.t = motion.x, motion.e, motion.t
    _Painter(scene, yaw, pitch).paint(axes)


class _Painter:
    def __init__(self, scene: Scene, yaw: float, pitch: float):
        self.scene = scene
        self.turned = upright(scene.up)
        cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        self.view = np.array([[-sy, cy, 0], [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]])
        """Rows: right, up, towards the eye."""
        self.center = self.turned @ scene.center
        self.R = rotation_matrices(scene.orientation[0]) if len(scene.names) else np.zeros((0, 3, 3))

    def world(self, body: int, points: np.ndarray) -> np.ndarray:
        if body != GROUND:
            points = points @ self.R[body].T + self.scene.position[0, body]
        return points @ self.turned.T

    def eye(self, points: np.ndarray) -> np.ndarray:
        return (points - self.center) @ self.view.T

    def screen(self, seen: np.ndarray) -> np.ndarray:
        far = AWAY * self.scene.radius
        return seen[:, :2] * (far / (far - seen[:, 2:3]))

    def paint(self, axes: Any) -> None:
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import to_rgb

        shadows, faces = [], []
        for part in self.scene.parts:
            world = self.world(part.body, part.solid.corners)
            seen = self.eye(world)
            flat = self.screen(
                self.eye(np.column_stack([world[:, :2], np.full(len(world), self.scene.floor)]))
            )
            on_screen = self.screen(seen)
            base = np.array(to_rgb(part.color))
            for face, tone in zip(part.solid.faces, part.solid.tones, strict=True):
                shadows.append(flat[face])
                a, b, c = seen[face[:3]]
                normal = np.cross(b - a, c - a)
                size = np.linalg.norm(normal) or 1.0
                if normal @ (np.array([0, 0, AWAY * self.scene.radius]) - a) <= 0:
                    continue
                bright = 0.56 + 0.5 * max(0.0, float(normal @ LIGHT) / size) - 0.13 * tone
                color = base * bright if bright <= 1 else base + (1 - base) * (bright - 1)
                faces.append((seen[face, 2].mean(), on_screen[face], tuple(np.clip(color, 0, 1))))
        axes.add_collection(LineCollection(self._grid(), colors=GRID, linewidths=0.6, zorder=1))
        axes.add_collection(PolyCollection(shadows, facecolors=SHADOW, edgecolors="none", zorder=2))
        faces.sort(key=lambda face: face[0])
        colors = [color for _, _, color in faces]
        shapes = [points for _, points, _ in faces]
        axes.add_collection(
            PolyCollection(shapes, facecolors=colors, edgecolors=colors, linewidths=0.5, zorder=3)
        )
        ends = [
            np.concatenate(
                [self.screen(self.eye(self.world(body, point[None, :]))) for body, point in line.ends]
            )
            for line in self.scene.lines
        ]
        axes.add_collection(LineCollection(ends, colors=STEEL, linewidths=2, zorder=4))
        self._frame(axes, np.concatenate(shapes) if shapes else np.zeros((1, 2)))

    def _grid(self) -> list[np.ndarray]:
        radius = self.scene.radius
        size = 10 ** np.floor(np.log10(radius))
        spacing = next((k * size for k in (1, 0.5, 0.2, 0.1) if radius / (k * size) >= 3), 0.1 * size)
        middle = np.round(self.center[:2] / spacing) * spacing
        reach = 1.5 * radius
        lines = []
        for k in range(-int(reach / spacing), int(reach / spacing) + 1):
            d = k * spacing
            half = np.sqrt(max(0.0, reach**2 - d**2))
            for ends in (((d, -half), (d, half)), ((-half, d), (half, d))):
                points = np.array([[*(middle + end), self.scene.floor] for end in ends])
                lines.append(self.screen(self.eye(points)))
        return lines

    def _frame(self, axes: Any, points: np.ndarray) -> None:
        """Limits that hold everything and have the proportions of the axes."""
        low, high = points.min(axis=0), points.max(axis=0)
        middle, half = (low + high) / 2, 0.56 * (high - low)
        middle[1] -= 0.03 * (high[1] - low[1])  # room for the shadow
        box = axes.get_window_extent()
        half[0] = max(half[0], half[1] * box.width / box.height)
        half[1] = half[0] * box.height / box.width
        axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
        axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
        axes.set_axis_off()
