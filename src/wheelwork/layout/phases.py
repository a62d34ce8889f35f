r"""Where the teeth of all wheels stand at the given position, and so in which phase every mesh is.

The phase of a mesh is the place s [m] of a tooth of wheel a: how far its middle is past the pitch point, as an arc in
the sense in which a turns when it turns positively. While the wheels stand centred in the backlash (g = 0), the middle
of a space of wheel b is at the same place. With p the pitch, r the pitch radii, and psi_i the angle about z_a from the
line between wheel i's centre and the pitch point to the middle of a tooth:

    s = r_a psi_a                     modulo p
    s = -r_b psi_b - p/2              external
    s = r_b psi_b - p/2               internal
    s = x_b - p/2                     rack, x_b the place of a tooth from the pitch point

A wheel has its teeth in one place for all its meshes, so meshes of one gear train are in phase with each other: from
the first mesh, in which a tooth of wheel a is at the pitch point unless its phase is given, places are passed on from
wheel to wheel. For planetary sets this gives the phases of Parker and Lin (:mod:`wheelwork.gears.planetary`), whatever
the planets' angles. Planets that could not be put in (the assembly condition) are as if they had teeth of their own
for one of their meshes.

A wheel is a body and a number of teeth: two wheels with equal numbers of teeth on one body have them in line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from wheelwork.lazy import dataclass

Wheel = tuple[str, int]


@dataclass(frozen=True)
class MeshAtStart:
    """A mesh on parallel axes, or a rack, at the given position, in the world.

    b_is_ring: whether wheel b is around a
    wheels: a and b; a rack has 0 teeth
    axis: z_a
    outward: from the centre of a to the pitch point, length 1
    point: the pitch point [m]
    radii: pitch radii [m]; infinite for a rack
    pitch: p [m]
    """

    b_is_ring: bool
    wheels: tuple[Wheel, Wheel]
    axis: np.ndarray
    outward: np.ndarray
    point: np.ndarray
    radii: tuple[float, float]
    pitch: float

    @property
    def b_is_rack(self) -> bool:
        return not np.isfinite(self.radii[1])

    @property
    def forward(self) -> np.ndarray:
        return np.cross(self.axis, self.outward)

    def tooth(self, side: int, place: float) -> np.ndarray:
        """Where a tooth of wheel a (0) or b (1) is: direction from its centre; of a rack a point."""
        if side == 0:
            return turned_about(self.axis, self.outward, place / self.radii[0])
        arc = place + self.pitch / 2
        if self.b_is_rack:
            return self.point + arc * self.forward
        if self.b_is_ring:
            return turned_about(self.axis, self.outward, arc / self.radii[1])
        return turned_about(self.axis, -self.outward, -arc / self.radii[1])

    def place(self, side: int, tooth: np.ndarray) -> float:
        """s for a tooth of wheel a (0) or b (1), from 0 to p."""
        if side == 0:
            arc = self.radii[0] * angle_about(self.axis, self.outward, tooth)
        elif self.b_is_rack:
            arc = float(self.forward @ (tooth - self.point)) - self.pitch / 2
        elif self.b_is_ring:
            arc = self.radii[1] * angle_about(self.axis, self.outward, tooth) - self.pitch / 2
        else:
            arc = -self.radii[1] * angle_about(self.axis, -self.outward, tooth) - self.pitch / 2
        return arc % self.pitch


def turned_about(axis: np.ndarray, line: np.ndarray, angle: float) -> np.ndarray:
    """A direction at a right angle to an axis, turned about it."""
    return line * np.cos(angle) + np.cross(axis, line) * np.sin(angle)


def angle_about(axis: np.ndarray, line: np.ndarray, other: np.ndarray) -> float:
    """About an axis from one direction to another."""
    return float(np.arctan2(other @ np.cross(axis, line), other @ line))


def places_of_teeth(
    meshes: Mapping[str, MeshAtStart],
    given: Mapping[str, float],
    known: Mapping[Wheel, np.ndarray] | None = None,
) -> dict[str, float]:
    """s [m] of every mesh; `given` are those that are known, `known` teeth of wheels (:mod:`.touching`)."""
    places: dict[str, float] = {}
    teeth: dict[Wheel, np.ndarray] = dict(known or {})

    def settle(names: Iterable[str]) -> None:
        for name in names:
            mesh = meshes[name]
            known = [side for side in (0, 1) if mesh.wheels[side] in teeth]
            if name in given:
                places[name] = given[name]
            else:
                places[name] = mesh.place(known[0], teeth[mesh.wheels[known[0]]]) if known else 0.0
            for side in (0, 1):
                teeth.setdefault(mesh.wheels[side], mesh.tooth(side, places[name]))

    settle(name for name in meshes if name in given)
    while len(places) < len(meshes):
        left = [name for name in meshes if name not in places]
        touching = [name for name in left if any(wheel in teeth for wheel in meshes[name].wheels)]
        settle([(touching or left)[0]])
    return places
