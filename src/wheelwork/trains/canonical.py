"""The canonical graph of a gear train (Chen, fig. 3; Tsai 1988).

Links are vertices, joints with one freedom are thin edges labelled by their axis, gear pairs are heavy edges. Coaxial
joints may be rearranged without changing the motion: where sun and ring both turn in the housing, it is the same to
have the ring turn on the sun. In the canonical graph they are arranged so that no label comes twice in a thin path from
the base: every link on an axis is joined to the link of that axis nearest the base.

So each link has one joint towards the base, and its rate is one unknown: theta(link, parent), about the direction of
the joint that carries the link.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from .axes import Axis, sense
from .elastic_supports import settled
from .links import Links
from .train import GROUND, GearTrain, Pair


@dataclass(frozen=True, eq=False)
class Coaxial:
    """Links on one axis.

    label: `a`, `b`, ... in the order of the joints
    kind: `turning` or `sliding`
    axis: line and direction; that of the first joint
    reference: the link nearest the base
    members: the other links
    senses: +1 or -1 for each link: direction of the joint that carries it against that of `axis`
    joints: names
    """

    label: str
    kind: str
    axis: Axis
    reference: str
    members: tuple[str, ...]
    senses: dict[str, int]
    joints: tuple[str, ...]

    def __contains__(self, link: str) -> bool:
        return link == self.reference or link in self.members


@dataclass(frozen=True)
class Rate:
    """One unknown: rate of a link against its parent, about the direction of the joint that carries it.

    closing: the link has been reached on another way too, so that this joint closes a loop
    """

    link: str
    parent: str
    axis: Coaxial
    closing: bool = False

    @property
    def direction(self) -> tuple[float, float, float]:
        s = self.axis.senses[self.link]
        x, y, z = self.axis.axis.direction
        return (s * x, s * y, s * z)

    @property
    def name(self) -> str:
        return f"theta({self.link},{self.parent})"


class Canonical:
    """Links and thin edges in canonical form.

    train: what it was made from, with bearings for wheels that only meshes or elastic elements hold
    links: which bodies are one link
    bases: links that speeds are measured against: ground, and one for each part that has no joint to ground
    axes: sets of coaxial links, by label
    rates: the unknowns, by column; first the joints of the tree, parents before children
    """

    def __init__(self, train: GearTrain) -> None:
        self.train = train = settled(train)
        self.links = Links(train)
        found = self.links.coaxial
        at: dict[str, list[int]] = {}
        for k, pairs in enumerate(found):
            for link in self.links.members(pairs):
                at.setdefault(link, []).append(k)
        self.bases: list[str] = []
        self.axes: dict[str, Coaxial] = {}
        self.level: dict[str, int] = {}
        tree: list[Rate] = []
        closing: list[Rate] = []
        for base in self._in_order_of_bases(at):
            if base in self.level:
                continue
            self.bases.append(base)
            self.level[base] = 0
            waiting = deque([base])
            while waiting:
                link = waiting.popleft()
                for k in at.get(link, ()):
                    label = _letters(k)
                    if label in self.axes:
                        continue
                    axis = self.axes[label] = self._axis(label, found[k], link)
                    for member in axis.members:
                        new = member not in self.level
                        (tree if new else closing).append(Rate(member, link, axis, closing=not new))
                        if new:
                            self.level[member] = self.level[link] + 1
                            waiting.append(member)
        self.rates = (*tree, *closing)
        self.axes = dict(sorted(self.axes.items(), key=lambda item: (len(item[0]), item[0])))
        self._towards_base = {rate.link: k for k, rate in enumerate(tree)}
        self._column = {(rate.link, rate.axis.label): k for k, rate in enumerate(self.rates)}

    def _in_order_of_bases(self, at: dict[str, list[int]]) -> Iterator[str]:
        yield self.links.of[GROUND]
        # In a part of its own the link with most axes is the housing.
        yield from sorted(at, key=lambda link: -len(at[link]))

    def _axis(self, label: str, pairs: list[Pair], reference: str) -> Coaxial:
        members = self.links.members(pairs)
        first = pairs[0].axis
        senses: dict[str, int] = {}
        for pair in pairs:
            for link in self.links.ends(pair):
                senses.setdefault(link, sense(first, pair.axis))
        senses[reference] = 1
        others = tuple(m for m in members if m != reference)
        names = tuple(p.name for p in pairs)
        return Coaxial(label, pairs[0].kind, first, reference, others, senses, names)

    def column(self, link: str, axis: Coaxial) -> int | None:
        """Unknown that is the rate of a link about an axis against that axis' reference; None for the reference."""
        return None if link == axis.reference else self._column[link, axis.label]

    def joint_of(self, link: str) -> Rate | None:
        """The unknown of a link's joint towards the base; None for a base."""
        k = self._towards_base.get(link)
        return None if k is None else self.rates[k]

    def path(self, link: str) -> list[int]:
        """Unknowns from the base to a link."""
        out: list[int] = []
        rate = self.joint_of(link)
        while rate is not None:
            out.append(self._towards_base[rate.link])
            rate = self.joint_of(rate.parent)
        return out[::-1]

    def axes_of(self, link: str) -> list[Coaxial]:
        """Axes that a link turns or slides on, or carries."""
        return [axis for axis in self.axes.values() if link in axis]


def _letters(k: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    text = ""
    k += 1
    while k:
        k, letter = divmod(k - 1, 26)
        text = ascii_lowercase[letter] + text
    return text


def column_of(graph: Canonical, joint: str) -> dict[int, int]:
    """Rate of a joint, of b against a about its own axis, in the unknowns."""
    pair = graph.train.pairs[joint]
    axis = next((axis for axis in graph.axes.values() if joint in axis.joints), None)
    row: dict[int, int] = {}
    if axis is not None:
        turned = sense(axis.axis, pair.axis)
        for link, factor in zip(graph.links.ends(pair), (-1, 1), strict=True):
            column = graph.column(link, axis)
            if column is not None:
                row[column] = factor * turned * axis.senses[link]
    return row


# -- velocities of the links at the given position as linear functions of the rates
#
# A twist is (omega, v): angular velocity, and velocity of the point of the link that is at the origin of the world.


def twist_along(graph: Canonical, column: int) -> np.ndarray:
    """Twist of a link against its parent for a unit rate (6)."""
    rate = graph.rates[column]
    u = np.array(rate.direction)
    if rate.axis.kind == "sliding":
        return np.concatenate([np.zeros(3), u])
    return np.concatenate([u, -np.cross(u, np.array(rate.axis.axis.point))])


def twist_of(graph: Canonical, link: str) -> np.ndarray:
    """Twist of a link in the rates, against its base (6 x rates)."""
    out = np.zeros((6, len(graph.rates)))
    for column in graph.path(link):
        out[:, column] = twist_along(graph, column)
    return out


def velocity_at(twist: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Velocity of a link's point from its twist: v + omega x p; columns as in the twist."""
    omega, v = twist[:3], twist[3:]
    return (
        v - np.cross(np.asarray(point), omega, axisb=0, axisc=0)
        if omega.ndim > 1
        else v + np.cross(omega, point)
    )
