"""What a mechanism looks like: solids of bodies and wheels, links and symbols for joints, springs and rods as lines.

A body with a geometry of its own shows that in place of its shape, and in place of the wheels that it reaches around
(:mod:`.looks`). Wheels of the meshes are shown with their teeth; a shape that stands for a wheel (:mod:`.round_shapes`)
is not shown beside it. Other bodies with a shape show that. A bar goes from the shape to every joint that lies outside
it, so that a crank looks like one; a body without a shape is a small ball with such bars. Cams are plates with their
outline. Rotors, which have no shape, are discs sized by inertia where they have neither wheels nor pins.
"""

from __future__ import annotations

import numpy as np

from wheelwork.description.registry import find
from wheelwork.system.attitude import rotation_matrices
from wheelwork.system.motion import Motion
from wheelwork.system.uses import ConstraintUse, ForceUse

from .belts import Belts
from .cams import cam_solids
from .chains import Chains, sprockets
from .drive_parts import DriveParts
from .joint_parts import JointParts, bearings
from .looks import covers, looks
from .pin_drives import pin_solids
from .rotors import Rotors
from .scene import GROUND, Label, Line, PartKind, Scene, ScenePart
from .shafts import Shafts
from .solids import Solid, shape_solid, sphere
from .strain_waves import strain_waves
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
        self.wheels = find_wheels(motion)
        self.wheel_parts = WheelParts(motion, self.wheels)
        self.shapes = self.wheel_parts.shapes
        self.looks = looks(motion)
        own = {look.body: [one.solid for one in self.looks if one.body == look.body] for look in self.looks}
        self.toothed = [
            (wheel, solid)
            for wheel, solid in self.wheel_parts.solids()
            if not covers(own.get(wheel.body, []), solid)
        ]
        scene.notes += self.wheels.notes
        self.cams = cam_solids(motion)
        self.waves = strain_waves(motion)
        self.pinned = [
            *pin_solids(motion),
            *sprockets(motion),
            *(part for one in self.waves for part in one.solids()),
        ]
        self.reach = self._reach()
        self.size = self._size()
        self.thin = THIN * self.size

    def build(self) -> None:
        for look in self.looks:
            self.add(look.body, look.solid, "body", look.name, look.paint)
        for wheel, solid in self.toothed:
            own = self._name(wheel.body)
            self.add(wheel.body, solid, "wheel", f"{own} z={wheel.count}" if wheel.count else own)
        with_wheels = {wheel.body for wheel, _ in self.toothed}
        for cam in self.cams:
            self.add(cam.body, cam.solid, "body")
        for part in self.pinned:
            self.add(part.body, part.solid, "wheel", part.name)
        looking = {look.body for look in self.looks}
        plates = {cam.body for cam in self.cams if cam.plate} | {part.body for part in self.pinned}
        shown = with_wheels | looking | plates
        for k, name in enumerate(self.program.bodies):
            if name in self.program.flat.rotors:
                continue
            if self.shapes[k] is not None and k not in looking:
                for solid in self.wheel_parts.plain(k):
                    self.add(k, solid, "body")
            elif k not in shown:
                self.add(k, sphere(1.6 * self.thin), "body")
        belts, drives = Belts(self), DriveParts(self)
        rotors = Rotors(self, shown | belts.pulleys() | drives.with_wheels())
        for k, name in enumerate(self.program.bodies):
            if name in self.program.flat.rotors:
                rotors.build(k, name)
        belts.strands()
        Chains(self).build()
        for wave in self.waves:
            wave.add_to(self)
        JointParts(self).build()
        drives.build(rotors.places)
        Shafts(self).build()
        self._springs()
        self.scene.labels = labels(self.motion)
        surround(self.scene, self.motion)

    # -- for those who help

    def add(self, body: int, solid: Solid, kind: PartKind, name: str = "", paint: str = "") -> None:
        self.scene.parts.append(ScenePart(body, solid, kind, name or self._name(body), paint))

    def markers(self, use: ConstraintUse | ForceUse) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """Body, point about its centre of mass, and axes of the frames of a joint or bearing."""
        return [
            (body, *self.motion.numbers.marker(use.data + 12 * k)) for k, body in enumerate(use.bodies[:2])
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
        looking = {look.body for look in self.looks}
        shapes = [
            (k, shape_solid(shape, self.motion.numbers.value))
            for k, shape in enumerate(self.shapes)
            if shape is not None and k not in looking
        ]
        shapes += [(look.body, look.solid) for look in self.looks]
        wheels = [(wheel.body, solid) for wheel, solid in self.toothed]
        cams = [(cam.body, cam.solid) for cam in self.cams if cam.plate]
        pins = [(part.body, part.solid) for part in self.pinned]
        for body, solid in (*shapes, *wheels, *cams, *pins):
            reach = np.abs(solid.corners).max(axis=0)
            out[body] = np.maximum(out[body], reach) if body in out else reach
        return out

    def _size(self) -> float:
        """Extent at the start, with which thickness of bars and symbols goes."""
        start = self.motion.x[0] if self.motion.count else np.zeros((0, 3))
        points = [start] if len(start) else []
        joints = [self.program.constraints[view.constraint] for view in self.program.joints.values()]
        for use in (*joints, *bearings(self.program)):
            for body, point, _ in self.markers(use):
                if body == GROUND:
                    if not getattr(use.kernel, "speeds", 0):  # a rolling body has left its place there
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
                (a, p, _), (b, q, _) = self.markers(use)
                self.scene.lines.append(Line("spring", ((a, p), (b, q))))


# -- names of joints and meshes with the places and axes they have, to be seen before a run


def labels(motion: Motion) -> list[Label]:
    """All joints, bearings and meshes; points and axes are fixed to body b, of a mesh to wheel a."""
    program, numbers = motion.program, motion.numbers
    planar = program.space.name == "planar"
    out = []
    for name, view in program.joints.items():
        use = program.constraints[view.constraint]
        joint = find("joints", view.type)
        column = "xyz".index(joint.along_in_plane) if planar else 2
        point, axes = numbers.marker(use.data + 12)
        axis = axes[:, column] if joint.has_axis else None
        out.append(Label(name, "joint", view.type, use.b, point, axis))
    for use in bearings(program):
        kind = program.flat.forces[use.name].element.type  # type: ignore[attr-defined]
        point, axes = numbers.marker(use.data + 12)
        out.append(Label(use.name, "joint", kind, use.bodies[1], point, axes[:, 2]))
    out += [Label(name, "mesh", kind, *place) for name, kind, place in _meshes(motion)]
    return out


def _meshes(motion: Motion) -> list[tuple[str, str, tuple[int, np.ndarray, np.ndarray]]]:
    """Name, type, and where wheel a is: body, centre and axis."""
    program, out = motion.program, []
    places = {
        use.name: (program.constraints[use.constraint].a, program.constraints[use.constraint].data)
        for use in program.meshes
    }
    places |= {
        use.name: (use.bodies[0], use.data) for use in program.forces if use.name in program.flat.meshes
    }
    for name, placed in program.flat.meshes.items():
        body, start = places[name]
        point, axes = motion.numbers.marker(start)
        out.append((name, placed.element.type, (body, point, axes[:, 2])))  # type: ignore[attr-defined]
    return out


# -- which way is up, and a ball and a floor that hold everything at all times


SAMPLES = 60
"""Moments that are looked at."""
DIRECTIONS = 98
"""In which the outermost corners of a solid are sought."""


def surround(scene: Scene, motion: Motion) -> None:
    """Settle `up`, `center`, `radius` and `floor` of a scene."""
    pulls = [g for g in motion.numbers.gravity if np.linalg.norm(g) > 0]
    if scene.planar:
        scene.up = np.array([0.0, 1.0, 0.0])
    elif pulls:
        scene.up = -pulls[0] / np.linalg.norm(pulls[0])
    moments = np.unique(np.linspace(0, motion.count - 1, SAMPLES).astype(int))
    points = [np.zeros((0, 3))]
    for part in scene.parts:
        corners = _outermost(part.solid.corners)
        if part.body == GROUND:
            points.append(corners)
        else:
            R = rotation_matrices(scene.orientation[moments, part.body])
            turned = corners @ R.transpose(0, 2, 1)
            points.append((turned + scene.position[moments, part.body][:, None, :]).reshape(-1, 3))
    every = np.concatenate(points)
    every = every[np.all(np.isfinite(every), axis=1)]
    if not len(every):
        return
    wide, deep, tall = np.ptp(every, axis=0)
    if not scene.planar and not pulls and motion.program.flat.rotors and tall > 2 * max(wide, deep):
        scene.up = np.array(
            [0.0, 1.0, 0.0]
        )  # a drive line without weight, on the z axis: it lies on its side
    scene.center = (every.min(axis=0) + every.max(axis=0)) / 2
    scene.radius = float(np.linalg.norm(every - scene.center, axis=1).max()) or 1.0
    scene.floor = float((every @ scene.up).min()) - 0.02 * scene.radius


def _outermost(corners: np.ndarray) -> np.ndarray:
    """The corners of a solid that lie farthest in many directions, evenly over the sphere."""
    if len(corners) <= DIRECTIONS:
        return corners
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    wide = np.sqrt(1 - z * z)
    directions = np.stack([wide * np.cos(turn), wide * np.sin(turn), z])
    return corners[np.unique(np.argmax(corners @ directions, axis=0))]
