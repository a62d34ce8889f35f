"""A film as nodes of viser's scene: bodies with their solids, floor, rods, springs, arrows, names and axes.

A node above them all moves the other way when a body is followed, so that it stays where it is on the screen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.equations.attitude import rotation_matrices
from wheelwork.show.scene import GROUND, upright
from wheelwork.show.scene.solids import axes_along

from .film import Film
from .glb import body_glb
from .render import ARROWS, grid_lines

ROOT = "/mechanism"
GLASS = 0.35
"""How much a body hides that one can see through."""


class LiveScene:
    """Nodes for a film; `show(t)` moves them, the other methods change what is seen."""

    def __init__(self, server: Any, film: Film, named: bool):
        self.server, self.film = server, film
        self.following: int | None = None
        self.arrow_scale = film.arrow_scale
        scene = server.scene
        scene.set_up_direction(tuple(float(c) for c in film.scene.up))
        self.root = scene.add_frame(ROOT, show_axes=False)
        self.bodies = [
            scene.add_frame(self._node(k), show_axes=False) for k in (*range(len(film.scene.names)), GROUND)
        ]
        self.see_through(False)
        self._light()
        self._floor()
        self._camera()
        self.names = self._add_names(named)
        self.lines = None
        if film.scene.lines:
            self.lines = self._segments(f"{ROOT}/lines", np.zeros((1, 2, 3)), "#6d747e", 3.0)
        self.arrows = {kind: self._add_arrows(kind, color) for kind, color in ARROWS.items()}

    # -- building

    def _node(self, body: int) -> str:
        """`stage2.planet1` hangs below `stage2`."""
        name = "ground" if body == GROUND else self.film.scene.names[body]
        return f"{ROOT}/bodies/{name.replace('.', '/')}"

    def _segments(self, name: str, points: np.ndarray, color: str, pixels: float) -> Any:
        return self.server.scene.add_line_segments(
            name, points, _rgb(color), thickness=pixels, thickness_units="screen"
        )

    def _eye(self, sideways: float = 0.0, higher: float = 0.0) -> np.ndarray:
        """The direction in which the first view has its eye, or one turned from it [rad]."""
        yaw, pitch = self.film.scene.view
        yaw, pitch = yaw + sideways, pitch + higher
        turned = [np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)]
        return upright(self.film.scene.up).T @ np.array(turned)

    def _light(self) -> None:
        """Three lights of ours: shadows and reflections of viser's own cost more than they show."""
        scene, far = self.server.scene, 10 * self.film.scene.radius
        scene.configure_environment_map(None)
        scene.configure_default_lights(enabled=False)
        scene.add_light_ambient("/light/all", intensity=1.5)
        for name, place, strength in (("eye", self._eye(-1.0, 0.6), 1.6), ("sky", self.film.scene.up, 0.9)):
            scene.add_light_directional(f"/light/{name}", intensity=strength, position=tuple(far * place))

    def _floor(self) -> None:
        scene = self.film.scene
        turned = upright(scene.up)
        lines = np.array(grid_lines(turned @ scene.center, scene.radius, scene.floor)) @ turned
        self._segments(f"{ROOT}/floor", lines, "#bec3c9", 1.0)

    def _camera(self) -> None:
        scene, camera = self.film.scene, self.server.initial_camera
        camera.look_at = tuple(scene.center)
        camera.position = tuple(scene.center + 2.1 * scene.radius * self._eye())
        camera.near, camera.far = 0.01 * scene.radius, 200 * scene.radius

    def _add_names(self, shown: bool) -> list[Any]:
        """Joints and meshes with their names and axes, moving with the body they are on."""
        out = []
        for k, label in enumerate(self.film.scene.labels):
            name = f"{self._node(label.body)}/name{k}"
            text = f"{label.name} ({label.type})"
            out.append(self.server.scene.add_label(name, text, position=label.point, visible=shown))
            if label.axis is not None:
                reach = 0.3 * self.film.scene.radius * label.axis
                out.append(
                    self._segments(f"{name}/axis", np.array([[-reach, reach]]), ARROWS[label.kind], 2.0)
                )
                out[-1].visible = shown
        return out

    def _add_arrows(self, kind: str, color: str) -> Any:
        radius = self.film.scene.radius
        return self.server.scene.add_arrows(
            f"{ROOT}/forces/{kind}",
            np.zeros((1, 2, 3)),
            _rgb(color),
            shaft_radius=0.011 * radius,
            head_radius=0.03 * radius,
            head_length=0.08 * radius,
            visible=False,
        )

    # -- changing

    def see_through(self, on: bool) -> None:
        """Solids as glass, or not."""
        for k in (*range(len(self.film.scene.names)), GROUND):
            parts = [part for part in self.film.scene.parts if part.body == k and part.solid.faces]
            if parts:
                self.server.scene.add_glb(f"{self._node(k)}/solid", body_glb(parts, GLASS if on else 1.0))

    def show_names(self, on: bool) -> None:
        for handle in self.names:
            handle.visible = on

    def show(self, t: float) -> None:
        """Everything at a time [s]."""
        x, e = self.film.pose(t)
        follow = self.following
        self.root.position = np.zeros(3) if follow is None else self.film.scene.center - x[follow]
        for node, position, turned in zip(self.bodies, x, e, strict=False):  # the last node is ground
            node.position, node.wxyz = position, turned
        if self.lines is not None:
            self.lines.points = self._line_points(x, rotation_matrices(e))
        self._show_arrows(t)

    def _line_points(self, x: np.ndarray, R: np.ndarray) -> np.ndarray:
        pieces = []
        for line in self.film.scene.lines:
            a, b = (p if body == GROUND else x[body] + R[body] @ p for body, p in line.ends)
            spring = line.kind == "spring"
            pieces.append(zigzag(a, b, 0.03 * self.film.scene.radius) if spring else np.array([[a, b]]))
        return np.concatenate(pieces).astype(np.float32)

    def _show_arrows(self, t: float) -> None:
        scene = self.film.scene
        for kind, handle in self.arrows.items():
            if not handle.visible:
                continue
            ends = [
                (point, point + self.arrow_scale * force)
                for own, point, force in self.film.forces(t)
                if own == kind and np.linalg.norm(force) * self.arrow_scale > 0.004 * scene.radius
            ]
            handle.points = np.array(ends or np.full((1, 2, 3), scene.center), np.float32)


def zigzag(a: np.ndarray, b: np.ndarray, wide: float, turns: int = 9) -> np.ndarray:
    """A spring as segments (n, 2, 3)."""
    if not np.any(b - a):
        return np.array([[a, b]])
    side = axes_along(b - a)[:, 0] * wide
    s = np.concatenate([[0, 0.1], 0.12 + 0.76 * (np.arange(2 * turns) + 0.5) / (2 * turns), [0.9, 1]])
    swing = np.concatenate([[0, 0], np.where(np.arange(2 * turns) % 2, 1, -1), [0, 0]])
    points = a + s[:, None] * (b - a) + swing[:, None] * side
    return np.stack([points[:-1], points[1:]], axis=1)


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
