"""Symbols of what ties shafts to each other without teeth: clutches, dogs, play, ratios, planetary gears, converters.

Each half of a symbol is fixed to the shaft it belongs to, and turns and slips with it. Sizes are true: wheels of a
ratio on two axes touch where they turn against each other, those of a planetary gear are in its ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.layout import layout_of
from wheelwork.problems import ModelError

from . import solids
from .joint_parts import named_symbol
from .scene import COLORS, GROUND, STEEL, Line
from .solids import Solid, around, axes_along, bar, box, cylinder, directions, evenly, joined, tube, turned_by

if TYPE_CHECKING:
    from .builder import SceneBuilder

RADIUS, THICK, GAP = 7.0, 1.6, 0.5
"""Of a disc and the gap between two, in the thickness of bars."""
BESIDE = 0.17
"""By which a brake stands beside the disc of its rotor, over the size of the mechanism."""
NARROW = 0.5
"""The least width of a clutch on thin shafts, over that of one in the open; in the plane it would hide their wheels."""
PLANETS = 3
SMALLEST = 0.25
"""Radius of the smaller wheel of a ratio on one axis, over that of the larger."""


class DriveParts:
    """Adds the symbols of all forces that have one (`drive_symbol`) to a scene.

    solids: the shapes that symbols are made of, for an element that draws its own
    """

    solids = solids

    def __init__(self, builder: SceneBuilder):
        self.builder, self.thin = builder, builder.thin
        self.places: dict[int, np.ndarray] = {}
        """Where rotors are drawn on their axes, in the world at the start."""
        self.layout = layout_of(builder.program.flat)
        self.values = builder.motion.numbers.parameters

    def with_wheels(self) -> set[int]:
        """Bodies on which a ratio has a wheel of true size."""
        found: set[int] = set()
        for placed in self.builder.program.flat.forces.values():
            if placed.element.drive_symbol == "ratio" and self.builder.motion.count:
                with suppress(ModelError, ValueError):
                    (a, b, _), axes, _ = _geared(self, placed)
                    if _apart(self, a, b, axes) is not None:
                        found |= {self.index(a), self.index(b)} - {GROUND}
        return found

    def build(self, places: dict[int, np.ndarray]) -> None:
        """places: where rotors are drawn"""
        self.places = places
        for name, placed in self.builder.program.flat.forces.items():
            symbol = placed.element.drive_symbol
            if not symbol or not self.builder.motion.count:
                continue
            draw: Any = symbol if callable(symbol) else named_symbol(DRAWN, symbol, name)
            try:
                self.thin = self._thin(placed)
                for body, solid, point, axes in draw(self, placed):
                    self._add(name, body, solid, point, axes)
            except (ModelError, ValueError):  # what it needs is missing, which the run has said
                if callable(symbol):
                    raise

    def _add(self, name: str, body: str, solid: Solid, point: np.ndarray, axes: np.ndarray) -> None:
        """A solid that stands at a point of the world at the start, fixed to a body."""
        scene, index = self.builder.scene, self.index(body)
        paint = STEEL if index == GROUND else COLORS[index % len(COLORS)]
        if index != GROUND:
            R = self.builder.motion.R[0, index]
            point, axes = R.T @ (point - scene.position[0, index]), R.T @ axes
        self.builder.add(index, solid.placed(point, axes), "joint", name, paint)

    def _thin(self, placed: Any) -> float:
        """Thickness of bars of a symbol [m]: its discs are not wider than wheels and shapes of its shafts."""
        usual, element = self.builder.thin, placed.element
        if not element.between_shafts:
            return usual
        bodies, _, axes = self.between(placed)
        wide = 0.0
        for k in map(self.index, bodies):
            if k in self.builder.reach:
                z = self.builder.motion.R[0, k].T @ axes[:, 2]
                wide = max(wide, float(np.max(self.builder.reach[k] * np.sqrt(np.clip(1 - z**2, 0, 1)))))
        least = 0.0 if self.builder.scene.planar else NARROW * usual
        return min(usual, max(wide / RADIUS, least)) if wide else usual

    # -- where things are

    def index(self, body: str) -> int:
        return GROUND if body == "ground" else self.builder.program.bodies.index(body)

    def where(self, body: str) -> np.ndarray:
        """Where a shaft is drawn, in the world at the start."""
        index = self.index(body)
        if index == GROUND:
            return np.zeros(3)
        return self.places[index] if index in self.places else self.builder.scene.position[0, index]

    def number(self, expression: Any) -> np.ndarray:
        return self.layout.number(expression, self.values)

    def frame(self, axes: Any) -> np.ndarray:
        """Axes with z along that of a shaft, in the world."""
        return self.number(axes).reshape(3, 3) if not isinstance(axes, np.ndarray) else axes

    def between(self, placed: Any) -> tuple[tuple[str, str], np.ndarray, np.ndarray]:
        """The two shafts of a clutch, the middle between them on their axis, and axes with z from a to b."""
        element, place = placed.element, self.layout.place(placed)
        if element.joint is not None:
            joint = self.layout.joint(element.joint)
            a, b = joint.bodies
            at = self.layout.in_world(a, joint.markers[0])
            middle, z = self.number(at.position), self.frame(at.axes)[:, 2]
            shaft = self.where(b) if a == "ground" else middle
            return (a, b), middle + z * (z @ (shaft - middle)), axes_along(z)
        a, b = element.bodies
        rotors = self.builder.program.flat.rotors
        if element.axis is not None:
            axes = place.axes_along(element.axis)
        else:
            joint = self.layout.joint(rotors[a])
            axes = self.layout.in_world(joint.bodies[0], joint.markers[0]).axes
        z = self.frame(axes)[:, 2]
        p, q = (self.where(body) for body in (a, b))
        if "ground" in (a, b):
            p = q = q if a == "ground" else p
        if (q - p) @ z < 0:
            z = -z
        return (a, b), p + z * self._apart(a, b, float(z @ (q - p)), z), axes_along(z)

    def _apart(self, a: str, b: str, distance: float, z: np.ndarray) -> float:
        """How far from a towards b a clutch is: half way, or beside the wheel of one of them where b is farther off."""
        motion, room = self.builder.motion, 2.5 * THICK * self.thin
        for body, sign in ((a, 1), (b, -1)):
            k = self.index(body)
            ends = [
                float(
                    ((solid.corners @ motion.R[0, k].T + motion.x[0, k] - self.where(body)) @ z * sign).max()
                )
                for wheel, solid in self.builder.toothed
                if wheel.body == k
            ]
            if ends and 0 < max(ends) < distance - 3 * room:
                beside = max(ends) + room
                return beside if sign > 0 else distance - beside
        return distance / 2

    def among(self, bodies: tuple[str, ...], z: np.ndarray) -> np.ndarray:
        """A place between two neighbours among several shafts on one axis, if there is one where no clutch is drawn."""
        shafts = sorted(
            (body for body in bodies if body != "ground"), key=lambda body: float(self.where(body) @ z)
        )
        forces = self.builder.program.flat.forces.values()
        taken = [set(getattr(placed.element, "bodies", None) or ()) for placed in forces]
        pairs = list(pairwise(shafts))
        a, b = next((pair for pair in pairs if set(pair) not in taken), pairs[0])
        return (self.where(a) + self.where(b)) / 2


Piece = tuple[str, Solid, np.ndarray, np.ndarray]


def _halves(parts: DriveParts, placed: Any, one: Solid, two: Solid) -> Iterator[Piece]:
    """Two solids that look at each other along the axis; each is drawn with its face at z = 0, looking up."""
    (a, b), middle, axes = parts.between(placed)
    back = axes @ np.diag([1.0, -1.0, -1.0])
    yield a, one, middle - axes[:, 2] * parts.thin * GAP / 2, axes
    yield b, two, middle + axes[:, 2] * parts.thin * GAP / 2, back


def _disc(thin: float, radius: float = RADIUS) -> Solid:
    return cylinder(radius * thin, THICK * thin).placed((0, 0, -THICK * thin / 2))


def _clutch(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    return _halves(parts, placed, _disc(parts.thin), _disc(parts.thin))


def _limiter(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Two discs, the first pressed on by a spring behind it."""
    thin = parts.thin
    behind = [
        tube(r * thin, (r - 0.5) * thin, 0.5 * thin).placed((0, 0, -k * thin))
        for r, k in ((4, 2.4), (3, 3.3))
    ]
    return _halves(parts, placed, joined([_disc(thin), *behind]), _disc(thin))


def _brake(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """A disc on the shaft between two pads that stand still."""
    (a, b), middle, axes = parts.between(placed)
    thin = parts.thin
    shaft, frame = (b, a) if a == "ground" else (a, b)
    if parts.index(shaft) in parts.places:
        middle = middle - BESIDE * parts.builder.size * axes[:, 2]
    yield shaft, cylinder(RADIUS * thin, 0.8 * thin), middle, axes
    pads = [
        box((3 * thin, 3 * thin, thin)).placed((0.75 * RADIUS * thin, 0, s * 1.1 * thin)) for s in (-1, 1)
    ]
    bridge = box((thin, 3 * thin, 3.2 * thin)).placed(((RADIUS + 0.6) * thin, 0, 0))
    yield frame, joined([*pads, bridge]), middle, axes


def _claws(thin: float, count: int, share: float) -> Solid:
    """A disc with claws on its face, each over a share of its pitch."""
    wide = 2 * np.pi / count * share
    claws = []
    piece = box((2.6 * thin, max(wide / 4 * 5 * thin, 0.3 * thin), 1.2 * thin))
    for k in range(count):
        for x in np.linspace(-wide / 2, wide / 2, 4):
            axes = turned_by(2 * np.pi * k / count + x)
            claws.append(piece.placed(axes @ [5.2 * thin, 0, 0.6 * thin], axes))
    return joined([_disc(thin), *claws])


def _dogs(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    count = placed.element.dogs or 6
    claws = _claws(parts.thin, min(count, 12), 0.4)
    lifted = claws.placed((0, 0, -1.0 * parts.thin))
    return _halves(parts, placed, lifted, lifted)


def _play(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Two claws each that reach between each other with play."""
    claws = _claws(parts.thin, 2, 0.3).placed((0, 0, -0.8 * parts.thin))
    return _halves(parts, placed, claws, claws)


def _elastic(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Two flanges with a ring of rubber between them; not of shafts between bodies, nor of springs on the frame."""
    element, thin = placed.element, parts.thin
    if element.joint is None or "ground" in parts.layout.joint(element.joint).bodies:
        return
    (a, b), middle, axes = parts.between(placed)
    flange = cylinder(RADIUS * thin, 0.8 * thin)
    rubber = tube(0.85 * RADIUS * thin, 0.45 * RADIUS * thin, 1.6 * thin)
    yield a, joined([flange.placed((0, 0, -1.2 * thin)), rubber]), middle, axes
    yield b, flange.placed((0, 0, 1.2 * thin)), middle, axes


def _synchroniser(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """A sleeve with a ring in front of it, against a hub with a cone."""
    thin = parts.thin
    sleeve = joined([_disc(thin, 5), tube(RADIUS * thin, 5.6 * thin, 3 * thin).placed((0, 0, -1.2 * thin))])
    cones = [
        cylinder(r * thin, 0.7 * thin).placed((0, 0, -0.35 * thin - k * 0.7 * thin))
        for k, r in enumerate((4, 5, 6))
    ]
    return _halves(parts, placed, sleeve, joined(cones))


def _one_way(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """An outer ring with rollers about an inner one."""
    (a, b), middle, axes = parts.between(placed)
    thin = parts.thin
    rollers = around(cylinder(0.8 * thin, 2 * thin, 10, toned=False), 4.7 * thin, evenly(8))
    yield a, joined([tube(RADIUS * thin, 5.6 * thin, 2.4 * thin), *rollers]), middle, axes
    arm = box((3.4 * thin, 1.2 * thin, 2.2 * thin)).placed((2.6 * thin, 0, 0))
    star = [arm.placed(axes=turned_by(x)) for x in evenly(8)]
    yield b, joined([cylinder(2.6 * thin, 2.4 * thin), *star]), middle, axes


# -- ratios


def _geared(parts: DriveParts, placed: Any) -> tuple[tuple[str, str, str], list[np.ndarray], float]:
    """Shafts a and b and support, their axes, and the ratio at the start."""
    element = placed.element
    bodies, directions = element.turning(parts.layout.place(placed))
    ratio = element.ratio_now(parts.values)
    return bodies, [parts.frame(axes)[:, 2] for axes in directions], 1.0 if ratio is None else ratio[0]


def _apart(parts: DriveParts, a: str, b: str, axes: list[np.ndarray]) -> np.ndarray | None:
    """From the axis of one shaft to the other's, where they are parallel and not one."""
    p, q, z = parts.where(a), parts.where(b), axes[0]
    apart = q - p - z * (z @ (q - p))
    return apart if abs(z @ axes[1]) > 0.999 and np.linalg.norm(apart) > 4 * parts.thin else None


def _ratio(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    (a, b, support), (z_a, z_b), i = _geared(parts, placed)
    thin, p, q = parts.thin, parts.where(a), parts.where(b)
    apart = _apart(parts, a, b, [z_a, z_b])
    if apart is not None:
        near, distance = p + z_a * (z_a @ (q - p)) / 2, float(np.linalg.norm(apart))
        first = distance / (1 + abs(i)) * (1.0 if i < 0 else 0.9)
        second = first * abs(i)
        yield a, cylinder(first, THICK * thin), near, axes_along(z_a)
        yield b, cylinder(second, THICK * thin), near + apart, axes_along(z_b)
        return
    larger = RADIUS * thin
    first, second = (larger / max(abs(i), 1.0), larger * min(abs(i), 1.0))
    middle = (p + q) / 2 if np.linalg.norm(q - p - z_a * (z_a @ (q - p))) < 4 * thin else None
    for body, at, z, radius, side in ((a, p, z_a, first, -1), (b, q, z_b, second, 1)):
        place = at if middle is None else middle + z_a * side * np.sign((q - p) @ z_a or 1.0) * thin
        yield body, cylinder(max(radius, SMALLEST * larger), THICK * thin), place, axes_along(z)
    if middle is not None:
        shell = joined(
            [
                tube(1.2 * larger, 1.1 * larger, 5 * thin),
                tube(1.2 * larger, larger, 0.6 * thin).placed((0, 0, -2.8 * thin)),
            ]
        )
        yield support, shell, middle, axes_along(z_a)


def _planetary(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Sun, ring and planets on their carrier, in the ratio of their teeth."""
    (sun, ring, carrier), (z, _), i = _geared(parts, placed)
    thin, k = parts.thin, abs(i)
    middle, axes = parts.among((sun, ring, carrier), z), axes_along(z)
    outer = 1.3 * RADIUS * thin
    r_sun = outer / k
    r_planet = (k - 1) / 2 * r_sun
    yield sun, cylinder(r_sun, THICK * thin), middle, axes
    yield ring, tube(1.12 * outer, outer, THICK * thin), middle, axes
    circle, pieces = r_sun + r_planet, []
    for x in evenly(PLANETS):
        at = np.array([*circle * directions(x), 0])
        pieces.append(cylinder(0.98 * r_planet, THICK * thin).placed(at))
        up = np.array([0, 0, 1.3 * thin])
        pieces.append(bar(up, at + up, 0.8 * thin))
    yield carrier, joined(pieces), middle, axes


def _differential(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Two side wheels, and two pinions across in the cage."""
    (left, right, cage), (z, _), _ = _geared(parts, placed)
    thin, p, q = parts.thin, parts.where(left), parts.where(right)
    middle, axes = parts.among((left, right, cage), z), axes_along(z if (q - p) @ z >= 0 else -z)
    for body, side in ((left, -1), (right, 1)):
        yield body, cylinder(3.6 * thin, 0.9 * thin), middle + axes[:, 2] * side * 3 * thin, axes
    across = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    pieces = [cylinder(2.6 * thin, 0.9 * thin).placed((side * 4 * thin, 0, 0), across) for side in (-1, 1)]
    pieces += [box((0.6 * thin, 2.4 * thin, 9 * thin)).placed((side * 5.4 * thin, 0, 0)) for side in (-1, 1)]
    pieces += [tube(5.7 * thin, 4.4 * thin, 0.6 * thin).placed((0, 0, side * 4.4 * thin)) for side in (-1, 1)]
    yield cage, joined(pieces), middle, axes


def _converter(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Two bowls that look at each other, with the stator between them."""
    element, thin = placed.element, parts.thin
    p, q = parts.where(element.pump), parts.where(element.turbine)
    along = q - p
    if not np.any(along):
        along = np.array([0.0, 0.0, 1.0])
    middle, axes = (p + q) / 2, axes_along(along / np.linalg.norm(along))
    bowl = joined(
        [
            _disc(thin).placed((0, 0, -1.6 * thin)),
            tube(RADIUS * thin, 6 * thin, 2.2 * thin).placed((0, 0, -1.3 * thin)),
        ]
    )
    yield element.pump, bowl, middle - axes[:, 2] * 0.3 * thin, axes
    yield element.turbine, bowl, middle + axes[:, 2] * 0.3 * thin, axes @ np.diag([1.0, -1.0, -1.0])
    yield element.support, tube(3.6 * thin, 2.4 * thin, 1.6 * thin), middle, axes


def _coupler(parts: DriveParts, placed: Any) -> Iterator[Piece]:
    """Strands from joint to joint."""
    ends = []
    for one in placed.element.joints:
        joint = parts.layout.joint(one.joint)
        body = parts.index(joint.bodies[1])
        ends.append((body, parts.number(joint.markers[1])[:3]))
    for start, end in pairwise(ends):
        parts.builder.scene.lines.append(Line("strand", (start, end)))
    return iter(())


DRAWN: dict[str, Callable[[DriveParts, Any], Iterator[Piece]]] = {
    "clutch": _clutch, "limiter": _limiter, "brake": _brake, "dogs": _dogs, "play": _play, "elastic": _elastic,
    "synchroniser": _synchroniser, "one_way": _one_way, "ratio": _ratio, "planetary": _planetary,
    "differential": _differential, "converter": _converter, "coupler": _coupler,
}  # fmt: skip
"""By the names that forces give in `drive_symbol`: body, solid, point and axes in the world at the start."""
