"""Symbols of joints and bearings, and bars from bodies to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description.registry import find
from wheelwork.gears import RackPair
from wheelwork.problems import ModelError, did_you_mean, listed
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintUse, ForceUse

from . import solids
from .round_shapes import radii
from .scene import GROUND, Line
from .solids import (
    RoundShape,
    Solid,
    around,
    bar,
    box,
    cylinder,
    evenly,
    joined,
    round_axis,
    round_shape,
    sphere,
    tube,
)

if TYPE_CHECKING:
    from .builder import SceneBuilder
    from .wheels import Wheel


SYMBOLS: dict[str, Callable[[float], Solid]] = {
    "pin": lambda thin: cylinder(1.5 * thin, 3.4 * thin, 14, toned=False),
    "rail": lambda thin: cylinder(0.45 * thin, 12 * thin, 8, toned=False),
    "slider": lambda thin: box((2.6 * thin, 2.6 * thin, 4 * thin)),
    "plate": lambda thin: box((8 * thin, 8 * thin, 0.4 * thin)),
    "disc": lambda thin: cylinder(1.5 * thin, thin, 14, toned=False).placed((0, 0, 0.7 * thin)),
    "arm": lambda thin: cylinder(0.6 * thin, 5 * thin, 10, toned=False),
    "ball": lambda thin: sphere(1.3 * thin, 10, toned=False),
}
"""By the names that joints give them in `symbol`, made with the thickness of bars [m]. A symbol is in the joint's frame
on one side: z along its axis, or at a right angle to its plane."""


WIDTHS = {"pin": 1.5, "ball": 1.3}
"""Radius of symbols that a thick shaft would hide, over the thickness of bars."""
SLENDER = 2.0
"""Length of a shaft over its radius, at least: what is shorter is a disc, from which a symbol sticks out."""
FLAT = 0.5
"""Length over radius of discs, at most, in whose middle a bearing is drawn; it is drawn about others."""
BALLS = 9
RINGS: dict[str, Callable[[float, float], Solid]] = {
    "inner_ring": lambda r, h: tube(r + 0.3 * h, r, h),
    "outer_ring": lambda r, h: joined([tube(r + h, r + 0.7 * h, h), *_balls(r + h / 2, 0.26 * h)]),
}
"""Of a bearing, made with the radius of the shaft and the height of the bearing about it [m]; in the same frames."""


def named_symbol(known: Mapping[str, Callable[..., Any]], name: str, of: str) -> Callable[..., Any]:
    """How a symbol is made; of: the element that has it."""
    if name not in known:
        text = f"asks for a symbol `{name}`, which there is not; there are {listed(known)}"
        hint = "or give a function of your own; `elements/joints/base.py` and `elements/forces/base.py` say of what"
        raise ModelError(text, path=of, hint="; ".join(filter(None, [did_you_mean(name, known), hint])))
    return known[name]


def symbol_maker(known: Mapping[str, Callable[..., Any]], symbol: Any, of: str) -> Callable[..., Solid]:
    """How a symbol on one side is made: by its name, or by the element's own function of the shapes there are."""
    return partial(symbol, solids) if callable(symbol) else named_symbol(known, symbol, of)


def _balls(circle: float, radius: float) -> list[Solid]:
    return around(sphere(radius, 8, toned=False), circle, evenly(BALLS))


def bearings(program: Program) -> list[ForceUse]:
    """Forces that are drawn as bearings."""
    return [use for use in program.forces if any(getattr(use.kernel.equations, "symbol", ()))]


class JointParts:
    """Adds the parts of all joints but the bearings of rotors to a scene."""

    def __init__(self, builder: SceneBuilder):
        self.builder, self.thin = builder, builder.thin

    def build(self) -> None:
        program = self.builder.program
        of_rotors = set(program.flat.rotors.values())
        for name, view in program.joints.items():
            if name not in of_rotors:
                self._joint(name, find("joints", view.type), program.constraints[view.constraint])
        for use in bearings(program):
            self._bearing(use)

    def _joint(self, name: str, kind: Any, use: ConstraintUse) -> None:
        markers = self.builder.markers(use)
        slides = kind.along_in_plane == "x"
        if kind.has_rod:
            (a, p, _), (b, q, _) = markers
            self.builder.scene.lines.append(Line("rod", ((a, p), (b, q))))
        sleeves = [self._sleeve(symbol, markers) for symbol in kind.symbol]
        for side, (body, point, axes) in enumerate(markers):
            if body != GROUND:
                other, at, across = markers[1 - side]
                self._link(body, point, axes[:, 2] * self._clear_of(other, at, across[:, 2]))
            sleeve = sleeves[side]
            hidden = slides and (any(sleeves) or self.builder.inside(body, point) or self._is_rack(markers))
            if kind.symbol[side] and (sleeve or not hidden):
                thin = min(self.thin, self._room(markers) / 2)
                symbol = sleeve or symbol_maker(SYMBOLS, kind.symbol[side], name)(thin)
                if slides and self.builder.scene.planar:
                    axes = axes[:, [1, 2, 0]]
                self.builder.add(body, symbol.placed(point, axes), "joint", name)

    def _sleeve(self, symbol: Any, markers: list[tuple[int, np.ndarray, np.ndarray]]) -> Solid | None:
        """A ring about a shaft that would hide the symbol, and about a body of several sections, which is always one;
        none where there is no such shaft, or no room for it."""
        if symbol not in WIDTHS:
            return None
        radius, along, of_sections = 0.0, np.zeros(3), False
        for body, point, axes in markers:
            found, length, own = self._part_about(body, point, axes[:, 2] if symbol == "pin" else None)
            if found > radius and length >= SLENDER * found:
                radius, along = found, 0.4 * found * axes.T @ own
                of_sections = bool(self._element(body).geometry)
        room = self._room(markers)
        thick = of_sections or WIDTHS[symbol] * min(self.thin, room / 2) < 1.5 * radius
        hidden = radius > 0 and thick and 1.05 * radius <= room
        return bar(-along, along, 2.5 * radius, 28) if hidden else None

    def _bearing(self, use: ForceUse) -> None:
        """Rings about the shaft, body b, as thick as it is drawn."""
        markers = self.builder.markers(use)
        b, q, q_axes = markers[1]
        for (body, point, axes), other in zip(markers, reversed(markers), strict=True):
            if body != GROUND:
                self._link(body, point, axes[:, 2] * self._clear_of(other[0], other[1], other[2][:, 2]))
        wide, length, _ = self._part_about(b, q, q_axes[:, 2])
        shaft, height = wide or 0.55 * self.thin, max(1.8 * self.thin, 0.7 * wide)
        if length < FLAT * wide:
            shaft, height = 0.15 * wide, 1.2 * length
        height = min(height, 2 * self._room(markers))
        for symbol, (body, point, axes) in zip(use.kernel.equations.symbol, markers, strict=True):
            if symbol:
                ring = symbol_maker(RINGS, symbol, use.name)(shaft, height)
                self.builder.add(body, ring.placed(point, axes), "joint", use.name)

    def _part_about(
        self, body: int, point: np.ndarray, axis: np.ndarray | None
    ) -> tuple[float, float, np.ndarray]:
        """Radius, length [m] and axis of the widest round part of a body about a point on its axis, which is to be
        along another one if that is given; of radius zero where there is none."""
        best = 0.0, 0.0, np.zeros(3)
        for found, middle in () if body == GROUND else self._round_parts(body):
            arm = point - middle
            along = float(found.axis @ arm)
            off = float(np.linalg.norm(arm - found.axis * along)) >= 1e-3 * self.builder.size
            if off or (axis is not None and abs(found.axis @ axis) <= 0.999):
                continue
            parts = [(found.outer, found.length), *([found.hub] if found.hub else [])]
            near = max((part for part in parts if abs(along) <= 1.05 * part[1] / 2), default=(0.0, 0.0))
            best = max(best, (*near, found.axis), key=lambda one: one[0])
        return best

    def _round_parts(self, body: int) -> Iterator[tuple[RoundShape, np.ndarray]]:
        """Round shapes of a body, and where their middles are from its centre of mass."""
        numbers = self.builder.motion.numbers
        for piece in self._element(body).geometry:
            found = (
                round_shape(piece.shape, numbers.value) if piece.shape is not None and piece.shown else None
            )
            if found is not None:
                axis = np.array(piece.orientation.matrix(numbers.value)) @ found.axis
                place = np.array([numbers.value(x) for x in piece.position]) - numbers.center[body]
                yield replace(found, axis=axis), place
        shape = self.builder.shapes[body]
        found = None if shape is None else round_shape(shape, numbers.value)
        if found is not None:
            yield found, np.zeros(3)

    def _element(self, body: int) -> Any:
        """What describes a body."""
        return self.builder.program.flat.bodies[self.builder.program.bodies[body]].element

    def _room(self, markers: list[tuple[int, np.ndarray, np.ndarray]]) -> float:
        """Half the root radius of the smallest wheel that turns about a joint [m]; of a `shaft`, that stands there."""
        room = np.inf
        for body, point, axes in markers:
            for wheel, solid in self.builder.toothed:
                if wheel.body == body and self._on_axis(wheel, point, axes[:, 2]):
                    heights = (solid.corners - point) @ axes[:, 2]
                    there = heights.min() < self.thin and heights.max() > -self.thin
                    if there or self.builder.shapes[body] is not None:
                        room = min(room, radii(wheel)[0] / 2)
        return room

    def _is_rack(self, markers: list[tuple[int, np.ndarray, np.ndarray]]) -> bool:
        """Whether a rack slides there, which shows well enough which way."""
        return any(
            isinstance(w.teeth, RackPair) for body, *_ in markers for w in self.builder.wheels.of(body)
        )

    def _on_axis(self, wheel: Wheel, point: np.ndarray, axis: np.ndarray) -> bool:
        z = wheel.axes[:, 2]
        arm = point - wheel.point
        apart = np.linalg.norm(arm - z * (z @ arm))
        return bool(abs(axis @ z) > 0.999 and apart < 1e-3 * self.builder.size)

    def _clear_of(self, body: int, point: np.ndarray, axis: np.ndarray) -> float:
        """How far along a joint's axis a bar has to go to pass the wheels on it; 0 where there are none [m]."""
        far = 0.0
        for wheel, solid in self.builder.toothed:
            if wheel.body == body and self._on_axis(wheel, point, axis):
                far = max(far, float(((solid.corners - point) @ axis).max()))
        return far + 1.2 * self.thin if far > 0 else 0.0

    def _link(self, body: int, point: np.ndarray, aside: np.ndarray) -> None:
        """A bar from the body to a joint outside its shape: along a round shape's axis first, then out.

        aside: by how much the arm of a body without a shape has to pass beside wheels that turn there
        """
        if self.builder.inside(body, point):
            return
        shape = self.builder.shapes[body]
        axis = None if shape is None else round_axis(shape)
        arm = shape is None and bool(np.any(aside))
        if arm:
            corners = [np.zeros(3), aside, point + aside, point]
        elif axis is None:
            corners = [np.zeros(3), point]
        else:
            corners = [np.zeros(3), axis * (axis @ point), point]
        pieces = [
            bar(start, end, (1.8 if arm else 1.1) * self.thin)
            for start, end in pairwise(corners)
            if np.linalg.norm(end - start) > 1e-9 * self.builder.size
        ]
        if pieces:
            self.builder.add(body, joined(pieces), "link")
