"""What a mechanism looks like: a solid for each body, links and symbols for joints, springs and rods as lines.

Bodies with a shape show it. A bar goes from the shape to every joint that lies outside it, so that a crank looks like
one; a body without a shape is a small ball with such bars. Rotors, which have no shape, are discs sized by inertia.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from wheelwork.equations.motion import Motion
from wheelwork.equations.program import ConstraintUse, Program
from wheelwork.model import NUMERIC, Formula

from .labels import labels
from .scene import GROUND, Line, Part, PartKind, Scene
from .solids import Solid, bar, box, cylinder, joined, round_axis, shape_solid, sphere
from .wheel_parts import MOST_FACES, WheelParts
from .wheels import find_wheels

MOST_FINE_BODIES = 40
MOST_PAINTED = 8_000
"""Faces of all wheels where pictures are painted face by face."""
SAMPLES = 60  # moments that are looked at for the size of the picture


def make_scene(motion: Motion, *, divided: bool = False) -> Scene:
    """The scene of a motion; every moment of it is a frame.

    divided: cut long faces to pieces, for pictures painted from far to near
    """
    program = motion.program
    scene = Scene(list(program.bodies), motion.t, motion.x, motion.e)
    _Builder(scene, motion, program, MOST_PAINTED if divided else MOST_FACES).build()
    if divided and len(program.bodies) <= MOST_FINE_BODIES:
        scene.parts = [replace(part, solid=part.solid.divided(0.06 * scene.radius)) for part in scene.parts]
    return scene


class _Builder:
    def __init__(self, scene: Scene, motion: Motion, program: Program, most_faces: int):
        self.scene, self.motion, self.program = scene, motion, program
        self.shapes = [program.flat.bodies[name].element.shape for name in program.bodies]
        self.wheels = find_wheels(motion)
        self.wheel_parts = WheelParts(motion, self.wheels, self.shapes, self._number, most_faces)
        self.toothed = self.wheel_parts.solids()
        scene.notes += self.wheels.notes
        self.reach = self._reach()
        self.size = self._size()
        self.thin = 0.014 * self.size

    def build(self) -> None:
        offsets = self._rotor_offsets()
        for wheel, solid in self.toothed:
            own = self._name(wheel.body)
            self._add(wheel.body, solid, "wheel", f"{own} z={wheel.count}" if wheel.count else own)
        with_wheels = {wheel.body for wheel, _ in self.toothed}
        for k, name in enumerate(self.program.bodies):
            if name in self.program.flat.rotors:
                if k not in with_wheels:
                    self._rotor(k, name, offsets[name])
            elif self.shapes[k] is not None:
                if not self.wheel_parts.replaced(k):
                    self._add(k, shape_solid(self.shapes[k], self._number), "body")
            elif k not in with_wheels:
                self._add(k, sphere(1.6 * self.thin), "body")
        bearings = set(self.program.flat.rotors.values())
        for name, view in self.program.joints.items():
            if name not in bearings:
                self._joint(name, view.type, self.program.constraints[view.constraint])
        self._springs()
        self.scene.labels = labels(self.motion)
        self._surroundings()

    def _add(self, body: int, solid: Solid, kind: PartKind, name: str = "") -> None:
        self.scene.parts.append(Part(body, solid, kind, name or self._name(body)))

    def _name(self, body: int) -> str:
        return "ground" if body == GROUND else self.scene.names[body]

    def _reach(self) -> dict[int, np.ndarray]:
        """How far shapes and wheels of each body go from its centre of mass along its axes."""
        out: dict[int, np.ndarray] = {}
        shapes = [
            (k, shape_solid(shape, self._number)) for k, shape in enumerate(self.shapes) if shape is not None
        ]
        for body, solid in (*shapes, *((wheel.body, solid) for wheel, solid in self.toothed)):
            reach = np.abs(solid.corners).max(axis=0)
            out[body] = np.maximum(out[body], reach) if body in out else reach
        return out

    def _number(self, value: Any) -> float:
        if isinstance(value, Formula):
            return value.evaluate(self.motion.numbers.parameters.__getitem__, NUMERIC)
        return float(value)

    def _markers(self, use: ConstraintUse) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Body, point about its centre of mass, and axes of the joint frames."""
        data = self.motion.numbers.data
        return [
            (body, data[start : start + 3], data[start + 3 : start + 12].reshape(3, 3))
            for body, start in ((use.a, use.data), (use.b, use.data + 12))
        ]

    def _size(self) -> float:
        """Extent at the start, with which thickness of bars and symbols goes."""
        start = self.motion.x[0] if self.motion.count else np.zeros((0, 3))
        points = [start] if len(start) else []
        for view in self.program.joints.values():
            for body, point, _ in self._markers(self.program.constraints[view.constraint]):
                if body == GROUND:
                    points.append(point[None, :])
                else:
                    points.append(start[body] + (self.motion.R[0, body] @ point)[None, :])
        for k, reach in self.reach.items():
            middle = np.zeros(3) if k == GROUND else start[k]
            points += [middle + reach.max() * sign * np.ones((1, 3)) for sign in (-1, 1)]
        every = np.concatenate(points) if points else np.zeros((1, 3))
        return float(np.linalg.norm(np.ptp(every, axis=0))) or 1.0

    # -- rotors

    def _rotor_offsets(self) -> dict[str, float]:
        """Rotors that stand at one point are drawn side by side along their axis, in steps."""
        taken: dict[tuple[float, ...], int] = {}
        out = {}
        for name, bearing in self.program.flat.rotors.items():
            use = self.program.constraints[self.program.joints[bearing].constraint]
            _, point, axes = self._markers(use)[0]
            key = tuple(np.round(np.concatenate([point, axes[:, 2]]), 9))
            out[name] = 0.5 * self.size * taken.get(key, 0)
            taken[key] = taken.get(key, 0) + 1
        return out

    def _rotor(self, body: int, name: str, offset: float) -> None:
        bearing = self.program.joints[self.program.flat.rotors[name]]
        _, (_, point, axes) = self._markers(self.program.constraints[bearing.constraint])
        inertias = [
            float(self.motion.numbers.inertia[self.program.bodies.index(n)][0, 0])
            for n in self.program.flat.rotors
        ]
        own = float(self.motion.numbers.inertia[body][0, 0])
        radius = 0.22 * self.size * max(0.3, (own / max(inertias)) ** 0.25)
        disc = cylinder(radius, 0.12 * self.size)
        shaft = cylinder(0.03 * self.size, 0.5 * self.size, 10, toned=False)
        self._add(body, joined([disc, shaft]).placed(point + offset * axes[:, 2], axes), "rotor")

    # -- joints

    def _joint(self, name: str, kind: str, use: ConstraintUse) -> None:
        markers = self._markers(use)
        if kind in ("distance", "rod", "revolute_spherical"):
            (a, p, _), (b, q, _) = markers
            self.scene.lines.append(Line("rod", ((a, p), (b, q))))
        for side, (body, point, axes) in enumerate(markers):
            if body != GROUND:
                self._link(body, point)
            symbol = None if kind == "prismatic" and self._inside(body, point) else self._symbol(kind, side)
            if symbol is not None:
                self._add(body, symbol.placed(point, axes), "joint", name)

    def _symbol(self, kind: str, side: int) -> Solid | None:
        """Drawn once, with side b; a universal joint shows an arm of its cross with each side."""
        thin = self.thin
        if kind == "universal":
            return cylinder(0.6 * thin, 5 * thin, 10, toned=False)
        if side == 0 and kind not in ("distance", "rod"):
            return None
        if kind in ("revolute", "cylindrical", "screw"):
            return cylinder(1.5 * thin, 3.4 * thin, 14, toned=False)
        if kind == "prismatic":
            return box((2.6 * thin, 2.6 * thin, 4 * thin))
        if kind == "fixed":
            return None
        return sphere(1.3 * thin, 10, toned=False)

    def _link(self, body: int, point: np.ndarray) -> None:
        """A bar from the body to a joint outside its shape: along a round shape's axis first, then out."""
        if self._inside(body, point):
            return
        axis = round_axis(self.shapes[body])
        corners = [np.zeros(3), point] if axis is None else [np.zeros(3), axis * (axis @ point), point]
        pieces = [
            bar(start, end, 1.1 * self.thin)
            for start, end in pairwise(corners)
            if np.linalg.norm(end - start) > 1e-9 * self.size
        ]
        self._add(body, joined(pieces), "link")

    def _inside(self, body: int, point: np.ndarray) -> bool:
        """Whether a point is within the box around the body's shape, or nearly so."""
        if body == GROUND or body not in self.reach:
            return False
        return bool(np.all(np.abs(point) <= 1.05 * self.reach[body] + 1e-9 * self.size))

    # -- forces and surroundings

    def _springs(self) -> None:
        for use in self.program.forces:
            if use.kernel.key.startswith("force:spring:"):
                data = self.motion.numbers.data
                ends = [
                    (body, data[start : start + 3])
                    for body, start in zip(use.bodies, (use.data, use.data + 12), strict=True)
                ]
                self.scene.lines.append(Line("spring", (ends[0], ends[1])))

    def _surroundings(self) -> None:
        """Which way is up, and a ball and a floor that hold everything at all times."""
        scene = self.scene
        pulls = [g for g in self.motion.numbers.gravity if np.linalg.norm(g) > 0]
        scene.planar = self.program.space.name == "planar"
        if scene.planar:
            scene.up = np.array([0.0, 1.0, 0.0])
        elif pulls:
            scene.up = -pulls[0] / np.linalg.norm(pulls[0])
        moments = np.unique(np.linspace(0, self.motion.count - 1, SAMPLES).astype(int))
        points = [np.zeros((0, 3))]
        for part in scene.parts:
            if part.body == GROUND:
                points.append(part.solid.corners)
            else:
                turned = part.solid.corners @ self.motion.R[moments, part.body].transpose(0, 2, 1)
                points.append((turned + scene.position[moments, part.body][:, None, :]).reshape(-1, 3))
        every = np.concatenate(points)
        every = every[np.all(np.isfinite(every), axis=1)]
        if not len(every):
            return
        scene.center = (every.min(axis=0) + every.max(axis=0)) / 2
        scene.radius = float(np.linalg.norm(every - scene.center, axis=1).max()) or 1.0
        scene.floor = float((every @ scene.up).min()) - 0.02 * scene.radius
