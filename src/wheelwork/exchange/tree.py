"""A mechanism as a tree of links, for formats that know nothing else: each link hangs on one joint.

A link's frame is at its joint, with the axes of the body; the position is the assembled one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from wheelwork.analyses import assemble
from wheelwork.description import Description
from wheelwork.description.formula import number_of
from wheelwork.elements.forces.friction import Friction
from wheelwork.elements.forces.stop import Stop
from wheelwork.layout import layout_of
from wheelwork.problems import ModelError, Problem

from .couplings import CoupledBranches, couplings_of
from .looks import written_looks
from .notes import Note
from .places import LinkPlace
from .robot import LinkInertia

F = TypeVar("F", Friction, Stop)


@dataclass
class JointAt:
    """A joint in the world, at the assembled position.

    kind: its type
    bodies: a and b
    point: of its frame on b
    axes: of its frame on a, as columns
    axes_b: of its frame on b
    """

    name: str
    kind: str
    bodies: tuple[str, str]
    point: np.ndarray
    axes: np.ndarray
    axes_b: np.ndarray


@dataclass
class Branch:
    """A link with the joint it hangs on; without one it is free.

    sense: 1 where the link is the joint's body b, else -1: the coordinate counts the other way there
    """

    body: str
    parent: str
    joint: JointAt | None
    sense: int
    world: LinkPlace
    inertia: LinkInertia
    weightless: bool = False
    damping: float = 0.0
    friction: float = 0.0
    range: tuple[float, float] | None = None
    looks: list[tuple[str, str]] = field(default_factory=list)
    """Files of its looks, beside the robot's file, and their colours."""


@dataclass(frozen=True)
class GearedPair:
    """A mesh as a relation of two joint coordinates: that of `driven` is `ratio` times that of `driver`."""

    mesh: str
    driver: Branch
    driven: Branch
    ratio: float


@dataclass
class RobotTree:
    """Links after their parents, joints that close loops, and gear pairs."""

    name: str
    branches: dict[str, Branch] = field(default_factory=dict)
    loops: list[JointAt] = field(default_factory=list)
    gears: list[GearedPair] = field(default_factory=list)
    couplings: list[CoupledBranches] = field(default_factory=list)
    gravity: tuple[float, ...] = (0.0, 0.0, -9.80665)
    notes: list[Note] = field(default_factory=list)
    looks: list[tuple[str, str]] = field(default_factory=list)
    """Those of ground."""

    def in_parent(self, branch: Branch) -> LinkPlace:
        """Where a branch stands in the frame of its parent."""
        own = branch.world
        if branch.parent == "ground":
            return own
        outer = self.branches[branch.parent].world
        return LinkPlace(outer.axes.T @ (own.position - outer.position), outer.axes.T @ own.axes)


def tree_of(
    description: Description, kinds: Iterable[str], path: str | os.PathLike[str] | None = None
) -> RobotTree:
    """The tree of a mechanism; joints of other kinds than these are a `ModelError`.

    path: of the file that it is for; looks are written beside it
    """
    if description.kind != "spatial":
        raise ModelError("is planar, and robots of other programs are in space", path="kind")
    state = assemble(description)
    program, numbers, motion = state.prepared.program, state.prepared.numbers, state.motion
    flat = program.flat
    frames = {body: _frame(motion.frames[0, k]) for k, body in enumerate(program.bodies)}
    frames["ground"] = LinkPlace()
    joints: list[JointAt] = []
    problems: list[Problem] = []
    allowed = set(kinds)
    for name, view in program.joints.items():
        use = program.constraints[view.constraint]
        bodies = tuple("ground" if k < 0 else program.bodies[k] for k in (use.a, use.b))
        a, b = (
            frames[body] @ _frame(numbers.data[start : start + 12])
            for body, start in zip(bodies, (use.data, use.data + 12), strict=True)
        )
        if view.type not in allowed:
            text = f"a joint of type `{view.type}` cannot be written; {', '.join(sorted(allowed))} can"
            problems.append(Problem(text, use.where, f"joints.{name}"))
        joints.append(JointAt(name, view.type, (bodies[0], bodies[1]), b.position, a.axes, b.axes))
    if problems:
        raise ModelError(problems)
    tree = RobotTree(description.name or "mechanism")
    if flat.gravity is not None:
        tree.gravity = tuple(
            float(x) for x in layout_of(flat).number(layout_of(flat).parameters.vector(flat.gravity))
        )
    inertia = {
        body: LinkInertia(float(numbers.mass[k]), np.zeros(3), numbers.inertia[k])
        for k, body in enumerate(program.bodies)
    }
    _grow(tree, joints, frames, inertia)
    for k, body in enumerate(program.bodies):
        tree.branches[body].weightless = any(tree.gravity) and not np.any(numbers.gravity[k])
    _friction(tree, flat)
    _stops(tree, flat, state)
    _gears(tree, flat)
    carried = couplings_of(tree, program, frames, numbers.data)
    for friction in program.frictions:
        if friction.geared:
            tree.notes.append(
                Note(f"forces.{friction.name.removesuffix('.friction')}", "losses are left out")
            )
    for collection in ("forces", "drivers"):
        for name, placed in getattr(flat, collection).items():
            if not isinstance(placed.element, Friction | Stop) and name not in carried:
                tree.notes.append(Note(f"{collection}.{name}", f"`{placed.element.type}` is left out"))
    if path is not None:
        centers = {name: branch.inertia.center for name, branch in tree.branches.items()}
        for body, files in written_looks(motion, centers, path).items():
            (tree.looks if body == "ground" else tree.branches[body].looks).extend(files)
    return tree


def _frame(record: np.ndarray) -> LinkPlace:
    return LinkPlace(np.array(record[:3]), np.array(record[3:12]).reshape(3, 3))


def _grow(
    tree: RobotTree, joints: list[JointAt], frames: dict[str, LinkPlace], inertia: dict[str, LinkInertia]
) -> None:
    """Breadth first from ground, then from what is not tied to it; joints that are left over close loops."""
    waiting = list(joints)
    queue, reached = ["ground"], {"ground"}
    free = [body for body in frames if body != "ground"]
    while queue or free:
        if not queue:
            body = free.pop(0)
            if body in reached:
                continue
            world = frames[body]
            tree.branches[body] = Branch(body, "ground", None, 1, world, inertia[body])
            reached.add(body)
            queue.append(body)
        parent = queue.pop(0)
        for joint in [j for j in waiting if parent in j.bodies]:
            child = joint.bodies[1] if joint.bodies[0] == parent else joint.bodies[0]
            waiting.remove(joint)
            if child in reached:
                tree.loops.append(joint)
                continue
            world = LinkPlace(joint.point, frames[child].axes)
            center = world.axes.T @ (frames[child].position - joint.point)
            own = inertia[child]
            sense = 1 if joint.bodies[1] == child else -1
            tree.branches[child] = Branch(
                child, parent, joint, sense, world, LinkInertia(own.mass, center, own.tensor)
            )
            reached.add(child)
            queue.append(child)


def _of_hinges(tree: RobotTree, flat: Any, kind: type[F]) -> Iterator[tuple[str, F, Branch | None]]:
    """Forces of a type in joints, with the branch whose hinge or slide it is; None: there is none in the tree."""
    by_joint = {b.joint.name: b for b in tree.branches.values() if b.joint is not None}
    for name, placed in flat.forces.items():
        if isinstance(placed.element, kind):
            branch = by_joint.get(placed.element.joint)
            joint = None if branch is None else branch.joint
            moves = joint is not None and joint.kind in ("revolute", "prismatic")
            yield name, placed.element, branch if moves else None


def _friction(tree: RobotTree, flat: Any) -> None:
    for name, force, branch in _of_hinges(tree, flat, Friction):
        if branch is None or number_of(force.coefficient, flat.values):
            text = "friction by the load, or in a joint that closes a loop, is left out"
            tree.notes.append(Note(f"forces.{name}", text))
            continue
        branch.damping += number_of(force.viscous, flat.values)
        branch.friction += number_of(force.coulomb, flat.values)


def _stops(tree: RobotTree, flat: Any, state: Any) -> None:
    """Ranges of hinges and slides, counted from the assembled position, where coordinates are zero."""
    for name, stop, branch in _of_hinges(tree, flat, Stop):
        if branch is None or branch.joint is None or stop.lower is None or stop.upper is None:
            text = (
                "a stop on one side only, or of a joint that is not a hinge or slide of the tree, is left out"
            )
            tree.notes.append(Note(f"forces.{name}", text))
            continue
        coordinate = "angle" if branch.joint.kind == "revolute" else "displacement"
        now = float(np.ravel(state[f"{stop.joint}.{coordinate}"])[0])
        low, high = (branch.sense * (number_of(x, flat.values) - now) for x in (stop.lower, stop.upper))
        branch.range = min(low, high), max(low, high)
        if stop.stiffness is not None or stop.restitution:
            tree.notes.append(
                Note(f"forces.{name}", "the range is kept; stiffness and restitution of its ends are not")
            )


def _gears(tree: RobotTree, flat: Any) -> None:
    if not flat.meshes:
        return
    known: dict[str, Any] = {}
    with suppress(ModelError):  # wheels that are not geared as a train
        known = {c.name: c for c in layout_of(flat).train_graph.circuits}
    for name, placed in flat.meshes.items():
        circuit = known.get(name)
        pair = () if circuit is None else ((circuit.a, circuit.carrier), (circuit.b, circuit.carrier))
        wheels = [tree.branches[link] for link, carrier in pair if _turns_on(tree, link, carrier)]
        if circuit is None or len(wheels) < 2:
            text = f"the {placed.element.type} mesh is left out: its wheels turn freely"
            tree.notes.append(Note(f"meshes.{name}", text))
            continue
        a, b = wheels
        tree.gears.append(GearedPair(name, a, b, float(circuit.ratio) * a.sense * b.sense))


def _turns_on(tree: RobotTree, link: str, carrier: str) -> bool:
    wheel = tree.branches.get(link)
    joint = None if wheel is None else wheel.joint
    return wheel is not None and joint is not None and joint.kind == "revolute" and wheel.parent == carrier
