"""Wheels whose bearings are elastic: on bushings, in joints with more than one freedom, on slides, or on nothing.

Speeds in a gear train are those of wheels that stay in mesh. So what moves a little, and is held by springs or by the
teeth themselves, stands still on the average, and the axes are those of the meshes:

    a wheel without a turning joint on the axis of its mesh
        in a bushing, or a joint such as a ball joint     turns in the body on the other side
        in a bushing that holds it against turning        is fixed to that body
        in nothing (a floating sun)                       turns in the link that carries its partner
    wheels whose carriers are joined by a slide, a bushing or such a joint
        that lies on the axis of one of the wheels        turn against each other about that axis (a planet carrier)
        elsewhere                                         stand still against each other

Carriers that turn against each other by a turning pair remain what they are: a mistake, as a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from wheelwork.lazy import networkx as nx

from .axes import Axis, cross, minus, norm, same_line
from .links import Links
from .shaft_couplings import couple_shafts
from .train import GearEdge, GearTrain, Pair, Support

ON_AXIS = 1e-3
"""A support this close to an axis (part of the train's size) was meant to be on it."""


def settled(train: GearTrain) -> GearTrain:
    """The train with bearings for wheels that lack one, as far as they are known; `assumptions` says what was done."""
    if not train.shaft_couplings and not any(gear.axes for gear in train.gears.values()):
        return train
    out = train.copy()
    _bear_wheels(out)
    couple_shafts(out)
    while _float_wheel(out):
        pass
    for gear in out.gears.values():
        _join_carriers(out, gear)
    return out


def _sides(gear: GearEdge) -> Iterator[tuple[int, str, Axis]]:
    if gear.axes is not None:
        yield from zip((0, 1), gear.links, gear.axes, strict=True)


def _bearing_links(train: GearTrain, links: Links, gear: GearEdge, side: int) -> set[str]:
    """Links that a wheel shares the axis of its mesh with, itself left out."""
    assert gear.axes is not None
    wheel = links.of[gear.links[side]]
    found: set[str] = set()
    for pairs in links.coaxial:
        members = links.members(pairs)
        if wheel in members and any(_is_on(links, pair, gear, side) for pair in pairs):
            found |= {link for link in members if link != wheel}
    return found


def _is_on(links: Links, pair: Pair, gear: GearEdge, side: int) -> bool:
    assert gear.axes is not None
    sliding = gear.slides(side)
    if (pair.kind == "sliding") != sliding:
        return False
    return pair.name == gear.joints[side] or same_line(
        pair.axis, gear.axes[side], float("inf") if sliding else links.size
    )


def _bear_wheels(train: GearTrain) -> None:
    """Bushings and joints with several freedoms as bearings, where a wheel has no other."""
    links = Links(train)
    for gear in list(train.gears.values()):
        for side, body, axis in _sides(gear):
            wheel, partner = links.of[body], links.of[gear.links[1 - side]]
            if _bearing_links(train, links, gear, side):
                continue
            found: dict[str, list[Support]] = {}
            for support in train.supports.values():
                ends = [links.of[b] for b in support.bodies]
                if wheel in ends and ends[0] != ends[1] and partner not in ends:
                    found.setdefault(ends[1 - ends.index(wheel)], []).append(support)
            for other, supports in found.items():
                names = [support.name for support in supports]
                if any(support.holds for support in supports):
                    train.hold(names, other, wheel)
                else:
                    train.bear(names, other, wheel, axis, gear, side)
            links = Links(train)


def _float_wheel(train: GearTrain) -> bool:
    """One wheel without any bearing that turns in what carries its partner; whether there was one."""
    links = Links(train)
    for gear in train.gears.values():
        for side, body, axis in _sides(gear):
            if _bearing_links(train, links, gear, side):
                continue
            wheel, partner = links.of[body], links.of[gear.links[1 - side]]
            if any(wheel in links.ends(pair) for pair in train.pairs.values()) or wheel == links.of["ground"]:
                continue  # it has joints, only not there: that is for the user to see
            around = _bearing_links(train, links, gear, 1 - side)
            if gear.carrier is not None:
                around = {links.of[gear.carrier]}
            carriers = [c for c in sorted(around) if c != wheel]
            if carriers and partner != wheel:
                train.bear([], _nearest(carriers, partner, train, links), body, axis, gear, side)
                return True
    return False


def _nearest(carriers: list[str], partner: str, train: GearTrain, links: Links) -> str:
    """Of several coaxial links the one in which a joint carries the partner."""
    direct = [c for c in carriers if any({*links.ends(p)} == {c, partner} for p in train.pairs.values())]
    return (direct or carriers)[0]


def _join_carriers(train: GearTrain, gear: GearEdge) -> None:
    """A common carrier for wheels whose carriers move against each other only elastically."""
    if gear.axes is None or gear.carrier is not None:
        return
    links = Links(train)
    a, b = (links.of[body] for body in gear.links)
    one, two = (_bearing_links(train, links, gear, side) - {a, b} for side in (0, 1))
    # a wheel that is held may be what its partner's carrier turns in
    if not one or not two or one & two:
        return
    elastic = nx.Graph()
    ties = {pair.name: pair for pair in train.pairs.values() if pair.kind == "sliding"} | train.supports
    for name, tie in ties.items():
        ends = tuple(links.of[body] for body in (tie.links if isinstance(tie, Pair) else tie.bodies))
        if ends[0] != ends[1] and not {a, b} & {*ends} and not elastic.has_edge(*ends):
            elastic.add_edge(*ends, name=name)
    ways = [
        nx.shortest_path(elastic, x, y)
        for x in sorted(one & {*elastic})
        for y in sorted(two & {*elastic})
        if nx.has_path(elastic, x, y)
    ]
    for start, end in pairwise(min(ways, key=len, default=[])):
        name = elastic.edges[start, end]["name"]
        tie = ties[name]
        about = _axis_through(tie, gear, links.size) if isinstance(tie, Support) and not tie.holds else None
        if about is None:
            train.hold([name], start, end)
        else:
            train.bear([name], start, end, gear.axes[about], gear, about)


def _axis_through(support: Support, gear: GearEdge, size: float) -> int | None:
    """Which of a pair's axes goes through the place of a support."""
    assert gear.axes is not None
    for side, axis in enumerate(gear.axes):
        sliding = gear.slides(side)
        if not sliding and norm(cross(axis.direction, minus(support.point, axis.point))) < ON_AXIS * size:
            return side
    return None
