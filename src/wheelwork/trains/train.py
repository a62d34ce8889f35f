"""What a gear train is made of, apart from any file: links, joints with their axes, and gear pairs.

`wheelwork.layout.gear_train` makes one from a description. One can also be written down by hand:

>>> train = GearTrain("planetary")
>>> train.turning("ground", "sun")
>>> train.turning("ground", "arm")
>>> train.turning("arm", "planet", point=(3, 0, 0))
>>> train.turning("ground", "ring")
>>> train.external("sun", "planet", teeth=(40, 20))
>>> train.internal("planet", "ring", teeth=(20, 80))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from wheelwork.problems import ModelError, did_you_mean, listed

from .axes import Axis, Vector, cross, dot, minus, parallel

GROUND = "ground"
Number = int | float | str | Fraction
Sizes = tuple[Number, Number]
Curve = tuple[tuple[float, ...], tuple[float, ...]]
MOST_BELOW = 100_000
"""Largest denominator of a ratio that was calculated from whole numbers."""
Z: Vector = (0.0, 0.0, 1.0)
ORIGIN: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Pair:
    """A joint with one freedom: a thin edge of the graph.

    name: of the joint
    links: body a and body b
    axis: line about which b turns against a, or direction along which it slides
    kind: `turning` or `sliding`
    source: element of the description it came from, for messages
    """

    name: str
    links: tuple[str, str]
    axis: Axis
    kind: Literal["turning", "sliding"] = "turning"
    source: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class GearEdge:
    """Two wheels in mesh: a heavy edge of the graph.

    With the rates d_a, d_b of the wheels against their carrier, about (or along) the directions of `axes`:

        sizes[1] d_b = sense sizes[0] d_a

    name: of the mesh
    links: wheel a and wheel b
    sizes: tooth numbers, or pitch radii [m]; (radius [m], 1) for a pinion and its rack
    sense: +1 where the wheels turn the same way about their directions (internal mesh, open belt), else -1
    axes: of the wheels. None for both: those of the joints that carry them, which must be parallel; `sense` is then
        that about a common direction
    type: `external`, `internal`, `bevel`, `worm`, `crossed`, `rack`, `belt`; `ratio`, `planetary`, `differential`
    radii [m]: pitch radii, where known
    efficiency: power out over power in, seen from the carrier, when a drives and when b drives
    toothed: whether `sizes` are tooth numbers
    joints: that carry the wheels, where the axes come from them
    carrier: body in which both turn, of a ratio: its shafts may be on one axis; found from the axes where None
    efficiency_over: (torques on b [N m], efficiencies) in place of `efficiency`, where it depends on the load
    b_slides: whether b is a rack, which moves along its axis
    no_load_torque [N m]: on a against its motion in the carrier, whatever the load
    source: element of the description it came from, for messages
    """

    name: str
    links: tuple[str, str]
    sizes: tuple[Fraction, Fraction]
    sense: int
    axes: tuple[Axis, Axis] | None = None
    type: str = "external"
    radii: tuple[float, float] | None = None
    efficiency: tuple[float, float] = (1.0, 1.0)
    toothed: bool = True
    source: Any = field(default=None, repr=False, compare=False)
    joints: tuple[str | None, str | None] = (None, None)
    carrier: str | None = None
    efficiency_over: tuple[Curve | None, Curve | None] = (None, None)
    no_load_torque: float = 0.0
    b_slides: bool = False

    def efficiency_at(self, torque: float) -> tuple[float, float]:
        """When a drives and when b drives, for the size of the torque on b."""
        first, second = (
            fixed if curve is None else float(np.interp(torque, *curve))
            for fixed, curve in zip(self.efficiency, self.efficiency_over, strict=True)
        )
        return first, second

    def slides(self, side: int) -> bool:
        """Whether a wheel is a rack, which moves along its axis."""
        return side == 1 and self.b_slides

    @property
    def sizes_text(self) -> str:
        """`20:40`, the radius of a pinion on a rack, or the ratio where it is not made of teeth."""
        if self.carrier is not None:
            return f"i = {float(1 / self.ratio):.6g} in {self.carrier}"
        if self.toothed:
            return f"{self.sizes[0]}:{self.sizes[1]}"
        if self.b_slides:
            return f"r = {float(self.sizes[0]) * 1e3:g} mm"
        return f"1:{float(self.sizes[1] / self.sizes[0]):.6g}"

    @property
    def ratio(self) -> Fraction:
        """N = d_b/d_a about the directions that `sense` is about."""
        return self.sense * self.sizes[0] / self.sizes[1]


@dataclass(frozen=True)
class Coupling:
    """A linear relation of joint rates: the sum of factor times rate is zero.

    factors: by the name of the joint
    source: element of the description it came from, for messages
    """

    name: str
    factors: dict[str, Fraction]
    source: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class ShaftCoupling:
    """What turns two shafts at one speed (:mod:`wheelwork.trains.shaft_couplings`).

    name, bodies, type: of the element
    points [m]: where it holds each shaft, in the world at the given position
    directions: of the shafts, from a on to b; of a universal joint those of the arms of its cross, at right angles
    on_average: whether the speeds are equal in the mean over a turn only, as behind a universal joint
    elastic: whether they are so in steady motion, as behind a spring, and its shafts may be beside each other
    source: element of the description it came from, for messages
    """

    name: str
    bodies: tuple[str, str]
    type: str
    points: tuple[Vector, Vector]
    directions: tuple[Vector, Vector]
    on_average: bool = False
    elastic: bool = False
    source: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class Support:
    """What holds a body in place and is not a pair of one freedom: a bushing, or a joint such as a ball joint.

    name, bodies: of the element
    point [m]: where it is, in the world at the given position
    holds: whether it holds against turning, as a bushing with rotational stiffness about its axis does
    """

    name: str
    bodies: tuple[str, str]
    point: Vector
    holds: bool = False


@dataclass(frozen=True)
class Mass:
    """Mass properties of a body at the given position.

    mass [kg]; center [m]: centre of mass in the world; inertia [kg m^2]: about the centre, in the axes of the world
    """

    mass: float
    center: Vector
    inertia: tuple[Vector, Vector, Vector]


def exact(number: Number) -> Fraction:
    """A number as it was written: 0.1 is 1/10, not the nearest binary number."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def rational(number: float) -> Fraction:
    """A number that was calculated: the fraction it is of whole numbers, if there is one to the last digits."""
    near = Fraction(number).limit_denominator(MOST_BELOW)
    return near if abs(near - Fraction(number)) <= 1e-15 * abs(number) else exact(number)


class GearTrain:
    """Links, joints and gear pairs of a train.

    name: of the mechanism
    bodies: names in the order in which they turned up; `ground` first
    rigid: pairs of bodies that are fixed to each other
    pairs, gears: thin and heavy edges by name
    masses: of bodies, where known
    left_out: joints that are neither turning nor sliding pairs, and what slips, with their type
    closable: clutches, brakes, springs: bodies that turn as one where they are closed
    shaft_couplings: what turns two shafts at one speed, by name
    swinging: those of them whose shafts turn in links that move against each other, as gear pairs of the ratio 1
    couplings: linear relations of the joints' rates by name
    notes: what was taken for granted of ratios, in words
    supports: bushings, and those of the joints left out that can be bearings, by name
    assumptions: about elastic bearings (:mod:`wheelwork.trains.elastic_supports`), in words
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.bodies: list[str] = [GROUND]
        self.rigid: list[tuple[str, str]] = []
        self.pairs: dict[str, Pair] = {}
        self.gears: dict[str, GearEdge] = {}
        self.masses: dict[str, Mass] = {}
        self.left_out: dict[str, str] = {}
        self.closable: dict[str, tuple[str, ...]] = {}
        self.shaft_couplings: dict[str, ShaftCoupling] = {}
        self.swinging: list[GearEdge] = []
        self.couplings: dict[str, Coupling] = {}
        self.notes: list[str] = []
        self.supports: dict[str, Support] = {}
        self.assumptions: list[str] = []

    def copy(self) -> GearTrain:
        """One that can be changed without changing this."""
        out = GearTrain(self.name)
        for name, value in vars(self).items():
            setattr(out, name, value if isinstance(value, str) else value.copy())
        return out

    def _meet(self, *bodies: str) -> None:
        for body in bodies:
            if body not in self.bodies:
                self.bodies.append(body)

    def fixed(self, a: str, b: str) -> None:
        """Two bodies that are one link."""
        self._meet(a, b)
        self.rigid.append((a, b))

    def turning(
        self, a: str, b: str, point: Sequence[float] = ORIGIN, axis: Sequence[float] = Z, name: str = ""
    ) -> None:
        """Body b turns in body a about an axis through `point` [m] along `axis`."""
        self.add_pair(Pair(name or f"{a}-{b}", (a, b), Axis.through(point, axis)))

    def sliding(
        self, a: str, b: str, point: Sequence[float] = ORIGIN, axis: Sequence[float] = Z, name: str = ""
    ) -> None:
        """Body b slides in body a along `axis`."""
        self.add_pair(Pair(name or f"{a}-{b}", (a, b), Axis.through(point, axis), "sliding"))

    def add_pair(self, pair: Pair) -> None:
        self._meet(*pair.links)
        self._take(pair.name)
        self.pairs[pair.name] = pair

    def add_gear(self, gear: GearEdge) -> None:
        self._meet(*gear.links)
        self._take(gear.name)
        self.gears[gear.name] = gear

    def close(self, name: str) -> None:
        """Take a clutch, brake or spring as closed: its two bodies are one link."""
        if name not in self.closable:
            hint = did_you_mean(name, self.closable)
            raise ModelError(f"there is no clutch, brake or spring `{name}`", hint=hint)
        a, b = self.closable[name]
        self.fixed(a, b)
        self.left_out.pop(name, None)
        self.shaft_couplings.pop(name, None)

    def add_coupling(self, coupling: Coupling) -> None:
        self._take(coupling.name)
        self.couplings[coupling.name] = coupling

    def line_of(self, body: str, direction: Vector, point: Vector) -> Axis:
        """The line along a direction about which a body turns: that of a joint of it, else through `point` [m]."""
        given = Axis.through(point, direction)
        for pair in self.pairs.values():
            if body in pair.links and pair.kind == "turning" and parallel(pair.axis, given):
                return Axis(pair.axis.point, given.direction)
        return given

    def hold(self, names: Sequence[str], a: str, b: str) -> None:
        """Two bodies between which elements are elastic are taken as one link."""
        self.fixed(a, b)
        self._settle(names)
        self.assumptions.append(f"`{b}` is taken as held in `{a}`, with {listed(names)} taken as rigid.")

    def bear(self, names: Sequence[str], a: str, b: str, axis: Axis, gear: GearEdge, side: int) -> None:
        """Body b is taken to turn in body a about an axis of a gear pair, or to slide along the line of a rack."""
        slides = gear.slides(side)
        name = names[0] if names and names[0] not in self.pairs else f"{gear.name}.{'ab'[side]}"
        self.add_pair(Pair(name, (a, b), axis, "sliding" if slides else "turning", gear.source))
        self._settle(names)
        way = f"slide in `{a}` along the pitch line" if slides else f"turn in `{a}` about the axis"
        why = f"with {listed(names)} taken as rigid" if names else "as it has no bearing of its own"
        self.assumptions.append(f"`{b}` is taken to {way} of mesh `{gear.name}`, {why}.")

    def bear_shaft(self, coupling: ShaftCoupling, a: str, b: str, axis: Axis) -> None:
        """Body b, a shaft without a bearing, is taken to turn in body a about its axis at a coupling."""
        self.add_pair(Pair(f"{coupling.name}.{b}", (a, b), axis, "turning", coupling.source))
        self.assumptions.append(f"`{b}` is taken to turn in `{a}` about its axis at `{coupling.name}`.")

    def _settle(self, names: Sequence[str]) -> None:
        for name in names:
            self.left_out.pop(name, None)

    def _take(self, name: str) -> None:
        if name in self.pairs or name in self.gears or name in self.couplings:
            raise ModelError(f"the name `{name}` is taken", path=name, hint="give it a `name=`")

    def external(self, a: str, b: str, teeth: Sizes, name: str = "", **more: Any) -> None:
        """Two wheels with parallel axes that turn against each other."""
        self.gear("external", a, b, teeth, -1, name, **more)

    def internal(self, pinion: str, ring: str, teeth: Sizes, name: str = "", **more: Any) -> None:
        """A pinion inside a ring: both turn the same way."""
        self.gear("internal", pinion, ring, teeth, 1, name, **more)

    def belt(self, a: str, b: str, sizes: Sizes, crossed: bool = False, name: str = "", **more: Any) -> None:
        """Two pulleys with parallel axes; the sizes are radii or tooth numbers."""
        self.gear("belt", a, b, sizes, -1 if crossed else 1, name, **more)

    def bevel(
        self,
        a: str,
        b: str,
        teeth: Sizes,
        axes: tuple[Axis, Axis],
        contact: Sequence[float],
        name: str = "",
        **more: Any,
    ) -> None:
        """Two wheels whose axes meet; `contact` [m] is a point where their pitch cones touch."""
        sense = rolling_sense(axes[0], axes[1], Axis.through(contact, Z).point)
        self.gear("bevel", a, b, teeth, sense, name, axes=axes, **more)

    def rack(
        self, pinion: str, rack: str, radius: Number, axes: tuple[Axis, Axis], name: str = "", **more: Any
    ) -> None:
        """A pinion of a pitch radius [m] on a rack whose pitch line is the second axis."""
        rim = cross(axes[0].direction, minus(axes[1].point, axes[0].point))
        sense = 1 if dot(rim, axes[1].direction) > 0 else -1
        more |= {"axes": axes, "toothed": False, "b_slides": True}
        self.gear("rack", pinion, rack, (radius, 1), sense, name, **more)

    def gear(
        self,
        type: str,
        a: str,
        b: str,
        sizes: Sizes,
        sense: int,
        name: str = "",
        efficiency: float | tuple[float, float] = 1.0,
        **more: Any,
    ) -> None:
        """Two wheels with the sense given: see `GearEdge`."""
        both = efficiency if isinstance(efficiency, tuple) else (efficiency, efficiency)
        exactly = (exact(sizes[0]), exact(sizes[1]))
        self.add_gear(
            GearEdge(name or f"{a}/{b}", (a, b), exactly, sense, type=type, efficiency=both, **more)
        )


def rolling_sense(a: Axis, b: Axis, contact: Vector) -> int:
    """Sense in which two wheels roll on each other without slip at a point of contact, about their directions.

    The rims move at omega_a (u_a x (p - p_a)) and omega_b (u_b x (p - p_b)); they are equal in rolling.
    """
    rim_a = cross(a.direction, minus(contact, a.point))
    rim_b = cross(b.direction, minus(contact, b.point))
    return 1 if dot(rim_a, rim_b) > 0 else -1
