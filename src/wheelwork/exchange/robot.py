"""A robot as trees of links, whatever file it comes from, and the mechanism that it makes.

Links that are fixed to each other are one body; each of them is a frame of that body by its own name. Those fixed to
the root are ground. The body frame is the frame of the link that moves first, that of its joint in URDF. The mechanism
stands with all joint coordinates at zero, but for those that follow others with an offset (:mod:`.standing`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from wheelwork.description.body import Body
from wheelwork.description.body_geometry import Geometry
from wheelwork.description.frame import Frame
from wheelwork.description.names import GROUND, name_fault
from wheelwork.elements.forces.actuator import Actuator
from wheelwork.elements.forces.stop import Stop
from wheelwork.mechanism import Mechanism
from wheelwork.problems import ModelError, Problem

from .markup import Node
from .notes import Note, hand_over
from .places import LinkPlace, place_fields
from .standing import followed_coordinates, move

UNLIMITED = 1e9
"""A range from minus this to this is none: formats that ask for a range get it."""


@dataclass(frozen=True)
class LinkInertia:
    """Mass, centre of mass, and tensor about it, in the axes of a link."""

    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tensor: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    def seen_from(self, place: LinkPlace) -> LinkInertia:
        """In the axes of the frame in which the link stands so."""
        return LinkInertia(
            self.mass, place.position + place.axes @ self.center, place.axes @ self.tensor @ place.axes.T
        )

    def __add__(self, other: LinkInertia) -> LinkInertia:
        """Of both together: Steiner's theorem about the common centre."""
        mass = self.mass + other.mass
        if mass == 0:
            return LinkInertia(0.0, self.center, self.tensor + other.tensor)
        center = (self.mass * self.center + other.mass * other.center) / mass
        tensor = np.zeros((3, 3))
        for part in (self, other):
            d = part.center - center
            tensor = tensor + part.tensor + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
        return LinkInertia(mass, center, tensor)


@dataclass
class RobotLink:
    """A link, what it hangs on, and where it stands there."""

    name: str
    node: Node
    inertia: LinkInertia
    parent: str | None = None
    place: LinkPlace = field(default_factory=LinkPlace)
    """In its parent."""
    moves: bool = False
    """Whether a joint, or nothing at all, ties it to its parent."""
    weightless: bool = False
    looks: list[Geometry] = field(default_factory=list)
    """In its own frame."""


@dataclass
class Robot:
    """What was read, before it is a mechanism."""

    name: str
    links: dict[str, RobotLink]
    problems: list[Problem]
    notes: list[Note]
    add_joints: Callable[[RobotBodies], None]
    gravity: tuple[float, ...] | None = None
    stops: bool = True
    """Whether ranges of joints become stops."""

    def mechanism(self) -> Mechanism:
        """The mechanism; problems of links are a `ModelError`."""
        bodies = RobotBodies(self)
        if not self.problems:
            self.add_joints(bodies)
        if not self.problems:
            bodies.stand()
        if self.problems:
            raise ModelError(self.problems)
        return bodies.mechanism

    def finished(self, stops: bool, found: list[Note], notes: list[Note] | None) -> Mechanism:
        """The mechanism; what was `found` to be left out goes into `notes`, or is one warning."""
        self.stops = stops
        mechanism = self.mechanism()
        hand_over(found, notes)
        return mechanism


class RobotBodies:
    """The bodies that links make, in a mechanism that grows."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.notes = robot.notes
        self.problems = robot.problems
        self.mechanism = Mechanism(robot.name)
        if robot.gravity is not None:
            self.mechanism.gravity = (robot.gravity[0], robot.gravity[1], robot.gravity[2])
        self.world: dict[str, LinkPlace] = {}
        self.head: dict[str, str] = {}
        """The link that stands for the body of each link; empty for what does not move."""
        self._in_body: dict[str, LinkPlace] = {}
        self._ranges: list[tuple[str, str, tuple[float, float], Node, str]] = []
        self._taken: dict[str, str] = {}
        for link in _outward(robot.links, self.problems):
            outer = LinkPlace() if link.parent is None else self.world[link.parent]
            self.world[link.name] = outer @ link.place
            if link.moves:
                self.head[link.name], self._in_body[link.name] = link.name, LinkPlace()
            elif link.parent is None:
                self.head[link.name], self._in_body[link.name] = "", link.place
            else:
                self.head[link.name] = self.head[link.parent]
                self._in_body[link.name] = self._in_body[link.parent] @ link.place
        for name in self.head:
            if self.head[name] == name:
                self._add_body(name)
        for name, head in self.head.items():
            if head != name and (name != GROUND or head or robot.links[name].looks):
                self._add_frame(name)

    def body(self, link: str) -> str:
        """The body, by its name in the mechanism, that a link belongs to."""
        head = self.head[link]
        return self._taken[f"link {head}"] if head else GROUND

    def in_body(self, link: str) -> LinkPlace:
        """Where a link stands in its body."""
        return self._in_body[link]

    def named(self, kind: str, name: str, node: Node) -> str:
        """A name that the mechanism can have for something; told where it is another one."""
        plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:80]
        if not plain[:1].isalpha():
            plain = f"{kind}_{plain}"
        if name_fault(plain):
            plain = f"{kind}_{plain}"
        used = {*self._taken.values(), *self.mechanism.parameters}
        fresh, count = plain, 1
        while fresh in used:
            count += 1
            fresh = f"{plain}_{kind}" if count == 2 else f"{plain}_{kind}{count}"
        if fresh != name:
            why = "is taken" if plain == name else "cannot be a name here"
            self.notes.append(Note(node.where, f"the name `{name}` of a {kind} {why}: it is `{fresh}`"))
        self._taken[f"{kind} {name}"] = fresh
        return fresh

    def add_motor(self, name: str, node: Node, joint: tuple[str, str], effort: Callable[[str], str]) -> None:
        """A force on a coordinate of a joint, written with the parameter `<name>_command`."""
        command = self.named("parameter", f"{name}_command", node)
        self.mechanism.parameters[command] = 0.0
        made = Actuator(joint=joint[0], coordinate=joint[1], value=effort(command))  # type: ignore[arg-type]
        self.mechanism.add(self.named("force", name, node), made)

    def add_stop(
        self, joint: str, coordinate: str, bounds: tuple[float, float], node: Node, name: str
    ) -> None:
        """A range of a joint as a stop, where the mechanism will stand inside it."""
        low, high = bounds
        if low <= -UNLIMITED and high >= UNLIMITED:
            return
        if not low < high:
            node.problem(
                f"the range of joint `{joint}` needs its lower end below its upper, but is {low:g} to {high:g}"
            )
        else:
            self._ranges.append((joint, coordinate, bounds, node, name))

    def stand(self) -> None:
        """Bodies are moved to where couplings have the joints that follow; ranges become stops there."""
        start = followed_coordinates(self.mechanism)
        for (joint, coordinate), value in start.items():
            if coordinate == "angle" and abs(value) > math.pi:
                text = f"its coupling has it at {value:.6g} rad, and a joint stands within half a turn of its zero"
                whole = 2 * math.pi * round(value / (2 * math.pi))
                hint = f"take {whole:.9g} rad, whole turns, from its offset, and from its range"
                self.problems.append(Problem(text, path=f"joint `{joint}`", hint=hint))
        if start and not self.problems:
            heads = [name for name, head in self.head.items() if head == name]
            hung = {name: self.robot.links[name].parent for name in heads}
            parents = {self.body(x): GROUND if on is None else self.body(on) for x, on in hung.items()}
            move(self.mechanism, parents, start)
        for joint, coordinate, (low, high), node, name in self._ranges:
            value = start.get((joint, coordinate), 0.0)
            if low <= value <= high and self.robot.stops:
                stop = Stop(joint=joint, coordinate=coordinate, lower=low, upper=high)  # type: ignore[arg-type]
                self.mechanism.add(self.named("force", name, node), stop)
                continue
            unit = "rad" if coordinate == "angle" else "m"
            why = (
                f"the robot stands at {f'{value:.6g}' if value else 'zero'}"
                if self.robot.stops
                else "stops were not asked for"
            )
            text = f"the range of joint `{joint}` ({low:g} to {high:g} {unit}) is not held: {why}"
            self.notes.append(Note(node.where, text))

    def _add_body(self, head: str) -> None:
        link = self.robot.links[head]
        whole = LinkInertia()
        for name, other in self.head.items():
            if other == head:
                whole = whole + self.robot.links[name].inertia.seen_from(self._in_body[name])
        name = self.named("link", head, link.node)
        if whole.mass <= 0:
            self.problems.append(
                Problem(
                    "moves, but neither it nor what is fixed to it has a mass",
                    link.node.where,
                    link.node.path,
                    "give it an inertia, or fix it to another link",
                )
            )
            return
        world = self.world[head]
        try:
            body = Body(
                mass=whole.mass,
                inertia=_moments(whole.tensor),
                center_of_mass=tuple(map(float, whole.center)),
                **place_fields(world),
                affected_by_gravity=not self._weightless(head),
                geometry=tuple(link.looks),
            )
        except ModelError as error:
            self.problems += [
                Problem(p.message, link.node.where, link.node.path, p.hint) for p in error.problems
            ]
            return
        self.mechanism.add(name, body)

    def _weightless(self, head: str) -> bool:
        parts = [self.robot.links[name] for name, other in self.head.items() if other == head]
        without = {part.weightless for part in parts if part.inertia.mass > 0}
        if len(without) > 1:
            where = self.robot.links[head].node.where
            self.notes.append(
                Note(
                    where,
                    f"gravity acts on some parts of `{head}` and not on others: it is taken to act on all",
                )
            )
        return without == {True}

    def _add_frame(self, name: str) -> None:
        place, link = self._in_body[name], self.robot.links[name]
        frame = Frame(
            body=self.body(name),
            **place_fields(place),
            geometry=tuple(link.looks),
        )
        self.mechanism.add(self.named("link", name, link.node), frame)


def _moments(tensor: np.ndarray) -> tuple:
    if not np.any(tensor - np.diag(np.diag(tensor))):
        return tuple(float(x) for x in np.diag(tensor))
    tensor = (tensor + tensor.T) / 2
    return tuple(tuple(float(x) for x in row) for row in tensor)


def _outward(links: dict[str, RobotLink], problems: list[Problem]) -> list[RobotLink]:
    """Links after their parents; a circle of parents is a problem."""
    children: dict[str | None, list[RobotLink]] = {}
    for link in links.values():
        children.setdefault(link.parent, []).append(link)
    order = list(children.get(None, []))
    for link in order:
        order += children.get(link.name, [])
    reached = {link.name for link in order}
    circle = [link for link in links.values() if link.name not in reached]
    if circle:
        names = [circle[0].name]
        while links[names[-1]].parent not in names:
            names.append(str(links[names[-1]].parent))
        names = names[names.index(str(links[names[-1]].parent)) :]
        text = f"is its own parent, through {' -> '.join([*names[::-1], names[-1]])}"
        hint = "a tree of links has one root; close loops with joints in the description"
        problems.append(Problem(text, links[names[-1]].node.where, links[names[-1]].node.path, hint))
    return order
