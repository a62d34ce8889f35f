r"""Cycloidal drives as they are made: discs with their true outline and holes, rings of pins, flanges with pins.

A disc has holes where a pin coupling says so. Its faces are cut into sectors, one for each hole, and each of these into
strips from the rim of the hole to the edge of the sector, which is seen whole from the middle of the hole as long as
the bore of the disc is small. Rings and flanges are round, and stand behind what turns in front of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, pi

import numpy as np

from wheelwork.elements.meshes.cycloid import turned_pin
from wheelwork.gears import CycloidDrive
from wheelwork.layout import layout_of
from wheelwork.layout.meshes import MeshGeometry
from wheelwork.system.motion import Motion

from .solids import Solid, around, cylinder, directions, evenly, joined, lofted, tube, turned_by

ALONG_LOBE = 24
"""Points on a lobe."""
THICK = 0.2
"""Of a disc whose thickness is not given, over the radius of the pin circle."""
BORE = 0.45
"""Of a disc, over the radius of the circle of its holes or of its valleys."""


@dataclass(frozen=True)
class PinSolid:
    """Of a body (index), fixed to it."""

    body: int
    solid: Solid
    name: str = ""


def pin_solids(motion: Motion) -> list[PinSolid]:
    """Of all cycloid meshes and pin couplings."""
    return _PinSolids(motion).solids() if _has_pins(motion) else []


def _has_pins(motion: Motion) -> bool:
    return any(placed.element.has_pins for placed in motion.program.flat.meshes.values())


class _PinSolids:
    def __init__(self, motion: Motion):
        self.motion = motion
        self.layout = layout_of(motion.program.flat)
        self.teeth = self.layout.teeth_at(motion.numbers.parameters)
        self.meshes = {name: g for name, g in self.layout.meshes.items() if g.mesh.has_pins}
        self.thick = max((self._thickness(name, g) for name, g in self.meshes.items()), default=0.0)

    def solids(self) -> list[PinSolid]:
        out, seen = [], set()
        for name, geometry in self.meshes.items():
            sides = (self._disc, self._ring) if geometry.mesh.has_lobes else (self._plain, self._flange)
            for side, draw in enumerate(sides):
                key = (
                    geometry.bodies[side],
                    geometry.mesh.has_lobes,
                    side,
                    *self._place(geometry, side).round(7),
                )
                if key not in seen:
                    seen.add(key)
                    out += draw(name, geometry)
        return out

    # -- numbers

    def _value(self, name: str, field: str) -> float:
        return self.teeth.value(name, getattr(self.meshes[name].mesh, field))

    def _place(self, geometry: MeshGeometry, side: int) -> np.ndarray:
        """Origin and axes of a marker, in the body."""
        return self.teeth.number(geometry.markers[side])

    def _thickness(self, name: str, geometry: MeshGeometry) -> float:
        if not geometry.mesh.has_lobes:
            return 0.0
        return self._value(name, "thickness") or THICK * self._value(name, "pin_circle")

    def _turned(self, name: str) -> float:
        return float(self.teeth.number(turned_pin(self.layout, name))[0])

    def _drawn(self, geometry: MeshGeometry, side: int, solid: Solid, label: str = "") -> PinSolid:
        record, body = self._place(geometry, side), self.motion.program.body_index(geometry.bodies[side])
        return PinSolid(body, solid.placed(record[:3], record[3:12].reshape(3, 3)), label)

    # -- parts in the frames of their markers

    def _disc(self, name: str, geometry: MeshGeometry) -> list[PinSolid]:
        drive = self.teeth.teeth(name).pair
        assert isinstance(drive, CycloidDrive)
        first = pi + drive.pins / drive.lobes * self._turned(name)  # a valley
        curve = outline(drive, first)
        holes, radius, bore = self._holes(geometry, drive)
        thick = self._thickness(name, geometry)
        solid = perforated(curve, holes, radius, bore, thick)
        out = [self._drawn(geometry, 0, solid, f"{geometry.bodies[0]} z={drive.lobes}")]
        if geometry.joints[0] is not None:
            joint = self.layout.joint(geometry.joints[0])
            side = 1 - joint.bodies.index(geometry.bodies[0])
            record = self.teeth.number(joint.markers[side])
            cam = cylinder(0.97 * bore, thick, 40).placed(record[:3], record[3:12].reshape(3, 3))
            out.append(PinSolid(self.motion.program.body_index(joint.bodies[side]), cam))
        return out + self._bearing(geometry, bore, thick)

    def _bearing(self, geometry: MeshGeometry, bore: float, thick: float) -> list[PinSolid]:
        """Of a disc on an elastic bearing: a narrower cam, and the rings between it and the disc."""
        program, own = self.motion.program, self._place(geometry, 0)
        disc, axis = program.body_index(geometry.bodies[0]), own[3:12].reshape(3, 3)[:, 2]
        for use in program.forces:
            if not getattr(use.kernel.equations, "is_bearing", False) or disc not in use.bodies:
                continue
            data = self.motion.numbers.data[use.data : use.data + 24].reshape(2, 12)
            side = use.bodies.index(disc)
            if np.linalg.norm(np.cross(data[side, :3] - own[:3], axis)) > 1e-3 * bore:
                continue
            inner, height = 0.6 * bore, 0.37 * bore
            parts = [(disc, side, tube(inner + height, inner + 0.7 * height, thick))]
            parts += [
                (use.bodies[1 - side], 1 - side, one)
                for one in (cylinder(inner, thick, 40), tube(inner + 0.3 * height, inner, thick))
            ]
            return [
                PinSolid(body, solid.placed(data[k, :3], data[k, 3:].reshape(3, 3)))
                for body, k, solid in parts
            ]
        return []

    def _holes(self, disc: MeshGeometry, drive: CycloidDrive) -> tuple[np.ndarray, float, float]:
        """Centres (n, 2) and radius of the holes in a disc, and the radius of its bore."""
        own = self._place(disc, 0)
        axes = own[3:12].reshape(3, 3)
        for name, geometry in self.meshes.items():
            place = self._place(geometry, 0)
            if geometry.mesh.has_lobes or geometry.bodies[0] != disc.bodies[0]:
                continue
            away = place[:3] - own[:3]
            if np.linalg.norm(away - axes[:, 2] * (axes[:, 2] @ away)) > 1e-6 * drive.pin_circle:
                continue
            x, y = axes[:, :2].T @ place[3:12].reshape(3, 3)[:, 0]
            angle = atan2(y, x) + self._turned(name) + evenly(geometry.teeth[0])
            circle, distance = self._value(name, "pin_circle"), float(self.teeth.number(geometry.distance)[0])
            radius = self._value(name, "pin_radius") + distance + self._value(name, "clearance")
            bore = min(BORE * circle, 0.8 * circle * cos(pi / len(angle)), 0.9 * (circle - radius))
            if circle + radius < 0.99 * drive.radii[0] and bore > 0:
                return circle * directions(angle), radius, bore
        return np.zeros((0, 2)), 0.0, BORE * drive.radii[0]

    def _ring(self, name: str, geometry: MeshGeometry) -> list[PinSolid]:
        R, r, count = self._value(name, "pin_circle"), self._value(name, "pin_radius"), geometry.teeth[1]
        e = float(self.teeth.number(geometry.distance)[0])
        angles = pi + self._turned(name) + evenly(count)
        pins = _pins(R, r, angles, 1.04 * self._thickness(name, geometry))
        inner = R - r + max(r, 1.2 * e)  # pins are sunk to their middle, where lobes leave room
        housing = tube(R + 2.2 * r, inner, self._thickness(name, geometry), 4 * count)
        return [
            self._drawn(geometry, 1, housing, f"{geometry.bodies[1]} ring"),
            self._drawn(geometry, 1, pins, f"{geometry.bodies[1]} z={count}"),
        ]

    def _flange(self, name: str, geometry: MeshGeometry) -> list[PinSolid]:
        R, r, count = self._value(name, "pin_circle"), self._value(name, "pin_radius"), geometry.teeth[1]
        thick = self.thick or R
        angles = self._turned(name) + evenly(count)
        pins = _pins(R, r, angles, 2.2 * thick).placed((0, 0, -0.5 * thick))
        plate = tube(R + 1.8 * r, 0.5 * (R - r), 0.5 * thick, 60).placed((0, 0, -1.1 * thick))
        return [self._drawn(geometry, 1, joined([plate, pins]))]

    def _plain(self, name: str, geometry: MeshGeometry) -> list[PinSolid]:
        """The disc of a coupling that is in no cycloid mesh."""
        if any(g.mesh.has_lobes and g.bodies[0] == geometry.bodies[0] for g in self.meshes.values()):
            return []
        R, distance = self._value(name, "pin_circle"), float(self.teeth.number(geometry.distance)[0])
        radius = self._value(name, "pin_radius") + distance + self._value(name, "clearance")
        curve = (R + 1.5 * radius) * directions(evenly(240))
        angles = self._turned(name) + evenly(geometry.teeth[0])
        centres = R * directions(angles)
        bore = min(BORE * R, 0.9 * (R - radius))
        return [self._drawn(geometry, 0, perforated(curve, centres, radius, bore, self.thick or THICK * R))]


def _pins(circle: float, radius: float, angles: np.ndarray, length: float) -> Solid:
    pin = cylinder(radius, length, 20, toned=False)
    return joined(around(pin, circle, angles))


def outline(drive: CycloidDrive, valley: float = 0.0) -> np.ndarray:
    """The disc's edge (n, 2) [m], with a valley at an angle; close points where it is bent most."""
    return drive.outline(evenly(ALONG_LOBE * drive.lobes)) @ turned_by(valley)[:2, :2].T


def perforated(curve: np.ndarray, holes: np.ndarray, radius: float, bore: float, thickness: float) -> Solid:
    """A plate in the x-y plane with an edge that is seen whole from its middle, holes on a circle, and a bore.

    curve: (n, 2), anticlockwise; holes: centres (m, 2), evenly on a circle about the middle, or none
    """
    polar = np.unwrap(np.arctan2(curve[:, 1], curve[:, 0]))
    walls: list[np.ndarray] = []  # closed lines whose inside, as they run, is material: edge and rims
    if not len(holes):
        ring = bore * curve / np.linalg.norm(curve, axis=1, keepdims=True)
        strips = [(np.vstack([ring, ring[:1]]), np.vstack([curve, curve[:1]]), 0)]
        walls = [curve, ring[::-1]]
        return _thick(strips, walls, thickness)
    count, first = len(holes), float(np.arctan2(holes[0, 1], holes[0, 0]))
    cuts = first + pi / count * (2 * np.arange(count + 1) - 1)
    turns = 2 * pi * np.round((polar[0] - cuts[0]) / (2 * pi) - 0.5)
    around = np.concatenate([polar - turns + 2 * pi * k for k in (-1, 0, 1)])
    reach = np.tile(np.linalg.norm(curve, axis=1), 3)
    edge, inside, strips = [], [], []
    for k in range(count):
        low, high = cuts[k], cuts[k + 1]
        within = np.sort(around[(around > low + 1e-9) & (around < high - 1e-9)])
        outer_angles = np.concatenate([[low], within, [high]])
        outer_radii = np.interp(outer_angles, around, reach)
        inner_angles = np.linspace(high, low, 13)
        outer, inner = (
            r[:, None] * directions(a)
            for r, a in ((outer_radii, outer_angles), (np.full(13, bore), inner_angles))
        )
        loop = np.vstack([outer, inner, outer[:1]])
        away = loop - holes[k]
        rim = holes[k] + radius * away / np.linalg.norm(away, axis=1, keepdims=True)
        strips.append((rim, loop, k % 2))
        walls.append(rim[-2::-1])
        edge.append(outer[:-1])
        inside.append(inner[:-1])
    walls += [np.vstack(edge), np.vstack(inside[::-1])]
    return _thick(strips, walls, thickness)


def _thick(
    strips: list[tuple[np.ndarray, np.ndarray, int]], walls: list[np.ndarray], thickness: float
) -> Solid:
    """strips: pairs of lines (n, 2) with as many points, the second to the right of the first; tone of their face"""
    parts = []
    for z, flip in ((thickness / 2, False), (-thickness / 2, True)):
        for one, two, tone in strips:
            n = len(one)
            corners = np.column_stack([np.vstack([one, two]), np.full(2 * n, z)])
            faces = [[k, n + k, n + k + 1, k + 1] for k in range(n - 1)]
            parts.append(Solid(corners, [f[::-1] for f in faces] if flip else faces, [tone] * len(faces)))
    for wall in walls:
        ends = [np.column_stack([wall, np.full(len(wall), z)]) for z in (-thickness / 2, thickness / 2)]
        parts.append(lofted(ends))
    return joined(parts)
