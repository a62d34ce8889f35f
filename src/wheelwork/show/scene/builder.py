"""What a mechanism looks like: solids of bodies and wheels, links and symbols for joints, springs and rods as lines.

Wheels of the meshes are shown with their teeth; a shape that stands for a wheel (:mod:`.round_shapes`) is not shown
beside it. Other bodies with a shape show that. A bar goes from the shape to every joint that lies outside it, so that a
crank looks like one; a body without a shape is a small ball with such bars. Cams are plates with their outline. Rotors,
which have no shape, are discs sized by inertia where they have neither wheels nor pins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.description import NUMERIC, Formula
from wheelwork.system.motion import Motion
from wheelwork.system.program import ConstraintUse

from .belts import Belts
from .cams import cam_solids
from .joint_parts import JointParts
from .labels import labels
from .rotors import Rotors
from .scene import GROUND, Line, PartKind, Scene, ScenePart
from .solids import Solid, shape_solid, sphere
from .surroundings import surround
from .wheel_parts import WheelParts
from .wheels import find_wheels

THIN = 0.014
"""Thickness of bars and symbols over the size of the mechanism."""


def make_scene(motion: Motion) -> Scene:
    """The scene of a motion; every moment of it is a frame."""
    scene = Scene(list(motion.program.bodies), motion.t, motion.x, motion.e)
    SceneBuilder(scene, motion).build()
    return scene


class SceneBuilder:
    """Fills a scene.

    shapes: of the bodies; wheels: found from the meshes; toothed: wheels and their solids
    reach: how far shapes and wheels of each body go from its centre of mass along its axes [m], by index
    size: of the mechanism at the start [m]
    """

    def __init__(self, scene: Scene, motion: Motion):
        self.scene, self.motion, self.program = scene, motion, motion.program
        scene.planar = self.program.space.name == "planar"
        self.shapes = [self.program.flat.bodies[name].element.shape for name in self.program.bodies]
        self.wheels = find_wheels(motion)
        self.wheel_parts = WheelParts(motion, self.wheels, self.shapes, self.number)
        self.toothed = self.wheel_parts.solids()
        scene.notes += self.wheels.notes
        self.cams = cam_solids(motion)
        self.reach = self._reach()
        self.size = self._size()
        self.thin = THIN * self.size

    def build(self) -> None:
        for wheel, solid in self.toothed:
            own = self._name(wheel.body)
            self.add(wheel.body, solid, "wheel", f"{own} z={wheel.count}" if wheel.count else own)
        with_wheels = {wheel.body for wheel, _ in self.toothed}
        for cam in self.cams:
            self.add(cam.body, cam.solid, "body")
        shown = with_wheels | {cam.body for cam in self.cams if cam.plate}
        rotors = Rotors(self, shown)
        for k, name in enumerate(self.program.bodies):
            if name in self.program.flat.rotors:
                rotors.build(k, name)
            elif self.shapes[k] is not None:
                for solid in self.wheel_parts.plain(k):
                    self.add(k, solid, "body")
            elif k not in shown:
                self.add(k, sphere(1.6 * self.thin), "body")
        Belts(self).build()
        JointParts(self).build()
        self._springs()
        self.scene.labels = labels(self.motion)
        surround(self.scene, self.motion)

    # -- for those who help

    def add(self, body: int, solid: Solid, kind: PartKind, name: str = "") -> None:
        self.scene.parts.append(ScenePart(body, solid, kind, name or self._name(body)))

    def number(self, value: Any) -> float:
        """Of a field of the description."""
        if isinstance(value, Formula):
            return value.evaluate(self.motion.numbers.parameters.__getitem__, NUMERIC)
        return float(value)

    def markers(self, use: ConstraintUse) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Body, point about its centre of mass, and axes of the joint frames."""
        data = self.motion.numbers.data
        return [
            (body, data[start : start + 3], data[start + 3 : start + 12].reshape(3, 3))
            for body, start in ((use.a, use.data), (use.b, use.data + 12))
        ]

    def inside(self, body: int, point: np.ndarray) -> bool:
        """Whether a point is within the box around the body's shape and wheels, or nearly so."""
        if body == GROUND or body not in self.reach:
            return False
        return bool(np.all(np.abs(point) <= 1.05 * self.reach[body] + 1e-9 * self.size))

    # -- sizes

    def _name(self, body: int) -> str:
        return "ground" if body == GROUND else self.scene.names[body]

    def _reach(self) -> dict[int, np.ndarray]:
        out: dict[int, np.ndarray] = {}
        shapes = [
            (k, shape_solid(shape, self.number)) for k, shape in enumerate(self.shapes) if shape is not None
        ]
        wheels = [(wheel.body, solid) for wheel, solid in self.toothed]
        cams = [(cam.body, cam.solid) for cam in self.cams if cam.plate]
        for body, solid in (*shapes, *wheels, *cams):
            reach = np.abs(solid.corners).max(axis=0)
            out[body] = np.maximum(out[body], reach) if body in out else reach
        return out

    def _size(self) -> float:
        """Extent at the start, with which thickness of bars and symbols goes."""
        start = self.motion.x[0] if self.motion.count else np.zeros((0, 3))
        points = [start] if len(start) else []
        for view in self.program.joints.values():
            for body, point, _ in self.markers(self.program.constraints[view.constraint]):
                if body == GROUND:
                    points.append(point[None, :])
                else:
                    points.append(start[body] + (self.motion.R[0, body] @ point)[None, :])
        for k, reach in self.reach.items():
            middle = np.zeros(3) if k == GROUND else start[k]
            points += [middle + reach.max() * sign * np.ones((1, 3)) for sign in (-1, 1)]
        every = np.concatenate(points) if points else np.zeros((1, 3))
        return float(np.linalg.norm(np.ptp(every, axis=0))) or 1.0

    # -- forces

    def _springs(self) -> None:
        for use in self.program.forces:
            if getattr(use.kernel.equations, "has_line", False):
                data = self.motion.numbers.data
                ends = [
                    (body, data[start : start + 3])
                    for body, start in zip(use.bodies, (use.data, use.data + 12), strict=True)
                ]
                self.scene.lines.append(Line("spring", (ends[0], ends[1])))
