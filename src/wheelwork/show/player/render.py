"""Pictures of a film without a browser: the same view, light and shadow as the player's."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.lazy import Image, ImageDraw, ImageFont
from wheelwork.show.scene import STEEL, Solid, upright
from wheelwork.show.scene.solids import axes_along, bar, cylinder, joined
from wheelwork.system.attitude import rotation_matrices

from .film import Film
from .raster import Canvas, covered, rasterise

AWAY = 3.4
"""Distance of the eye, in radii of the scene."""
LIGHT = np.array([-0.35, 0.72, 0.6]) / np.linalg.norm([-0.35, 0.72, 0.6])
FINER = 2
"""Pixels are painted this much finer and averaged, so that edges look smooth."""
ARROWS = {"joint": "#e0a000", "mesh": "#e02020"}


class Painter:
    """Paints a film at any time, always from the same place.

    size: pixels; yaw, pitch [rad]: turn the view; dark: on a dark ground
    forces: kinds of arrows to draw, `joint` and `mesh`, with `arrow` metres for each newton
    hidden: names of bodies to leave out; named: write names beside joints and meshes
    """

    def __init__(
        self,
        film: Film,
        size: tuple[int, int] = (960, 640),
        *,
        yaw: float | None = None,
        pitch: float | None = None,
        dark: bool = False,
        forces: tuple[str, ...] = (),
        arrow: float | None = None,
        hidden: tuple[str, ...] = (),
        named: bool = False,
    ) -> None:
        self.film, self.size, self.dark, self.forces, self.named = film, size, dark, forces, named
        scene = film.scene
        self.hidden = {scene.names.index(name) for name in hidden}
        own_yaw, own_pitch = scene.view
        yaw, pitch = own_yaw if yaw is None else yaw, own_pitch if pitch is None else pitch
        cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        self.eye = np.array([[-sy, cy, 0], [-sp * cy, -sp * sy, cp], [cp * cy, cp * sy, sp]])
        self.turned = upright(scene.up)
        self.center = self.turned @ scene.center
        self.away = AWAY * scene.radius
        self.arrow = film.arrow_scale if arrow is None else arrow
        self._collect()
        self._fit()

    def _collect(self) -> None:
        """All solids as one heap of triangles, with the body and the colour of each corner."""
        points, normals, colors, bodies, indices, count = [], [], [], [], [], 0
        for part in self.film.scene.parts:
            if part.body in self.hidden or not part.solid.faces:
                continue
            found = part.solid.triangles()
            points.append(found.points)
            normals.append(found.normals)
            colors.append(
                np.column_stack([np.tile(self._color(part.color), (len(found.points), 1)), found.tones])
            )
            bodies.append(np.full(len(found.points), part.body))
            indices.append(found.indices + count)
            count += len(found.points)
        empty = np.zeros((0, 3))
        self.points, self.normals = np.concatenate([empty, *points]), np.concatenate([empty, *normals])
        self.colors = np.concatenate([np.zeros((0, 4)), *colors])
        self.bodies = np.concatenate([np.zeros(0, int), *bodies]).astype(int)
        self.indices = np.concatenate([np.zeros((0, 3), int), *indices]).astype(int)

    def _color(self, color: str) -> np.ndarray:
        c = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
        return c + 0.12 * (1 - c) if self.dark else c

    # -- where things are

    def _frames(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Positions and rotations of all bodies, z up; the last is ground."""
        x, e = self.film.pose(t)
        x, R = np.concatenate([np.nan_to_num(x), np.zeros((1, 3))]), [*rotation_matrices(e), np.eye(3)]
        return x @ self.turned.T, self.turned @ np.array(R)

    def _world(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        x, R = self._frames(t)
        turn = R[self.bodies]
        points = np.einsum("nij,nj->ni", turn, self.points) + x[self.bodies]
        return points, np.einsum("nij,nj->ni", turn, self.normals)

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Right, up, towards the eye."""
        return (points - self.center) @ self.eye.T

    def _flat(self, seen: np.ndarray) -> np.ndarray:
        """On a plane through the centre, in metres there."""
        return seen[:, :2] * (self.away / np.maximum(self.away - seen[:, 2:3], 0.05 * self.away))

    def screen(self, seen: np.ndarray, finer: int = 1) -> np.ndarray:
        """Pixels, y down."""
        flat = (self._flat(seen) - self.middle) * self.zoom * finer
        return np.array(self.size) * finer / 2 + flat * [1, -1]

    def _fit(self) -> None:
        """As large as the whole motion allows, with its arrows but for peaks of more than a radius."""
        low, high = np.full(2, np.inf), np.full(2, -np.inf)
        for t in np.linspace(self.film.start, self.film.end, 24 if self.film.end > self.film.start else 1):
            most = self.film.scene.radius
            tips = [
                start + way * min(1.0, most / float(np.linalg.norm(way)))
                for _, start, way in self._pushes(float(t))
            ]
            flat = self._flat(self.seen(np.array([*self._world(float(t))[0], *tips])))
            if len(flat):
                low, high = np.minimum(low, flat.min(axis=0)), np.maximum(high, flat.max(axis=0))
        if not np.all(np.isfinite(low)):
            low, high = -np.ones(2) * self.film.scene.radius, np.ones(2) * self.film.scene.radius
        self.middle = (low + high) / 2
        extent = np.maximum(high - low, 1e-3 * self.film.scene.radius)
        self.zoom = float(np.min(np.array([0.9, 0.84]) * np.array(self.size) / extent))

    # -- painting

    def picture(self, t: float) -> np.ndarray:
        """(height, width, 3), bytes."""
        width, height = (n * FINER for n in self.size)
        back = np.array([0.07, 0.082, 0.098]) if self.dark else np.ones(3)
        canvas = Canvas(width, height, back)
        points, normals = self._world(t)
        self._floor(canvas, points, normals)
        self._solids(canvas, points, normals, self.colors, self.indices)
        self._pieces(canvas, self._lines(t))
        arrows = self._arrows(t)
        if arrows:
            self._over(canvas, arrows)
        fine = canvas.image.reshape(height, width, 3)
        places = [(i, j) for i in range(FINER) for j in range(FINER)]
        image = sum(fine[i::FINER, j::FINER] for i, j in places) / np.float32(FINER**2)
        image = np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)
        return self._named(image, t) if self.named else image

    def _solids(
        self, canvas: Canvas, points: np.ndarray, normals: np.ndarray, colors: np.ndarray, indices: np.ndarray
    ) -> None:
        seen, look = self.seen(points), normals @ self.eye.T
        base, amount = (0.5, 0.58) if self.dark else (0.56, 0.5)
        bright = (base + amount * np.maximum(0, look @ LIGHT) - 0.13 * colors[:, 3])[:, None]
        plain = colors[:, :3]
        lit = np.where(bright <= 1, plain * bright, plain + (1 - plain) * np.minimum(1, bright - 1))
        screen = self.screen(seen, FINER)
        a, b, c = (screen[indices[:, k]] for k in range(3))
        front = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) < (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        rasterise(screen, 1 / np.maximum(self.away - seen[:, 2], 1e-9), indices[front], lit, canvas)

    def _pieces(self, canvas: Canvas, pieces: list[tuple[Solid, str]]) -> None:
        for solid, color in pieces:
            found = solid.triangles()
            tinted = np.column_stack([np.tile(self._color(color), (len(found.points), 1)), found.tones])
            self._solids(canvas, found.points, found.normals, tinted, found.indices)

    def _over(self, canvas: Canvas, pieces: list[tuple[Solid, str]]) -> None:
        """Solids that shimmer through what is in front of them."""
        own = Canvas(canvas.width, canvas.height, np.zeros(3))
        self._pieces(own, pieces)
        there = np.flatnonzero(np.isfinite(own.depth))
        hidden = (own.depth[there] < canvas.depth[there])[:, None]
        canvas.image[there] += np.where(hidden, 0.55, 1.0) * (own.image[there] - canvas.image[there])

    def _floor(self, canvas: Canvas, points: np.ndarray, normals: np.ndarray) -> None:
        floor = self.film.scene.floor
        for start, end in grid_lines(self.center, self.film.scene.radius, floor):
            ends = self.screen(self.seen(np.array([start, end])), FINER)
            steps = int(np.abs(ends[1] - ends[0]).max()) + 1
            line = np.floor(np.linspace(ends[0], ends[1], steps)).astype(int)
            line = line[(line >= 0).all(axis=1) & (line < [canvas.width, canvas.height]).all(axis=1)]
            flat = np.unique(line[:, 1] * canvas.width + line[:, 0])
            canvas.shade(flat, self._color("#9aa1ab"), 0.55)
        down = np.column_stack([points[:, :2], np.full(len(points), floor)])
        up = self.indices[normals[self.indices[:, 0], 2] > 0] if len(self.indices) else self.indices
        mask = covered(self.screen(self.seen(down), FINER), up, canvas)
        canvas.shade(np.flatnonzero(mask), np.zeros(3), 0.4 if self.dark else 0.12)

    def _named(self, image: np.ndarray, t: float) -> np.ndarray:
        """With the names of joints and meshes, from the top down and none on top of another or of an arrow."""
        picture = Image.fromarray(image)
        pen, font = ImageDraw.Draw(picture), ImageFont.load_default(12)
        x, R = self._frames(t)
        labels = [label for label in self.film.scene.labels if label.body not in self.hidden]
        places = [x[label.body] + R[label.body] @ label.point for label in labels]
        spots = self.screen(self.seen(np.array(places))) if places else np.zeros((0, 2))
        arrows = [self._along(start, way) for _, start, way in self._pushes(t)]
        order = np.argsort(spots[:, 1])
        wide = [pen.textlength(labels[k].name, font=font) + 10 for k in order]
        boxes = place_names(spots[order], wide, np.concatenate([np.zeros((0, 2)), *arrows]))
        ink, back = ("#e8eaee", "#1a1e24") if self.dark else ("#1b2028", "#ffffff")
        for k, (u, v, w) in zip(order, boxes, strict=True):
            x, y = spots[k]
            if abs(v - y) > 30 or not u - 30 < x < u + w + 30:  # far from what it names
                pen.line([(x, y), (u if u > x else u + w, v)], fill=ARROWS[labels[k].kind])
        for k, (u, v, w) in zip(order, boxes, strict=True):
            pen.rectangle((u, v - 8, u + w, v + 8), fill=back)
            pen.rectangle((u, v - 8, u + 2, v + 8), fill=ARROWS[labels[k].kind])
            pen.text((u + 6, v), labels[k].name, fill=ink, font=font, anchor="lm")
        return np.asarray(picture)

    def _lines(self, t: float) -> list[tuple[Solid, str]]:
        """Rods, springs and axes at a time, in the world."""
        x, R = self._frames(t)
        radius, out = self.film.scene.radius, []
        for line in self.film.scene.lines:
            if all(body in self.hidden for body, _ in line.ends):
                continue
            a, b = (x[body] + R[body] @ point for body, point in line.ends)
            out.append((bar(a, b, (0.024 if line.kind == "rod" else 0.014) * radius, 10), STEEL))
        for label in self.film.scene.labels if self.named else ():
            if label.axis is not None and label.body not in self.hidden:
                middle, reach = (
                    x[label.body] + R[label.body] @ label.point,
                    R[label.body] @ label.axis * 0.3 * radius,
                )
                out.append((bar(middle - reach, middle + reach, 0.009 * radius, 8), ARROWS[label.kind]))
        return out

    def _pushes(self, t: float) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Kind, start and way of the arrows at a time, in the world."""
        found = [
            (kind, self.turned @ at, self.turned @ way * self.arrow) for kind, at, way in self.film.forces(t)
        ]
        least = 0.004 * self.film.scene.radius
        return [one for one in found if one[0] in self.forces and np.linalg.norm(one[2]) > least]

    def _along(self, start: np.ndarray, way: np.ndarray) -> np.ndarray:
        """Pixels on an arrow, close to each other."""
        ends = self.screen(self.seen(np.array([start, start + way])))
        return np.linspace(ends[0], ends[1], int(np.linalg.norm(ends[1] - ends[0]) / 4) + 2)

    def _arrows(self, t: float) -> list[tuple[Solid, str]]:
        radius = self.film.scene.radius
        return [(arrow_solid(start, way, radius), ARROWS[kind]) for kind, start, way in self._pushes(t)]


def place_names(
    spots: np.ndarray, widths: list[float], arrows: np.ndarray
) -> list[tuple[float, float, float]]:
    """Left, middle and width of names beside their spots, none on another, nor on a point of an arrow where there is
    room for it within 100 pixels."""
    taken: list[tuple[float, float, float]] = []
    downs = [sign * 20 * k for k in range(6) for sign in (1, -1)]
    for (x, y), wide in zip(spots.tolist(), widths, strict=True):

        def on_names(u: float, v: float, wide: float = wide) -> bool:
            return any(u < a + w and a < u + wide and abs(v - b) < 16 for a, b, w in taken)

        def on_arrows(u: float, v: float, wide: float = wide) -> bool:
            inside = (arrows > [u - 4, v - 12]) & (arrows < [u + wide + 4, v + 12])
            return bool(inside.all(axis=1).any())

        sides = (x, x - wide - 8, x + 40, x - wide - 48)
        beside = ((u, y + down) for down in downs for u in sides)
        u, v = next((at for at in beside if not on_names(*at) and not on_arrows(*at)), (x, y))
        while on_names(u, v):
            v += 4
        taken.append((u, v, wide))
    return taken


def arrow_solid(start: np.ndarray, along: np.ndarray, radius: float) -> Solid:
    """An arrow as a bar with a thicker, shorter end."""
    length = float(np.linalg.norm(along))
    head = min(0.4 * length, 0.09 * radius)
    neck = start + along * (1 - head / length)
    return joined([bar(start, neck, 0.022 * radius, 10), cone(neck, start + along, 0.36 * head)])


def cone(base: np.ndarray, tip: np.ndarray, radius: float, sides: int = 16) -> Solid:
    """Round, from its base to its tip."""
    along = tip - base
    flat = cylinder(radius, float(np.linalg.norm(along)), sides, toned=False)
    corners = np.array(flat.corners)
    top = corners[:, 2] > 0
    corners[top, :2] *= 1e-3
    return Solid(corners, flat.faces, flat.tones).placed((base + tip) / 2, axes_along(along))


def grid_lines(center: np.ndarray, radius: float, floor: float) -> list[tuple[Any, Any]]:
    """A round piece of a grid below everything, lines 1, 2 or 5 times a power of ten apart."""
    size = 10 ** np.floor(np.log10(radius))
    spacing = next((k * size for k in (1, 0.5, 0.2, 0.1) if radius / (k * size) >= 3), 0.1 * size)
    x, y = np.round(center[:2] / spacing) * spacing
    reach, out = 1.5 * radius, []
    for k in range(-int(reach / spacing), int(reach / spacing) + 1):
        d = k * spacing
        half = float(np.sqrt(max(0.0, reach**2 - d**2)))
        out.append(((x + d, y - half, floor), (x + d, y + half, floor)))
        out.append(((x - half, y + d, floor), (x + half, y + d, floor)))
    return out
