"""What a machine of rotors has and does not say: shafts between the parts of one rotor, bearings, and a housing.

A rotor is drawn by what sits on it (wheels, discs, halves of clutches). Where these stand apart on its axis a shaft
goes from the first to the last, with a ring at its ends where it bears on the ground. A machine of several such
shafts side by side has the edges of a housing about its bearings.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .round_shapes import radii
from .scene import GROUND
from .solids import Solid, axes_along, bar, cylinder, joined, tube

if TYPE_CHECKING:
    from .builder import SceneBuilder

THICK = 1.6
"""Radius of a shaft in the thickness of bars, where no bore is smaller."""
BORE = 0.25
"""Radius of the hole of a wheel without a shape, over its root radius."""
SHAFTS = 3
"""From so many on parallel axes on there is a housing."""


class Seat(NamedTuple):
    """A rotor on its axis in the world at the start: a point, a direction, and from where to where there are parts."""

    body: int
    point: np.ndarray
    along: np.ndarray
    spans: list[tuple[float, float]]

    def in_line(self, other: Seat, near: float) -> bool:
        """Whether two have one axis."""
        apart = other.point - self.point
        across = apart - self.along * (self.along @ apart)
        return bool(abs(self.along @ other.along) > 0.999 and np.linalg.norm(across) < near)


class Shafts:
    """Adds shafts, their bearings and the housing to a scene in which all other parts are."""

    def __init__(self, builder: SceneBuilder):
        self.builder, self.thin = builder, builder.thin
        self.bearings: list[tuple[np.ndarray, np.ndarray]] = []
        """Place and axis of each, in the world at the start."""

    def build(self) -> None:
        motion, program = self.builder.motion, self.builder.program
        if not motion.count or self.builder.scene.planar:
            return
        seats = [seat for name in program.flat.rotors if (seat := self._seat(name)).spans]
        for seat in seats:
            self._shaft(seat, seats)
        self._housing()

    def _seat(self, name: str) -> Seat:
        builder, program = self.builder, self.builder.program
        body = program.bodies.index(name)
        x, R = builder.motion.x[0, body], builder.motion.R[0, body]
        _, (_, point, axes) = builder.markers(
            program.constraints[program.joints[program.flat.rotors[name]].constraint]
        )
        spans = []
        for part in builder.scene.parts:
            if part.body == body:
                heights = (part.solid.corners - point) @ axes[:, 2]
                spans.append((float(heights.min()), float(heights.max())))
        return Seat(body, x + R @ point, R @ axes[:, 2], sorted(spans))

    def _shaft(self, seat: Seat, seats: list[Seat]) -> None:
        """Through all parts of a rotor, where they stand apart."""
        end, apart = seat.spans[0][1], False
        for low, high in seat.spans[1:]:
            apart, end = apart or low > end + 1e-3 * self.thin, max(end, high)
        disc = any(part.kind == "rotor" for part in self.builder.scene.parts if part.body == seat.body)
        low, high = seat.spans[0][0], end
        if apart:
            margin = 0.0 if disc else 5 * self.thin
            low, high = low - margin, high + margin
            in_line = [
                wheel for other in seats if other.in_line(seat, self.thin) for wheel in self._wheels(other)
            ]
            radius = min(THICK * self.thin, *(0.9 * BORE * radii(wheel)[0] for wheel in in_line), np.inf)
            self._add(seat, cylinder(radius, high - low, 16, toned=False), (low + high) / 2)
            self._hubs(seat, radius)
        if not apart and not disc:
            return
        for at in (low + 2 * self.thin, high - 2 * self.thin):
            if not self._taken(seat, at, seats):
                ring = joined(
                    [
                        tube(2.6 * self.thin, 2.0 * self.thin, 2 * self.thin),
                        tube(1.5 * self.thin, 1.0 * self.thin, 2 * self.thin),
                    ]
                )
                place = seat.point + at * seat.along
                self.builder.add(GROUND, ring.placed(place, axes_along(seat.along)), "joint", "bearing")
                self.bearings.append((place, seat.along))

    def _hubs(self, seat: Seat, radius: float) -> None:
        """What fills the holes of a rotor's wheels about its shaft."""
        for wheel, solid in self.builder.toothed:
            hole = BORE * radii(wheel)[0]
            if wheel.body == seat.body and not wheel.ring and hole > 1.01 * radius:
                heights = (solid.corners - wheel.point) @ wheel.axes[:, 2]
                low, high = heights.min(), heights.max()
                hub = tube(hole, radius, 0.98 * (high - low)).placed((0, 0, (low + high) / 2))
                self.builder.add(seat.body, hub.placed(wheel.point, wheel.axes), "link")

    def _wheels(self, seat: Seat) -> list:
        return [wheel for wheel in self.builder.wheels.of(seat.body) if not wheel.ring]

    def _taken(self, seat: Seat, at: float, seats: list[Seat]) -> bool:
        """Whether parts of another rotor are there on the axis."""
        for other in seats:
            if other.body != seat.body and other.in_line(seat, self.thin):
                height = float((seat.point + at * seat.along - other.point) @ other.along)
                if any(low - 1.5 * self.thin < height < high + 1.5 * self.thin for low, high in other.spans):
                    return True
        return False

    def _add(self, seat: Seat, solid: Solid, at: float) -> None:
        motion = self.builder.motion
        x, R = motion.x[0, seat.body], motion.R[0, seat.body]
        place = R.T @ (seat.point + at * seat.along - x)
        self.builder.add(seat.body, solid.placed(place, axes_along(R.T @ seat.along)), "link")

    def _housing(self) -> None:
        """The edges of a box about the bearings, with room for what turns in it."""
        if len(self.bearings) < 2 * SHAFTS - 2:
            return
        along = self.bearings[0][1]
        if any(abs(along @ other) < 0.999 for _, other in self.bearings):
            return
        axes = axes_along(along)
        scene, corners = self.builder.scene, []
        for part in scene.parts:
            if part.kind == "wheel" and part.body != GROUND:
                x, R = self.builder.motion.x[0, part.body], self.builder.motion.R[0, part.body]
                corners.append((part.solid.corners @ R.T + x) @ axes)
        places = np.array([place @ axes for place, _ in self.bearings])
        if not corners or np.ptp(np.round(places[:, :2] / self.thin), axis=0).max() == 0:
            return
        every = np.concatenate(corners)
        low, high = every.min(axis=0) - 2 * self.thin, every.max(axis=0) + 2 * self.thin
        low[2], high[2] = low[2] - 5 * self.thin, high[2] + 5 * self.thin
        ends = np.where(list(product((False, True), repeat=3)), high, low)
        pairs = [(a, b) for a, b in combinations(ends, 2) if np.count_nonzero(a != b) == 1]
        edges = [bar(axes @ a, axes @ b, 0.25 * self.thin) for a, b in pairs]
        self.builder.add(GROUND, joined(edges), "link", "housing")
