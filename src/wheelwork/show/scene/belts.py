r"""Belts: strands as lines from pulley to pulley, fixed to the body that carries both, and pulleys as discs.

With u from centre to centre, d their distance, n = z x u, and sigma = 1 for an open belt, -1 for one that crosses over,
the strands touch the pulleys at

    p_a + r_a (u sin(theta) +- n cos(theta)),   p_b + sigma r_b (u sin(theta) +- n cos(theta))
    sin(theta) = (r_a - sigma r_b)/d
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.layout import layout_of
from wheelwork.system.uses import ConstraintUse, ForceUse

from .looks import covers
from .scene import GROUND, Line
from .solids import cylinder

if TYPE_CHECKING:
    from .builder import SceneBuilder

WIDTH, THIN = 0.3, 1e-3
"""Of a pulley that no shape or wheel of its body shows, and of the circle that these have to cover, over its radius."""
WIDER = 1.1
"""What reaches further than that, over the radius of a pulley inside it, is something else: the pulley sticks out."""

EIGHTH = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, np.sqrt(2)]]) / np.sqrt(2)
"""Of a turn, by which the light and dark quarters of a pulley stand against those of a disc behind it."""


class Belts:
    """Adds belts to a scene: first the pulleys, as rotors are drawn where there are none, then the strands."""

    def __init__(self, builder: SceneBuilder):
        self.builder, self.motion = builder, builder.motion
        self.belts = list(self._belts())

    def _belts(self) -> Iterator[tuple[ConstraintUse | ForceUse, str | None]]:
        """Each with the body that carries its pulleys."""
        program = self.motion.program
        uses: list[tuple[str, ConstraintUse | ForceUse]] = [
            *((use.name, program.constraints[use.constraint]) for use in program.meshes),
            *((use.name, use) for use in program.forces if use.name in program.flat.meshes),
        ]
        for name, use in uses:
            mesh: Any = program.flat.meshes[name].element
            if mesh.has_strands:
                yield use, layout_of(program.flat).meshes[name].carrier

    def pulleys(self) -> set[int]:
        """Add those that nothing shows yet; the bodies that have one."""
        found = set()
        for use, _ in self.belts:
            radii = self.motion.numbers.data[use.data + 24 : use.data + 26]
            for (body, point, axes), radius in zip(self.builder.markers(use), radii, strict=True):
                found.add(body)
                width = self._width(body, point, axes, radius)
                if width:
                    pulley = cylinder(radius, width).placed(point, axes @ EIGHTH)
                    self.builder.add(body, pulley, "wheel")
                    reach, far = self.builder.reach, np.abs(pulley.corners).max(axis=0)
                    reach[body] = np.maximum(reach.get(body, 0.0), far)
        return found

    def _width(self, body: int, point: np.ndarray, axes: np.ndarray, radius: float) -> float:
        """That with which a pulley is seen beside what else its body has; 0 where that shows it."""
        own = [part.solid for part in self.builder.scene.parts if part.body == body]
        if not covers(own, cylinder(radius, THIN * radius).placed(point, axes)):
            return WIDTH * radius
        across = (np.concatenate([solid.corners for solid in own]) - point) @ axes
        if np.hypot(across[:, 0], across[:, 1]).max() <= WIDER * radius:
            return 0.0
        return 2 * float(np.abs(across[:, 2]).max()) + WIDTH * radius

    def strands(self) -> None:
        for use, carried_by in self.belts:
            if carried_by is None:
                continue
            data, markers = self.motion.numbers.data, self.builder.markers(use)
            radii, sigma = data[use.data + 24 : use.data + 26], data[use.data + 26]
            carrier = self.motion.program.body_index(carried_by)
            x, R = self._pose(carrier)
            for ends in strands(self._centres(markers), self._axis(markers[0]), radii, sigma):
                first, second = (R.T @ (point - x) for point in ends)
                self.builder.scene.lines.append(Line("belt", ((carrier, first), (carrier, second))))

    def _pose(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Of a body at the given position."""
        program = self.motion.program
        if body == GROUND:
            return np.zeros(3), np.eye(3)
        x, R = program.space.poses(program.coordinates(self.motion.numbers.state)[body])
        return x, R

    def _centres(self, markers: list[tuple[int, np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
        places = []
        for body, point, _ in markers:
            x, R = self._pose(body)
            places.append(x + R @ point)
        return places[0], places[1]

    def _axis(self, marker: tuple[int, np.ndarray, np.ndarray]) -> np.ndarray:
        body, _, axes = marker
        return self._pose(body)[1] @ axes[:, 2]


def strands(
    centres: tuple[np.ndarray, np.ndarray], axis: np.ndarray, radii: np.ndarray, sigma: float
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Ends of both strands on pulley a and on pulley b."""
    between = centres[1] - centres[0]
    distance = float(np.linalg.norm(between))
    u = between / distance
    sine = (radii[0] - sigma * radii[1]) / distance
    for side in (1, -1):
        normal = u * sine + side * np.cross(axis, u) * np.sqrt(1 - sine**2)
        yield (centres[0] + radii[0] * normal, centres[1] + sigma * radii[1] * normal)
