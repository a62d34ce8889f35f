r"""The teeth of the meshes in numbers: shapes as :mod:`wheelwork.gears` has them, phases, backlash, stiffness.

The phase tau of a mesh counts mesh cycles. It is 0 where a pair of teeth enters contact at A while wheel a drives in
the positive sense (:class:`wheelwork.gears.stiffness.MeshCycle`). The front flank of a tooth of a whose middle is at s
(:mod:`.phases`) is half its thickness s_wa ahead, and touches at the pitch point C where that is at s = 0:

    tau = tau_0 + s/p,   tau_0 = (C - A)/p_bt + s_wa/(2 p)

The back flank does the same in a mirror, s -> -s: its phase is tau_0 - s/p = 2 tau_0 - tau. Where the shape of the
teeth is not known (no tooth numbers), tau_0 = 0.

Stiffness is k(tau) = k_0 + sum over n of c_n cos(2 pi n tau) + s_n sin(2 pi n tau) on the front flank; the same as a
function of tau on the back flank has

    c_n' = c_n cos(4 pi n tau_0) + s_n sin(4 pi n tau_0),   s_n' = c_n sin(4 pi n tau_0) - s_n cos(4 pi n tau_0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from math import cos
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import dataclass, gears, stiffness

from .phases import MeshAtStart, places_of_teeth
from .touching import given_teeth

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.gears import (
        BasicRack,
        BevelPair,
        CrossedPair,
        CycloidDrive,
        GearPair,
        PlanetarySet,
        RackPair,
        WormPair,
    )
    from wheelwork.gears.stiffness import Material, SeriesCourse, TableCourse
    from wheelwork.layout.meshes import MeshGeometry

    from .layout import Layout

    ToothShape = GearPair | RackPair | BevelPair | WormPair | CrossedPair | CycloidDrive


@dataclass(frozen=True)
class MeshTeeth:
    """A mesh and its teeth.

    name, type, bodies: of the mesh
    pair: its tooth geometry; None where there is none
    why_not: what is missing or wrong, where there is none
    centres: of wheel a and wheel b in the world [m], (2, 3)
    axis: direction of wheel a's axis in the world, length 1
    materials: of wheel a and wheel b, as the model of the teeth has them; else steel
    backlash: along the transverse line of action [m], where the model of the teeth has it in place of their shape
    """

    name: str
    type: str
    bodies: tuple[str, str]
    pair: ToothShape | None
    why_not: str
    centres: np.ndarray
    axis: np.ndarray
    materials: tuple[Material, Material] = field(default_factory=lambda: (stiffness.STEEL, stiffness.STEEL))
    backlash: float | None = None


class MeshNumbers:
    """The numbers of one mesh, for one set of parameters: what the shape of its teeth is made from."""

    def __init__(
        self, layout: Layout, placed: Placed[Any], geometry: MeshGeometry, values: Mapping[str, float]
    ) -> None:
        self.mesh, self.geometry, self.placed = placed.element, geometry, placed
        self.layout, self.at, self.values = layout, layout.place(placed), values

    def number(self, expression: Any) -> float:
        return float(self.layout.number(expression, self.values)[0])

    def value(self, given: Any) -> float:
        """Of a field of the mesh."""
        return self.number(self.at.value(given))

    def both(self, name: str) -> tuple[float, float]:
        """Of a field with a value for each wheel."""
        first, second = getattr(self.mesh, name)
        return self.value(first), self.value(second)

    @cached_property
    def radii(self) -> tuple[float, float]:
        first, second = self.geometry.radii
        return self.number(first), self.number(second)

    @cached_property
    def distance(self) -> float:
        return self.number(self.geometry.distance)

    @cached_property
    def cones(self) -> list[float]:
        """Cone angles of bevel wheels."""
        return [self.number(angle) for angle in self.geometry.cone_angles or ()]

    def module(self, helix: float) -> float:
        """As given; else it follows from teeth and pitch radius."""
        if self.mesh.module is not None:
            return self.value(self.mesh.module)
        return 2 * self.radii[0] * cos(helix) / self.geometry.teeth[0]

    def basic_rack(self) -> BasicRack:
        names = ("pressure_angle", "addendum", "dedendum", "root_radius")
        return gears.BasicRack(*(self.value(getattr(self.mesh, name)) for name in names))


def mesh_teeth(numbers: MeshNumbers) -> MeshTeeth:
    """The teeth of one mesh; without tooth numbers there are none."""
    mesh, geometry, layout = numbers.mesh, numbers.geometry, numbers.layout
    pair, why_not = None, ""
    try:
        if mesh.takes_teeth() and mesh.wheels_touch and not mesh.has_teeth:
            raise gears.GeometryError("the mesh has no tooth numbers; give `teeth`, or `module`")
        pair = mesh.tooth_shape(numbers)
    except gears.GeometryError as error:
        why_not = str(error)
    frames = [layout.in_world(*side) for side in zip(geometry.bodies, geometry.markers, strict=True)]
    return MeshTeeth(
        numbers.placed.name,
        mesh.type,
        geometry.bodies,
        pair,
        why_not,
        np.array([layout.number(frame.position, numbers.values) for frame in frames]),
        layout.number(frames[0].axes[:, 2], numbers.values),
        mesh.model.materials(numbers.value),
        None if (gap := getattr(mesh.model, "backlash", None)) is None else numbers.value(gap),
    )


class TeethAt:
    """Numbers of the teeth for one set of parameters."""

    def __init__(self, layout: Layout, values: Mapping[str, float]) -> None:
        self.layout, self.flat, self.geometries = layout, layout.flat, layout.meshes
        self.values = dict(values)
        self._pairs: dict[str, MeshTeeth] = {}
        self._never_touch: dict[str, str] = {}
        self._places: dict[str, float] | None = None

    def number(self, expression: Any) -> np.ndarray:
        """The numbers of an expression, as a flat array."""
        return self.layout.number(expression, self.values)

    def value(self, name: str, given: Any) -> float:
        return float(self.number(self.layout.place(self.flat.meshes[name]).value(given))[0])

    def teeth(self, name: str) -> MeshTeeth:
        if name not in self._pairs:
            self._pairs[name] = mesh_teeth(self.numbers(name))
        return self._pairs[name]

    def numbers(self, name: str) -> MeshNumbers:
        """The numbers of one mesh."""
        return MeshNumbers(self.layout, self.flat.meshes[name], self.geometries[name], self.values)

    def pair(self, name: str) -> GearPair | RackPair | None:
        """The shape of the teeth, if there is one with a path of contact; else `why_not` says why."""
        pair = self.teeth(name).pair
        if not isinstance(pair, gears.GearPair | gears.RackPair):
            return None
        if name not in self._never_touch:
            try:
                touch = pair.path.length > 0
                why_not = "" if touch else "these teeth never touch: the path of contact has no length"
            except gears.GeometryError as error:
                why_not = str(error)
            self._never_touch[name] = why_not
        return None if self._never_touch[name] else pair

    def why_not(self, name: str) -> str:
        """Why there is no such shape; empty for teeth of another kind."""
        self.pair(name)
        return self._never_touch.get(name) or self.teeth(name).why_not

    # -- phases

    def start(self, name: str) -> float:
        """tau_0: the phase at which the middle of a tooth of a is at the pitch point."""
        pair = self.pair(name)
        if pair is None:
            return 0.0
        circle = pair.working_diameters[0] if isinstance(pair, gears.GearPair) else pair.a.reference_diameter
        thickness = pair.a.thickness(circle) / (np.pi * circle / pair.a.teeth)
        path = pair.path
        return float((path.pitch_point - path.start) / path.base_pitch + thickness / 2)

    def phase(self, name: str) -> float:
        """tau at the given position."""
        if self._places is None:
            meshes = {other: self._at_start(other) for other, g in self.geometries.items() if g.mesh.has_path}
            given = {}
            for other, mesh in meshes.items():
                phase = getattr(self.flat.meshes[other].element.model, "phase", None)
                if phase is not None:
                    given[other] = (self.value(other, phase) - self.start(other)) * mesh.pitch
            known = {
                wheel: tooth
                for other, mesh in meshes.items()
                for wheel, tooth in zip(mesh.wheels, self.given_teeth(other) or (), strict=False)
            }
            places = places_of_teeth(meshes, given, known)
            self._places = {other: place / meshes[other].pitch for other, place in places.items()}
        return (self.start(name) + self._places[name]) % 1.0

    def given_teeth(self, name: str) -> list[np.ndarray] | None:
        """Directions of a tooth of each wheel (of a rack a point) where the phase of a mesh is given; else None."""
        return given_teeth(self.layout, self.geometries[name], self.values)

    def _at_start(self, name: str) -> MeshAtStart:
        geometry, teeth = self.geometries[name], self.teeth(name)
        r_a, r_b = (float(self.number(r)[0]) for r in geometry.radii)
        point = self.number(geometry.contact)
        outward = point - teeth.centres[0]
        wheels = tuple(zip(geometry.bodies, geometry.teeth, strict=True))
        return MeshAtStart(
            geometry.mesh.b_is_ring,
            (wheels[0], wheels[1]),
            teeth.axis,
            outward / np.linalg.norm(outward),
            point,
            (r_a, r_b),
            float(self.number(geometry.numbers["pitch"])[0]),
        )

    # -- backlash

    def backlash(self, name: str) -> float:
        """j_bt of the teeth [m]; 0 where their shape is not known."""
        pair = self.pair(name)
        if pair is None:
            return 0.0
        found = gears.backlash(pair).transverse
        if found < -1e-6 * pair.a.module:
            raise gears.GeometryError(
                f"these teeth jam: their backlash is {found * 1e6:.4g} um; make them thinner by `thickness_allowance`, "
                "or move the axes"
            )
        return found if found > 1e-9 * pair.a.module else 0.0

    # -- material

    def materials(self, name: str) -> tuple[Material, Material]:
        """Of the teeth of wheel a and wheel b, as the model of the teeth has them; else steel."""
        return self.teeth(name).materials

    def stiffness(self, name: str) -> SeriesCourse | TableCourse:
        """Of the mesh, as its model's field `stiffness` says."""
        course = self.flat.meshes[name].element.model.stiffness.course(self, name)  # type: ignore[union-attr]
        if course.least <= 0:
            raise gears.GeometryError(
                f"the stiffness falls to {course.least:.4g} N/m in a mesh cycle, but must stay above zero; "
                "make its harmonics smaller"
            )
        return course


def planetary_sets(pairs: Sequence[MeshTeeth]) -> dict[str, PlanetarySet]:
    """Planetary sets among the meshes: planets that mesh with one sun and with one ring, by the name `sun / ring`."""
    found: dict[tuple[str, str], list[tuple[float, GearPair, GearPair]]] = {}
    for inner in pairs:
        for outer in pairs:
            if not (isinstance(inner.pair, gears.GearPair) and isinstance(outer.pair, gears.GearPair)):
                continue
            planet = outer.bodies[0]
            if inner.pair.internal or not outer.pair.internal or planet not in inner.bodies:
                continue
            side = inner.bodies.index(planet)
            sun = (
                inner.pair
                if side == 1
                else gears.GearPair(inner.pair.b, inner.pair.a, inner.pair.centre_distance)
            )
            line = inner.centres[side] - inner.centres[1 - side]
            away = outer.centres[1] - inner.centres[1 - side]
            if np.linalg.norm(away - inner.axis * (inner.axis @ away)) > 1e-6 * np.linalg.norm(line):
                continue  # sun and ring are not on one axis
            angle = _angle_about(inner.axis, line)
            found.setdefault((inner.bodies[1 - side], outer.bodies[1]), []).append((angle, sun, outer.pair))
    out = {}
    for (sun_name, ring_name), planets in found.items():
        angles = sorted(angle % (2 * np.pi) for angle, _, _ in planets)
        sun, ring = planets[0][1:]
        if all(s.b.teeth == sun.b.teeth for _, s, _ in planets):
            out[f"{sun_name} / {ring_name}"] = gears.PlanetarySet(
                sun, ring, tuple(a - angles[0] for a in angles)
            )
    return out


def _angle_about(axis: np.ndarray, line: np.ndarray) -> float:
    """Of a line about an axis, from any fixed direction."""
    start = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(np.cross(axis, start), axis)
    y = np.cross(axis, x)
    return float(np.arctan2(line @ y, line @ x))
