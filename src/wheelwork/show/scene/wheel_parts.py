"""Solids of all wheels of a mechanism, with what the description leaves open filled in.

face width   of the mesh; else of the shape that stands for the wheel; else of a mate; else 10 modules
bore         of that shape; a quarter of the root circle where the body has no shape at all
rim          of a ring: the outer radius of that shape; else 2.5 modules outside the root circle
worm         thread over 6 axial pitches, no longer than the shape, whose length the shaft keeps
rack         as long as the shape that lies along it, else as far as the pinion rolls, and two pitches more
"""

from __future__ import annotations

from math import ceil, floor, pi
from typing import Any, NamedTuple

import numpy as np

from wheelwork.gears import Gear, RackPair
from wheelwork.system.motion import Motion

from .bevel import BevelWheel, bevel_solid
from .cylindrical import LEVELS, Detail, rack_solid, wheel_solid
from .round_shapes import cut_round, radii, stands_for, sunk
from .screw import ScrewSurface, screw_solid
from .solids import RoundShape, Solid, cylinder, round_shape, shape_solid, tube
from .wheels import DEFAULT_WIDTH, Wheel, Wheels

MOST_FACES = 75_000
"""Of all wheels together; beyond that their flanks have fewer points."""
ROUND = 84
"""Sides of plain wheels: rings do not cut into the wheels that roll in them."""


class RackBar(NamedTuple):
    """Of a rack: x of the middle of its first tooth [m], number of teeth, width, depth under the pitch line [m]."""

    first: float
    teeth: int
    width: float
    depth: float


class WheelParts:
    """Solids of wheels, fixed to their bodies.

    shapes: of the bodies, by index
    """

    def __init__(self, motion: Motion, found: Wheels, most_faces: int = MOST_FACES):
        self.motion, self.found, self.value = motion, found, motion.numbers.value
        bodies = motion.program.flat.bodies
        self.shapes: list[Any] = [bodies[name].element.shape for name in motion.program.bodies]
        self.detail = _detail(found, most_faces)
        self.rounds = [None if shape is None else round_shape(shape, self.value) for shape in self.shapes]
        self.standing = {k: self._standing(wheel) for k, wheel in enumerate(found.wheels)}
        self.widths = self._widths()

    # -- what is asked

    def replaced(self, body: int) -> bool:
        """Whether wheels are shown in place of the body's shape."""
        return any(
            self.standing[k] is not None
            or (isinstance(wheel.teeth, RackPair) and self._bar(wheel) is not None)
            for k, wheel in enumerate(self.found.wheels)
            if wheel.body == body and wheel.teeth is not None
        )

    def plain(self, body: int) -> list[Solid]:
        """The body's shape as it is shown: none where wheels stand for it, cut where teeth would be sunk in it."""
        shape = self.shapes[body]
        if shape is None or self.replaced(body):
            return []
        found = self.rounds[body]
        gaps = (
            []
            if found is None
            else [
                self._gap(k, wheel)
                for k, wheel in enumerate(self.found.wheels)
                if wheel.body == body and sunk(found, wheel)
            ]
        )
        return [shape_solid(shape, self.value)] if found is None or not gaps else cut_round(found, gaps)

    def _gap(self, k: int, wheel: Wheel) -> tuple[float, float]:
        """From where to where a wheel is on its axis, from the centre of mass."""
        axis = self.rounds[wheel.body].axis  # type: ignore[union-attr]
        places = [float(axis @ (wheel.point + h * wheel.axes[:, 2])) for h in wheel.heights]
        return min(places) - self.widths[k] / 2, max(places) + self.widths[k] / 2

    def solids(self) -> list[tuple[Wheel, Solid]]:
        """Of all wheels, with hubs and shafts of the shapes they stand for."""
        out = []
        for k, wheel in enumerate(self.found.wheels):
            for solid in self._solids(k, wheel):
                out.append((wheel, solid.placed(wheel.point, wheel.axes)))
        return out

    def own_solids(self, k: int) -> list[Solid]:
        """Of one wheel, in its own frame: its teeth first, then hub and shaft."""
        return self._solids(k, self.found.wheels[k])

    # -- sizes

    def _standing(self, wheel: Wheel) -> RoundShape | None:
        shape = None if wheel.body < 0 else self.rounds[wheel.body]
        return shape if shape is not None and stands_for(shape, wheel) else None

    def _widths(self) -> list[float]:
        wheels = self.found.wheels
        widths = [self._own_width(k, wheel) for k, wheel in enumerate(wheels)]
        for k, wheel in enumerate(wheels):
            if widths[k] == 0:
                mates = [
                    i for i, other in enumerate(wheels) if i != k and set(other.meshes) & set(wheel.meshes)
                ]
                known = [widths[i] for i in mates if not isinstance(wheels[i].teeth, ScrewSurface)]
                widths[k] = max(known, default=0.0) or DEFAULT_WIDTH * wheel.module
        return widths

    def _own_width(self, k: int, wheel: Wheel) -> float:
        shape = self.standing[k]
        if isinstance(wheel.teeth, BevelWheel):
            return wheel.teeth.width
        if isinstance(wheel.teeth, ScrewSurface):
            length = 6 * 2 * pi / abs(wheel.teeth.slope * wheel.teeth.teeth)
            return length if shape is None else min(length, shape.length)
        if wheel.width > 0 or shape is None:
            return wheel.width
        return shape.length if shape.length <= max(16 * wheel.module, 1.6 * wheel.radius) else 0.0

    # -- solids in the wheel's frame

    def _solids(self, k: int, wheel: Wheel) -> list[Solid]:
        teeth, shape = wheel.teeth, self.standing[k]
        if teeth is None:
            return self._disc(k, wheel)
        if isinstance(teeth, RackPair):
            return self._rack(k, wheel, teeth)
        along = float(-wheel.axes[:, 2] @ wheel.point)  # height of the shape's middle
        out = [] if shape is None else self._hub(shape, wheel, self.widths[k], along)
        if isinstance(teeth, BevelWheel):
            bore = 0.25 * teeth.least_root if self._bare(wheel) else 0.0 if shape is None else shape.inner
            return [bevel_solid(teeth, min(bore, 0.85 * teeth.least_root), wheel.angle, self.detail), *out]
        if isinstance(teeth, ScrewSurface):
            return [screw_solid(teeth, self.widths[k], wheel.angle, self.detail), *out]
        middle = (
            along if shape is not None and wheel.width == 0 else (max(wheel.heights) + min(wheel.heights)) / 2
        )
        width = max(
            self.widths[k], self.widths[k] + max(wheel.heights) - min(wheel.heights) if shape is None else 0
        )
        solid = wheel_solid(
            teeth, width, self._back(wheel, teeth, shape), wheel.angle, self.detail, middle - width / 2
        )
        return [solid, *out]

    def _bare(self, wheel: Wheel) -> bool:
        return wheel.body < 0 or self.shapes[wheel.body] is None

    def _back(self, wheel: Wheel, gear: Gear, shape: RoundShape | None) -> float:
        root = gear.root_diameter / 2
        if gear.internal:
            given = 0.0 if shape is None else shape.outer
            return given if given > root + 0.5 * gear.module else root + 2.5 * gear.module
        if shape is not None:
            return min(shape.inner, 0.9 * root)
        return 0.25 * root if self._bare(wheel) else 0.0

    def _hub(self, shape: RoundShape, wheel: Wheel, width: float, along: float) -> list[Solid]:
        """A hub, or the shaft that is left of a long shape."""
        if shape.hub is not None:
            return [tube(shape.hub[0], shape.inner, shape.hub[1]).placed((0, 0, along))]
        if wheel.ring or isinstance(wheel.teeth, BevelWheel) or shape.length <= 1.05 * width:
            return []
        return [tube(0.88 * radii(wheel)[0], shape.inner, shape.length).placed((0, 0, along))]

    def _disc(self, k: int, wheel: Wheel) -> list[Solid]:
        """Pitch discs for wheels without teeth, where the body shows nothing else."""
        if not np.isfinite(wheel.radius) or not self._bare(wheel):
            return []
        width = self.widths[k]
        if wheel.ring:
            return [tube(1.15 * wheel.radius, wheel.radius, width, ROUND)]
        return [cylinder(wheel.radius, width, ROUND)]

    # -- racks

    def _bar(self, wheel: Wheel) -> tuple[np.ndarray, np.ndarray] | None:
        """Low and high corner, in the rack's frame, of a shape that lies along the rack; None if there is none."""
        shape = None if wheel.body < 0 else self.shapes[wheel.body]
        if shape is None or shape.type not in ("box", "cylinder"):
            return None
        corners = (shape_solid(shape, self.value).corners - wheel.point) @ wheel.axes
        low, high = corners.min(axis=0), corners.max(axis=0)
        m = wheel.module
        holds = low[1] - 2 * m < 0 < high[1] + 2 * m and low[2] < 0 < high[2]
        slender = high[1] - low[1] < 25 * m and high[0] - low[0] > 4 * m
        return (low, high) if holds and slender else None

    def _rack(self, k: int, wheel: Wheel, pair: RackPair) -> list[Solid]:
        bar, ends = self.rack_bar(k, wheel, pair)
        return [rack_solid(pair, bar.first, bar.teeth, bar.width, bar.depth, self.detail), *ends]

    def rack_bar(self, k: int, wheel: Wheel, pair: RackPair) -> tuple[RackBar, list[Solid]]:
        """How many teeth a rack has and where, and what is left of a round bar beyond them."""
        rolled = self._rolled(wheel)
        pitch = pair.a.transverse_pitch
        low, high = rolled[0] - 2.5 * pitch, rolled[1] + 2.5 * pitch
        depth, width, ends = 3.5 * wheel.module, self.widths[k], []
        bar = self._bar(wheel)
        if bar is not None:
            depth = max(depth, -bar[0][1])
            round_bar = self.shapes[wheel.body].type == "cylinder"
            if round_bar:
                ends = _ends(bar, low, high)
                width = min(width, bar[1][2] - bar[0][2])
            else:
                low, high = bar[0][0], bar[1][0]
                width = wheel.width or bar[1][2] - bar[0][2]
        lean = abs(wheel.slope) * width / 2
        first = ceil((low + lean - wheel.angle) / pitch + 0.5)
        last = max(floor((high - lean - wheel.angle) / pitch - 0.5), first)
        return RackBar(wheel.angle + first * pitch, last - first + 1, width, depth), ends

    def _rolled(self, wheel: Wheel) -> tuple[float, float]:
        """From where to where pinions touch a rack, in its frame."""
        frames = self.motion.frames
        own = frames[:, wheel.body]
        R = own[:, 3:12].reshape(-1, 3, 3)
        places = [np.zeros(1)]
        for other in self.found.wheels:
            if other is wheel or not set(other.meshes) & set(wheel.meshes):
                continue
            far = frames[:, other.body]
            point = far[:, :3] + far[:, 3:12].reshape(-1, 3, 3) @ other.point
            local = np.einsum("nji,nj->ni", R, point - own[:, :3]) - wheel.point
            along = local @ wheel.axes[:, 0]
            places.append(along[np.isfinite(along)])
        every = np.concatenate(places[1:] if len(places) > 1 else places)
        return (float(every.min()), float(every.max())) if len(every) else (0.0, 0.0)


def _ends(bar: tuple[np.ndarray, np.ndarray], low: float, high: float) -> list[Solid]:
    """What is left of a round bar beyond the teeth of a rack."""
    radius = (bar[1][1] - bar[0][1]) / 2
    middle = (bar[0] + bar[1]) / 2
    turned = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])
    out = []
    for start, end in ((bar[0][0], low), (high, bar[1][0])):
        if end - start > 1e-6 * radius:
            piece = cylinder(radius, end - start, toned=False)
            out.append(piece.placed(((start + end) / 2, middle[1], middle[2]), turned))
    return out


def _detail(found: Wheels, most_faces: int) -> Detail:
    teeth = sum(wheel.count for wheel in found.wheels)
    return next((level for level in LEVELS if level.faces * teeth <= most_faces), LEVELS[-1])
