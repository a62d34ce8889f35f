"""Robots in MJCF, MuJoCo's format (https://mujoco.readthedocs.io/en/stable/XMLreference.html).

Bodies stand in each other; a body's joints have their anchor and axis in its own frame, and act one after the other. A
body without joints is fixed to its parent. Mass and inertia are given, or follow from the geoms. What a class of
defaults says holds where an element does not say otherwise.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from wheelwork.description.frame import Frame
from wheelwork.elements.forces.actuator import Actuator
from wheelwork.elements.forces.friction import Friction
from wheelwork.elements.forces.torsional_spring import TorsionalSpring
from wheelwork.elements.joints.cylindrical import Cylindrical
from wheelwork.elements.joints.fixed import Fixed
from wheelwork.elements.joints.planar import Planar
from wheelwork.elements.joints.prismatic import Prismatic
from wheelwork.elements.joints.revolute import Revolute
from wheelwork.elements.joints.spherical import Spherical
from wheelwork.elements.joints.universal import Universal
from wheelwork.mechanism import Mechanism
from wheelwork.problems import ModelError, did_you_mean

from .couplings import MjcfCouplings
from .looks import Packages
from .markup import Node, read_markup
from .mjcf_file import MjcfFile
from .notes import Note
from .places import place_fields
from .robot import LinkInertia, Robot, RobotBodies, RobotLink

WORLD = "world"
LEFT_OUT = {
    "visual": "settings of pictures",
    "statistic": "settings of pictures",
    "size": "sizes of memory",
    "contact": "pairs of contact: contact is left out",
    "deformable": "bodies that deform",
    "sensor": "sensors: every quantity is a signal here",
    "keyframe": "states to start from",
    "custom": "numbers for other programs",
    "extension": "plugins",
}
READ = ("asset", "compiler", "option", "default", "worldbody", "equality", "tendon", "actuator")
TYPES = ("hinge", "slide", "ball", "free")
_RIGHT = 1e-9
"""Cosine up to which axes are at a right angle, and sine up to which they are parallel."""


def read_mjcf(
    path: str | os.PathLike[str],
    *,
    notes: list[Note] | None = None,
    packages: Packages | None = None,
    stops: bool = True,
) -> Mechanism:
    """A mechanism from an MJCF file, in the position of the file, but for joints that follow others with an offset.

    Bodies that are fixed to each other are one, and every body and site keeps its name, as a body or a frame. Several
    joints of one body are the joint that moves alike (two slides and a hinge: `planar`), or refused. Commands of motors
    become parameters, `<actuator>_command`; the range of a joint is the force `<joint>_stop`; geoms of the groups 0 to
    2 are what bodies look like. What a mechanism cannot hold is reported in one warning, or put into `notes`.

    packages, stops: as for `read_urdf`
    """
    found: list[Note] = []
    return _Mjcf(read_markup(path, "mujoco"), found, packages).robot().finished(stops, found, notes)


class _Mjcf(MjcfFile):
    def __init__(self, root: Node, notes: list[Note], packages: Packages | None = None) -> None:
        super().__init__(root, notes, packages)
        self.links: dict[str, RobotLink] = {}
        self.joints: dict[str, list[Node]] = {}
        self.sites: list[tuple[str, Node]] = []
        self._by_joint: dict[str, tuple[str, str]] = {}
        """Of each joint of the file: name and coordinate in the mechanism."""

    # -- reading

    def robot(self) -> Robot:
        shown = [
            self._filled(geom, "main") for world in self.root.all("worldbody") for geom in world.all("geom")
        ]
        self.links[WORLD] = RobotLink(WORLD, self.root, LinkInertia(), looks=self._looks(shown))
        for world in self.root.all("worldbody"):
            self._bodies(world, WORLD, "main")
        for node in self.root.children:
            if node.tag in LEFT_OUT and node.children + [node] * bool(node.attributes):
                self._left(node, f"<{node.tag}>, {LEFT_OUT[node.tag]}")
            elif node.tag not in (*LEFT_OUT, *READ):
                self._left(node, f"<{node.tag}> is not known")
        gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
        for node in self.root.all("option"):
            gravity = node.numbers("gravity", 3, gravity)
            for name in ("wind", "density", "viscosity", "magnetic"):
                if any(node.row(name)):
                    self._left(node, f"`{name}` of the air or field")
        if len(self.links) == 1:
            self.root.problem("has no bodies")
        if self.root.problems:
            raise ModelError(self.root.problems)
        self._scale()
        return Robot(
            self.root.attributes.get("model", ""),
            self.links,
            self.root.problems,
            self.notes,
            self._add_joints,
            gravity,
        )

    def _scale(self) -> None:
        moving = [link for link in self.links.values() if link.name != WORLD]
        total = sum(link.inertia.mass for link in moving)
        if self.total_mass <= 0 or total <= 0:
            return
        s = self.total_mass / total
        for link in moving:
            link.inertia = LinkInertia(s * link.inertia.mass, link.inertia.center, s * link.inertia.tensor)

    def _bodies(self, outer: Node, parent: str, childclass: str) -> None:
        for node in outer.all("geom"):
            if parent == WORLD:
                self._left(node, "contact with a geom of the world")
        for node in outer.all("site"):
            self.sites.append((parent, self._filled(node, childclass)))
        for node in outer.children:
            if node.tag not in ("body", "geom", "site", "joint", "freejoint", "inertial"):
                self._left(node, f"<{node.tag}> of a body")
        for node in outer.all("body"):
            name = node.attributes.get("name") or f"body{len(self.links)}"
            if name in self.links:
                node.problem(f"there is another body of this name in line {self.links[name].node.line}")
                continue
            own = node.attributes.get("childclass", childclass)
            joints = [self._filled(j, own) for j in node.all("joint", "freejoint")]
            link = RobotLink(name, node, self._inertia(node, own), parent, self._place(node), bool(joints))
            link.looks = self._looks([self._filled(geom, own) for geom in node.all("geom")])
            held = node.number("gravcomp", 0.0)
            link.weightless = held == 1.0
            if held not in (0.0, 1.0):
                self._left(node, f"`gravcomp` {held:g}, a part of the weight")
            self._others(node, "body")
            for inner in (*joints, *node.all("inertial")):
                self._others(inner, inner.tag)
            self.links[name], self.joints[name] = link, joints
            self._bodies(node, name, own)

    # -- into the mechanism

    def _add_joints(self, bodies: RobotBodies) -> None:
        for name, joints in self.joints.items():
            for node in joints:
                kind = node.text("type", "hinge")
                if kind not in TYPES:
                    node.problem(f"there is no type of joint `{kind}`", did_you_mean(kind, TYPES))
                for passive in ("damping", "frictionloss", "stiffness"):
                    if node.number(passive, 0.0) < 0:
                        node.problem(f"`{passive}` must not be negative, but is {node.number(passive):g}")
            free = [j for j in joints if j.tag == "freejoint" or j.attributes.get("type") == "free"]
            if free and (len(joints) > 1 or self.links[name].parent != WORLD):
                free[0].problem("a free joint is the only joint of a body in the world")
            elif joints and not free and not self.root.problems:
                self._add_joint(bodies, name, joints)
        for parent, node in self.sites:
            self._add_site(bodies, parent, node)
        couplings = MjcfCouplings(self.root, self._by_joint, self._left)
        for section in self.root.all("equality"):
            for node in section.children:
                self._add_equality(bodies, self._filled(node, "main"), couplings)
        couplings.tell_unused()
        for section in self.root.all("actuator"):
            for node in section.children:
                self._add_actuator(bodies, self._filled(node, "main"))

    def _add_joint(self, bodies: RobotBodies, name: str, nodes: list[Node]) -> None:
        world, link = bodies.world[name], self.links[name]
        kinds = tuple(node.attributes.get("type", "hinge") for node in nodes)
        points = [world.position + world.axes @ node.numbers("pos", 3, (0.0,) * 3) for node in nodes]
        axes = [world.axes @ node.numbers("axis", 3, (0.0, 0.0, 1.0)) for node in nodes]
        axes = [axis / (np.linalg.norm(axis) or 1.0) for axis in axes]
        for node, axis in zip(nodes, axes, strict=True):
            if not np.any(axis):
                node.problem("the axis of a joint is zero: it has no direction")
                return
        found = _joined(kinds, points, axes)
        if found is None:
            text = (
                f"body `{name}` has the joints {', '.join(kinds)} one after the other, which no joint here is"
            )
            nodes[0].problem(text, "put bodies with small masses between them")
            return
        cls, fields = found
        whole = nodes[0].attributes.get("name") or f"{name}_joint" if len(nodes) == 1 else f"{name}_joint"
        ours = bodies.named("joint", whole, nodes[0])
        pair = (bodies.body(str(link.parent)), bodies.body(name))
        bodies.mechanism.add(ours, cls(bodies=pair, **{k: tuple(map(float, v)) for k, v in fields.items()}))
        if len(nodes) > 1:
            self.notes.append(
                Note(nodes[0].where, f"{len(nodes)} joints of body `{name}` are one {cls.__name__}, `{ours}`")
            )
        for node, kind in zip(nodes, kinds, strict=True):
            self._of_joint(bodies, node, kind, ours, cls, len(nodes) == 1)

    def _of_joint(
        self, bodies: RobotBodies, node: Node, kind: str, joint: str, cls: Any, alone: bool
    ) -> None:
        """Springs, friction and so on; they need a coordinate of the joint."""
        coordinate = {"hinge": "angle", "slide": "displacement"}.get(kind, "")
        if coordinate in cls.coordinates and (alone or cls is Cylindrical):
            self._by_joint[node.attributes.get("name", "")] = (joint, coordinate)
        else:
            coordinate = ""
        damping, dry = node.number("damping", 0.0), node.number("frictionloss", 0.0)
        stiffness = node.number("stiffness", 0.0)
        if coordinate and (damping or dry):
            name = bodies.named("force", f"{joint}_friction" if alone else f"{joint}_{kind}_friction", node)
            bodies.mechanism.add(
                name, Friction(joint=joint, coordinate=coordinate, viscous=damping, coulomb=dry)
            )
        elif damping or dry:
            self._left(node, "damping and friction of a joint without a single coordinate")
        rest = node.number("springref", 0.0) - node.number("ref", 0.0)
        if coordinate and stiffness:
            name = bodies.named("force", f"{joint}_spring" if alone else f"{joint}_{kind}_spring", node)
            bodies.mechanism.add(name, self._spring(joint, coordinate, stiffness, rest))
        elif stiffness:
            self._left(node, "the spring of a joint without a single coordinate")
        if node.number("armature", 0.0):
            self._left(
                node, f"`armature` ({node.number('armature', 0.0):g}), the inertia of a motor behind a joint"
            )
        if node.number("ref", 0.0) and coordinate:
            self.notes.append(
                Note(node.where, f"the coordinate of `{joint}` is zero, not `ref`, in this position")
            )
        limited = node.text("limited", "auto")
        if "range" in node.attributes and (limited == "true" or (limited == "auto" and self.limits_by_range)):
            self._range(bodies, node, joint, coordinate, alone)

    def _range(self, bodies: RobotBodies, node: Node, joint: str, coordinate: str, alone: bool) -> None:
        if not coordinate:
            self._left(node, f"the range ({node.text('range')}) of a joint without a single coordinate")
            return
        low, high = (x - node.number("ref", 0.0) for x in node.numbers("range", 2))
        bounds = (self._angle(low), self._angle(high)) if coordinate == "angle" else (low, high)
        name = f"{joint}_stop" if alone else f"{joint}_{coordinate}_stop"
        bodies.add_stop(joint, coordinate, bounds, node, name)

    def _spring(self, joint: str, coordinate: str, stiffness: float, rest: float) -> Any:
        if coordinate == "angle":
            return TorsionalSpring(joint=joint, stiffness=stiffness, free_angle=self._angle(rest))
        return Actuator(
            joint=joint, coordinate=coordinate, value=f"-{stiffness!r}*({joint}.displacement - ({rest!r}))"
        )

    def _add_site(self, bodies: RobotBodies, parent: str, node: Node) -> None:
        name = node.attributes.get("name")
        if not name:
            return
        place = bodies.in_body(parent) @ self._place(node)
        bodies.mechanism.add(
            bodies.named("site", name, node), Frame(body=bodies.body(parent), **place_fields(place))
        )

    def _add_equality(self, bodies: RobotBodies, node: Node, couplings: MjcfCouplings) -> None:
        if node.attributes.get("active") == "false":
            return self._left(node, f"<{node.tag}> that is not active")
        if node.tag in ("joint", "tendon"):
            return couplings.add(bodies, node)
        if node.tag not in ("connect", "weld") or "body1" not in node.attributes:
            return self._left(node, f"<{node.tag}> that is not between two bodies")
        names = [node.text("body1"), node.text("body2", WORLD)]
        for name in names:
            if name not in self.links:
                return node.problem(f"there is no body `{name}`", did_you_mean(name, self.links))
        pair = tuple(bodies.body(name) for name in names)
        ours = bodies.named("joint", node.attributes.get("name") or f"{names[0]}_{names[1]}_{node.tag}", node)
        if node.tag == "weld":
            if "relpose" in node.attributes:
                self._left(node, "`relpose` of a weld: the bodies are held as they stand")
            bodies.mechanism.add(ours, Fixed(bodies=pair))
            return None
        place = bodies.world[names[0]]
        point = place.position + place.axes @ np.array(node.numbers("anchor", 3))
        bodies.mechanism.add(ours, Spherical(bodies=pair, point=tuple(map(float, point))))
        return None

    def _add_actuator(self, bodies: RobotBodies, node: Node) -> None:
        name = node.attributes.get("name") or f"{node.attributes.get('joint', node.tag)}_{node.tag}"
        gear = (node.row("gear") or [1.0])[0]
        if node.tag not in ("motor", "position", "velocity") or "joint" not in node.attributes:
            return self._left(node, f"the actuator <{node.tag}> `{name}`")
        if node.text("joint") not in self._by_joint:
            known = [k for k in self._by_joint if k]
            if any(node.text("joint") == j.name for joints in self.joints.values() for j in joints):
                return self._left(node, f"the actuator `{name}` of a joint without a single coordinate")
            return node.problem(
                f"there is no joint `{node.text('joint')}`", did_you_mean(node.text("joint"), known)
            )
        self._others(node, "actuator")
        joint, coordinate = self._by_joint[node.text("joint")]
        rate = f"{joint}.w" if coordinate == "angle" else f"{joint}.speed"
        kp, kv = node.number("kp", 1.0), node.number("kv", 1.0 if node.tag == "velocity" else 0.0)

        def effort(command: str) -> str:
            if node.tag == "motor":
                return f"{gear!r}*{command}"
            if node.tag == "velocity":
                return f"{gear!r}*{kv!r}*({command} - {gear!r}*{rate})"
            return f"{gear!r}*({kp!r}*({command} - {gear!r}*{joint}.{coordinate}) - {kv!r}*{gear!r}*{rate})"

        bodies.add_motor(name, node, (joint, coordinate), effort)
        if {"ctrlrange", "forcerange"} & set(node.attributes):
            self.notes.append(Note(node.where, f"the range of the actuator `{name}` is not held"))
        return None


def _joined(
    kinds: tuple[str, ...], points: list[np.ndarray], axes: list[np.ndarray]
) -> tuple[Any, Any] | None:
    """The joint that moves as these do one after the other, and where it is."""
    hinges = [k for k, kind in enumerate(kinds) if kind == "hinge"]
    slides = [k for k, kind in enumerate(kinds) if kind == "slide"]

    def upright(i: int, j: int) -> bool:
        return abs(float(axes[i] @ axes[j])) < _RIGHT

    def together(*of: int) -> bool:
        return all(np.linalg.norm(points[k] - points[of[0]]) < 1e-9 for k in of)

    if len(kinds) == 1:
        if kinds == ("ball",):
            return Spherical, {"point": points[0]}
        return (Revolute if hinges else Prismatic), {"point": points[0], "axis": axes[0]}
    if len(hinges) + len(slides) != len(kinds):
        return None
    if len(kinds) == 2 and len(hinges) == 1:
        turn, slide = hinges[0], slides[0]
        if np.linalg.norm(np.cross(axes[turn], axes[slide])) < _RIGHT:
            return Cylindrical, {"point": points[turn], "axis": axes[turn]}
        return None
    if len(hinges) == 2 and not slides and upright(0, 1) and together(0, 1):
        return Universal, {"point": points[0], "axis": axes[0], "axis2": axes[1]}
    if len(hinges) == 3 and not slides and together(0, 1, 2) and upright(0, 1) and upright(1, 2):
        return Spherical, {"point": points[0]}
    if (
        len(hinges) == 1
        and len(slides) == 2
        and all(upright(hinges[0], k) for k in slides)
        and upright(*slides)
    ):
        return Planar, {"point": points[hinges[0]], "axis": axes[hinges[0]]}
    return None
