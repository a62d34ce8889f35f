"""Shafts that an element couples one to one, whatever it is between them: joints of shafts, springs, play.

A coupling is a gear pair of the ratio 1 in the link in which both its shafts turn, about axes that may be in line,
beside each other or at an angle:

    constant_velocity                       (w_b - w_a) . (u_a + u_b) = 0, and so equal speeds in the carrier, exactly
    universal                               equal in the mean over a turn; between two of them a shaft runs from centre
                                            to centre
    springs, bushings that hold against     equal in steady motion
    turning, play, limiters that hold

Where its shafts turn in links that move against each other, as in the swinging arms of a car, the first equation holds
at the given position (:mod:`wheelwork.trains.loops`). A shaft without a bearing, as between two such joints, turns in
what the shaft before it turns in. What couples a shaft to the link that it turns in, or to ground, is no coupling: a
spring there holds the shaft in the mean and is left out of the speeds, as a torque would be.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from wheelwork.problems import listed

from .axes import SAME_DIRECTION, Axis, Vector, cross, dot, minus, norm, parallel, same_line
from .links import Links
from .train import GROUND, GearEdge, GearTrain, Pair, ShaftCoupling

ON_AXIS = 1e-6
"""A point this close to a line (part of the train's size) is on it."""


def couple_shafts(train: GearTrain) -> None:
    """Gear pairs of the ratio 1 for all couplings between shafts; `assumptions` and `left_out` say what was done."""
    open_ = dict(train.shaft_couplings)
    why: dict[str, str] = {}
    bearings = -1
    while bearings < len(train.pairs):  # those that a shaft was given may tell of the next one
        bearings, links = len(train.pairs), _LinksOfShafts(train)
        for coupling in list(open_.values()):
            found = _couple(train, links, coupling)
            if found is not None:
                why[coupling.name] = found
                continue
            del open_[coupling.name]
            if bearings < len(train.pairs):
                break
    for name, coupling in open_.items():
        if coupling.elastic and not why[name]:
            continue  # a spring to ground, the bearing of a housing: nothing of a train
        text = f"{coupling.type}: {why[name]}" if why[name] else coupling.type
        train.left_out[name] = text
    done = [c for name, c in train.shaft_couplings.items() if name not in open_]
    mean = [c.name for c in done if c.on_average]
    if mean:
        train.notes.append(f"Speeds behind {listed(mean)} (universal) are means over a turn.")
    steady = [c.name for c in done if c.elastic]
    if steady:
        train.notes.append(f"Shafts on both sides of {listed(steady)} turn at one speed in steady motion.")


class _LinksOfShafts(Links):
    """Links with what each has: turning and sliding pairs, axes with all links on them, points at couplings."""

    def __init__(self, train: GearTrain) -> None:
        super().__init__(train)
        self.turning: dict[str, list[Pair]] = defaultdict(list)
        self.sliding: dict[str, list[Pair]] = defaultdict(list)
        self.axes: dict[str, list[tuple[list[Pair], list[str]]]] = defaultdict(list)
        self.points: dict[str, list[Vector]] = defaultdict(list)
        for pairs in self.coaxial:
            members = self.members(pairs)
            for pair in pairs:
                for link in self.ends(pair):
                    (self.turning if pair.kind == "turning" else self.sliding)[link].append(pair)
            for link in members:
                if pairs[0].kind == "turning":
                    self.axes[link].append((pairs, members))
        for coupling in train.shaft_couplings.values():
            for body, point in zip(coupling.bodies, coupling.points, strict=True):
                self.points[self.of[body]].append(point)


def _couple(train: GearTrain, links: _LinksOfShafts, coupling: ShaftCoupling) -> str | None:
    """Add the gear pair of a coupling: None where it was done, else what was missing."""
    a, b = (links.of[body] for body in coupling.bodies)
    if a == b or (coupling.elastic and links.of[GROUND] in (a, b)):
        return ""
    sides = [_ShaftSide(links, coupling, side) for side in (0, 1)]
    for side in sides:
        if side.axis is None:
            held = links.of[side.body] == links.of[GROUND]
            return "" if held else f"nothing tells about which axis `{side.body}` turns"
    one, two = sides[0].axis, sides[1].axis
    assert one is not None
    assert two is not None
    if abs(dot(one.direction, two.direction)) < SAME_DIRECTION:
        return "its shafts are at a right angle"
    theirs = set(sides[1].around)
    both = [link for link in sides[0].around if link in theirs]
    turning = [side for side in sides if side.around]
    if not both:
        if b in sides[0].beside or a in sides[1].beside:  # one of them turns in the other
            return ""
        if not turning:
            return "" if coupling.elastic else "neither of its bodies turns about its axis in another"
    if not both and len(turning) == 1:
        (known,) = turning
        other = next(side for side in sides if side is not known)
        assert other.axis is not None
        train.bear_shaft(coupling, known.around[0], other.body, other.axis)
        both = known.around[:1]
    gear = GearEdge(
        coupling.name,
        coupling.bodies,
        (Fraction(1), Fraction(1)),
        1,
        (one, two if dot(one.direction, two.direction) > 0 else _turned(two)),
        coupling.type,
        toothed=False,
        source=coupling.source,
        carrier=links.of[GROUND] if links.of[GROUND] in both else both[0] if both else None,
    )
    if both:
        train.add_gear(gear)
    else:
        train.swinging.append(gear)
        first, second = (f"`{side.around[0]}`" for side in sides)
        train.notes.append(
            f"The shafts of `{gear.name}` turn in {first} and {second}, which move against each other: it counts as it "
            "is at the given position."
        )
    return None


class _ShaftSide:
    """A shaft of a coupling.

    body: its name
    axis: about which it turns; None where that is not known
    beside: links that it shares this axis with
    around: those of them that are not in the coupling
    """

    def __init__(self, links: _LinksOfShafts, coupling: ShaftCoupling, side: int) -> None:
        self.body = coupling.bodies[side]
        link = links.of[self.body]
        self.beside: list[str] = []
        self.around: list[str] = []
        self.axis = self._axis(links, coupling, side)
        if self.axis is None:
            return
        for pairs, members in links.axes[link]:
            if any(same_line(pair.axis, self.axis, links.size) for pair in pairs):
                self.beside += [other for other in members if other != link]
        ends = {links.of[body] for body in coupling.bodies}
        self.around = [other for other in self.beside if other not in ends]

    def _axis(self, links: _LinksOfShafts, coupling: ShaftCoupling, side: int) -> Axis | None:
        """The line through the coupling's point, of a bearing of the shaft where it has one."""
        link, point, near = links.of[self.body], coupling.points[side], ON_AXIS * links.size
        given = coupling.directions[side]
        if not coupling.on_average:
            wanted = Axis.through(point, given)
            own = [pair.axis for pair in links.turning[link] if parallel(pair.axis, wanted)]
            nearest = min(own, key=lambda axis: _away(axis, point), default=wanted)
            # springs and bushings join shafts that need not be in line with the place where they were drawn
            if not coupling.elastic and _away(nearest, point) > near:
                return wanted
            return nearest if dot(nearest.direction, given) > 0 else _turned(nearest)
        others = [other for other in links.points[link] if norm(minus(other, point)) > near]
        lines = [pair.axis for pair in links.turning[link]]
        lines += [Axis.through(point, minus(other, point)) for other in others]
        lines += [Axis(point, pair.axis.direction) for pair in links.sliding[link]]
        for line in lines:  # across its arm of the cross
            if _away(line, point) < near and abs(dot(line.direction, given)) < SAME_DIRECTION:
                return line
        return None


def _away(axis: Axis, point: Vector) -> float:
    return norm(cross(axis.direction, minus(point, axis.point)))


def _turned(axis: Axis) -> Axis:
    x, y, z = axis.direction
    return Axis(axis.point, (-x, -y, -z))
