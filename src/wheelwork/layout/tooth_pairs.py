"""From a mesh to its tooth geometry, in numbers: what :mod:`wheelwork.gears` works on.

A thin adapter like :mod:`.gear_train`: sizes and axes are settled by :mod:`.mesh_geometry`. A module that is not given
follows from teeth and pitch radii; without tooth numbers there are no teeth to speak of.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from wheelwork.description.meshes.materials import per_wheel
from wheelwork.gears import (
    BasicRack,
    BevelPair,
    CrossedPair,
    Gear,
    GearPair,
    GeometryError,
    PlanetarySet,
    RackPair,
    WormPair,
)
from wheelwork.gears.stiffness import STEEL, Material

from .mesh_geometry import MeshGeometry

if TYPE_CHECKING:
    from wheelwork.description import Placed

    from .layout import Layout

Numbers = Callable[[ca.SX], np.ndarray]
Pair = GearPair | RackPair | BevelPair | WormPair | CrossedPair


@dataclass(frozen=True)
class ToothPair:
    """A mesh and its teeth.

    name, type, bodies: of the mesh
    pair: its tooth geometry; None where there is none
    why_not: what is missing or wrong, where there is none
    centres: of wheel a and wheel b in the world [m], (2, 3)
    axis: direction of wheel a's axis in the world, length 1
    materials: of wheel a and wheel b, as the model of the teeth has them; else steel
    """

    name: str
    type: str
    bodies: tuple[str, str]
    pair: Pair | None
    why_not: str
    centres: np.ndarray
    axis: np.ndarray
    materials: tuple[Material, Material] = (STEEL, STEEL)


def tooth_pair(layout: Layout, placed: Placed[Any], geometry: MeshGeometry, number: Numbers) -> ToothPair:
    """The teeth of one mesh; `number` gives the numbers of an expression."""
    place = layout.place(placed)
    reader = _Reader(placed.element, geometry, lambda given: number(place.value(given))[0], number)
    pair, why_not = None, ""
    try:
        pair = reader.pair()
    except GeometryError as error:
        why_not = str(error)
    frames = [layout.in_world(*side) for side in zip(geometry.bodies, geometry.markers, strict=True)]
    return ToothPair(
        placed.name,
        geometry.type,
        geometry.bodies,
        pair,
        why_not,
        np.array([number(frame.position) for frame in frames]),
        number(frames[0].axes[:, 2]),
        _materials(placed.element.model, reader.value),
    )


def _materials(model: Any, value: Callable[[Any], float]) -> tuple[Material, Material]:
    part = model.stiffness if model.type == "compliant" else model
    moduli = [value(x) for x in per_wheel(getattr(part, "youngs_modulus", STEEL.youngs_modulus))]
    ratios = [value(x) for x in per_wheel(getattr(part, "poisson_ratio", STEEL.poisson_ratio))]
    return Material(moduli[0], ratios[0]), Material(moduli[1], ratios[1])


class _Reader:
    """The numbers of one mesh."""

    def __init__(
        self, mesh: Any, geometry: MeshGeometry, value: Callable[[Any], float], number: Callable[[ca.SX], Any]
    ) -> None:
        self.mesh, self.geometry = mesh, geometry
        self.value = lambda given: float(value(given))
        self.radii = [float(number(r)[0]) for r in geometry.radii]
        self.distance = float(number(geometry.distance)[0])
        self.cones = [float(number(angle)[0]) for angle in geometry.cone_angles or ()]

    def pair(self) -> Pair:
        kind = self.geometry.type
        if kind == "belt":
            raise GeometryError("a belt has no gear teeth")
        if self.mesh.teeth is None and self.mesh.module is None:
            raise GeometryError("the mesh has no tooth numbers; give `teeth`, or `module`")
        make = {
            "external": self._parallel,
            "internal": self._parallel,
            "rack": self._rack,
            "bevel": self._bevel,
            "worm": self._worm,
            "crossed": self._crossed,
        }
        return make[kind]()

    def _both(self, name: str) -> tuple[float, float]:
        first, second = getattr(self.mesh, name)
        return self.value(first), self.value(second)

    def _basic_rack(self) -> BasicRack:
        mesh = self.mesh
        shape = (self.value(getattr(mesh, name)) for name in ("addendum", "dedendum", "root_radius"))
        return BasicRack(self.value(mesh.pressure_angle), *shape)

    def _module(self, helix: float) -> float:
        if self.mesh.module is not None:
            return self.value(self.mesh.module)
        return 2 * self.radii[0] * cos(helix) / self.geometry.teeth[0]

    def _parallel(self) -> GearPair:
        mesh, helix = self.mesh, self.value(self.mesh.helix_angle)
        return GearPair.of(
            self.geometry.teeth,
            self._module(helix),
            internal=self.geometry.type == "internal",
            rack=self._basic_rack(),
            helix_angle=helix,
            profile_shift=(0.0, 0.0) if mesh.profile_shift is None else self._both("profile_shift"),
            tip_alteration=self._both("tip_alteration"),
            thickness_allowance=self._both("thickness_allowance"),
            face_width=self.value(mesh.face_width),
            centre_distance=self.distance,
        )

    def _rack(self) -> RackPair:
        mesh, helix = self.mesh, self.value(self.mesh.helix_angle)
        width, allowance, tips = (
            self.value(mesh.face_width),
            *map(self._both, ("thickness_allowance", "tip_alteration")),
        )
        pinion = Gear(
            self.geometry.teeth[0],
            self._module(helix),
            rack=self._basic_rack(),
            helix_angle=helix,
            profile_shift=self.value(mesh.profile_shift),
            tip_alteration=tips[0],
            thickness_allowance=allowance[0],
            face_width=width,
        )
        return RackPair(
            pinion, rack_tip_alteration=tips[1], rack_thickness_allowance=allowance[1], rack_face_width=width
        )

    def _bevel(self) -> BevelPair:
        mesh, (z_a, z_b) = self.mesh, self.geometry.teeth
        width, shaft = self.value(mesh.face_width), sum(self.cones)
        # The radii of the equations are in the middle of the teeth.
        outer = self.radii[0] / np.sin(self.cones[0]) + width / 2
        module = 2 * outer * np.sin(self.cones[0]) / z_a
        if width == 0:
            raise GeometryError("bevel teeth need their `face_width`: sizes are counted in the middle of it")
        rack = BasicRack(self.value(mesh.pressure_angle))
        return BevelPair((z_a, z_b), float(module), width, shaft, self.value(mesh.spiral_angle), rack=rack)

    def _worm(self) -> WormPair:
        threads, teeth = self.geometry.teeth
        angle = self.value(self.mesh.pressure_angle)
        return WormPair(threads, teeth, 2 * self.radii[1] / teeth, 2 * self.radii[0], angle)

    def _crossed(self) -> CrossedPair:
        helix = self._both("helix_angles")
        return CrossedPair(self.geometry.teeth, self._module(helix[0]), helix)


def planetary_sets(pairs: list[ToothPair]) -> dict[str, PlanetarySet]:
    """Planetary sets among the meshes: planets that mesh with one sun and with one ring, by the name `sun / ring`."""
    found: dict[tuple[str, str], list[tuple[float, GearPair, GearPair]]] = {}
    for inner in pairs:
        for outer in pairs:
            if not (isinstance(inner.pair, GearPair) and isinstance(outer.pair, GearPair)):
                continue
            planet = outer.bodies[0]
            if inner.pair.internal or not outer.pair.internal or planet not in inner.bodies:
                continue
            side = inner.bodies.index(planet)
            sun = (
                inner.pair if side == 1 else GearPair(inner.pair.b, inner.pair.a, inner.pair.centre_distance)
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
            out[f"{sun_name} / {ring_name}"] = PlanetarySet(sun, ring, tuple(a - angles[0] for a in angles))
    return out


def _angle_about(axis: np.ndarray, line: np.ndarray) -> float:
    """Of a line about an axis, from any fixed direction."""
    start = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(np.cross(axis, start), axis)
    y = np.cross(axis, x)
    return float(np.arctan2(line @ y, line @ x))


__all__ = ["Pair", "ToothPair", "planetary_sets", "tooth_pair"]
