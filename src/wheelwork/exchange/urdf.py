"""Robots in URDF, the Unified Robot Description Format of ROS (http://wiki.ros.org/urdf/XML, version 1).

A joint's frame is `origin` in the parent's; the child's frame agrees with it at zero, and `axis` is given in it. Angles
`rpy` turn about the fixed axes x, y, z in this order. The root does not move.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from wheelwork.description.body_geometry import Geometry
from wheelwork.elements.forces.friction import Friction
from wheelwork.elements.joints.planar import Planar
from wheelwork.elements.joints.prismatic import Prismatic
from wheelwork.elements.joints.revolute import Revolute
from wheelwork.mechanism import Mechanism
from wheelwork.problems import ModelError, did_you_mean

from .couplings import add_mimic
from .looks import MeshFiles, Packages, hex_color
from .markup import Node, read_markup
from .notes import Note
from .places import LinkPlace, about
from .robot import LinkInertia, Robot, RobotBodies, RobotLink

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def read_urdf(
    path: str | os.PathLike[str],
    *,
    notes: list[Note] | None = None,
    packages: Packages | None = None,
    stops: bool = True,
) -> Mechanism:
    """A mechanism from a URDF file, with all joint coordinates at zero, but those that follow others with an offset.

    Bodies are links, those that are fixed to each other together; every link has its name, as a body or a frame, and
    its looks. Joints have theirs; friction and damping of a joint are the force `<joint>_friction`, its range is the
    `<joint>_stop`, a mimic joint follows by the coupler `<joint>_mimic`, and simple transmissions are actuators with
    the parameter `<actuator>_command`, the motor's torque. What a mechanism cannot hold is reported in one warning, or
    put into the list `notes`.

    packages: folders of the packages that meshes are named in (`package://NAME/...`), else looked for beside the file
    stops: False leaves ranges of joints out, and tells them; minimal coordinates (`reduced`) know no stops
    """
    found: list[Note] = []
    return _Urdf(read_markup(path, "robot"), found, packages).robot().finished(stops, found, notes)


def turned(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """R = Rz(yaw) Ry(pitch) Rx(roll)."""
    x, y, z = np.eye(3)
    return about(z, yaw) @ about(y, pitch) @ about(x, roll)


def _origin(node: Node | None) -> LinkPlace:
    if node is None:
        return LinkPlace()
    return LinkPlace(
        np.array(node.numbers("xyz", 3, (0.0,) * 3)), turned(*node.numbers("rpy", 3, (0.0,) * 3))
    )


def _shape(node: Node) -> dict[str, Any]:
    if node.tag == "box":
        return {"type": "box", "size": node.numbers("size", 3)}
    if node.tag == "sphere":
        return {"type": "sphere", "radius": node.number("radius")}
    return {"type": "cylinder", "radius": node.number("radius"), "length": node.number("length")}


class _Urdf:
    def __init__(self, root: Node, notes: list[Note], packages: Packages | None = None) -> None:
        self.root = root
        self.notes = notes
        self.files = MeshFiles(root.file, packages, notes)
        self.colors = {node.name: self._color(node) for node in root.all("material")}
        self.ours: dict[str, tuple[str, str]] = {}
        """Of each joint with one coordinate: its name in the mechanism, and the coordinate."""
        self.links: dict[str, RobotLink] = {}
        self.joints: dict[str, Node] = {}

    def robot(self) -> Robot:
        for node in self._unique("link"):
            self.links[node.name] = RobotLink(node.name, node, self._inertia(node), looks=self._looks(node))
        for node in self._unique("joint"):
            self._joint(node)
        self._leave(self.root, "gazebo", "is for another program: left out")
        roots = [link for link in self.links.values() if link.parent is None]
        if len(roots) > 1:
            names = ", ".join(f"`{link.name}`" for link in roots[:5])
            self.root.problem(
                f"has {len(roots)} links that are the child of no joint ({names}), and needs one root"
            )
        if not self.links:
            self.root.problem("has no links")
        if self.root.problems:
            raise ModelError(self.root.problems)
        return Robot(self.root.name, self.links, self.root.problems, self.notes, self._add_joints)

    def _left(self, node: Node, text: str) -> None:
        self.notes.append(Note(node.where, text))

    def _leave(self, outer: Node, tag: str, text: str) -> None:
        """All of a kind, with what is in them."""
        for node in outer.all(tag):
            self._left(node, f"<{tag}> {text}")
            node.skip()

    def _unique(self, tag: str) -> Iterator[Node]:
        seen: dict[str, Node] = {}
        for node in self.root.all(tag):
            name = node.text("name")
            if name in seen:
                node.problem(f"there is another {tag} of this name in line {seen[name].line}")
            elif name:
                seen[name] = node
                yield node

    def _inertia(self, link: Node) -> LinkInertia:
        self._leave(link, "collision", "of a link: shapes of contact are left out")
        node = link.first("inertial")
        if node is None:
            return LinkInertia()
        origin, mass, moments = _origin(node.first("origin")), node.first("mass"), node.first("inertia")
        if mass is None or moments is None:
            node.problem(f"<inertial> of link `{link.name}` needs <mass> and <inertia>")
            return LinkInertia()
        number = mass.number("value")
        if number < 0:
            mass.problem(f"the mass of link `{link.name}` must not be negative, but is {number:g} kg")
            number = 0.0
        xx, xy, xz, yy, yz, zz = (moments.number(f"i{k}", 0.0 if k[0] != k[1] else None) for k in
                                  ("xx", "xy", "xz", "yy", "yz", "zz"))  # fmt: skip
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return LinkInertia(number, origin.position, origin.axes @ tensor @ origin.axes.T)

    def _joint(self, node: Node) -> None:
        kind = node.text("type")
        if kind not in TYPES:
            near = did_you_mean(kind, TYPES) or f"types are {', '.join(TYPES)}"
            node.problem(f"there is no type of joint `{kind}`", near)
        ends = []
        for tag in ("parent", "child"):
            end = node.first(tag)
            name = end.text("link") if end is not None else ""
            if end is None:
                node.problem(f"has no <{tag}>")
            elif name and name not in self.links:
                end.problem(f"joint `{node.name}`: there is no link `{name}`", did_you_mean(name, self.links))
            ends.append(self.links.get(name))
        parent, child = ends
        if parent is None or child is None:
            return
        if child.parent is not None:
            text = f"link `{child.name}` has the parent `{child.parent}` already: in URDF every link has one"
            node.problem(text, "close loops with joints in the description")
            return
        child.parent, child.place, child.moves = parent.name, _origin(node.first("origin")), kind != "fixed"
        self.joints[node.name] = node

    # -- into the mechanism

    def _add_joints(self, bodies: RobotBodies) -> None:
        for name, node in self.joints.items():
            if node.text("type") != "fixed":
                self._add_joint(bodies, name, node)
        for name, node in self.joints.items():
            for mimic in node.all("mimic"):
                add_mimic(bodies, name, mimic, self.ours, self._left)
        for node in self.root.all("transmission"):
            self._transmission(bodies, node)
        for node, attribute in self.root.ignored():
            known = (
                f"`{attribute}` of <{node.tag}> is left out" if attribute else f"<{node.tag}> is not known"
            )
            self._left(node, known)

    def _transmission(self, bodies: RobotBodies, node: Node) -> None:
        """A motor on one joint, by its reduction n: the joint has n times the motor's torque."""
        kind = "".join(inner.content.strip() for inner in node.all("type")) or node.attributes.get("type", "")
        joints, actuators = list(node.all("joint")), list(node.all("actuator"))
        simple = kind.rpartition("/")[2] == "SimpleTransmission" and len(joints) == len(actuators) == 1
        joint = self.ours.get(joints[0].name) if joints else None
        if not simple or joint is None:
            why = (
                "it is not a simple one" if not simple else f"there is no joint `{joints[0].name}` that moves"
            )
            self._left(node, f"<transmission> `{node.name}` is left out: {why}")
            node.skip()
            return
        given = [inner for part in (actuators[0], joints[0]) for inner in part.all("mechanicalReduction")]
        text = given[0].content.strip() if given else "1"
        try:
            n = float(text)
        except ValueError:
            n = math.nan
        if not math.isfinite(n) or n == 0:
            given[0].problem(f"`mechanicalReduction` needs a finite number that is not zero, but is `{text}`")
            return
        name = actuators[0].name or f"{joints[0].name}_motor"
        bodies.add_motor(name, node, joint, lambda command: f"{n!r}*{command}")
        node.read.add("type")
        for inner in (*joints, *actuators):
            self._leave(inner, "hardwareInterface", "is for a controller: left out")

    def _color(self, node: Node | None) -> str:
        """Of a material: its own, or that of the robot's by its name."""
        if node is None:
            return ""
        self._leave(node, "texture", "is left out: looks have one colour")
        own = node.first("color")
        if own is not None:
            return hex_color(own.numbers("rgba", 4, (0.5, 0.5, 0.5, 1.0)))
        return getattr(self, "colors", {}).get(node.name, "")

    def _looks(self, link: Node) -> list[Geometry]:
        out: list[Geometry] = []
        for node in link.all("visual"):
            place, color = _origin(node.first("origin")), self._color(node.first("material"))
            held = node.first("geometry")
            if held is None:
                node.problem(f"<visual> of link `{link.name}` has no <geometry>")
                continue
            for shape in held.all("box", "cylinder", "sphere"):
                out += self.files.made(shape, {"shape": _shape(shape)}, place, color)
            for mesh in held.all("mesh"):
                scale = mesh.numbers("scale", 3, (1.0, 1.0, 1.0))
                out += self.files.piece(mesh, mesh.text("filename"), place, scale, color)
        return out

    def _add_joint(self, bodies: RobotBodies, name: str, node: Node) -> None:
        kind = node.text("type")
        parent, child = (str(end.text("link")) for tag in ("parent", "child") for end in node.all(tag))
        frame = bodies.world[child]
        given = node.first("axis")
        along = np.array(given.numbers("xyz", 3) if given is not None else (1.0, 0.0, 0.0))
        if not np.any(along) and kind != "floating":
            (given or node).problem(f"the axis of joint `{name}` is zero: it has no direction")
            return
        ours = bodies.named("joint", name, node)
        limits = node.first("limit")
        if kind == "floating":
            self._limits(limits, kind, ours)
            return
        place: dict[str, Any] = {
            "bodies": (bodies.body(parent), bodies.body(child)),
            "point": tuple(map(float, frame.position)),
            "axis": tuple(map(float, frame.axes @ along)),
        }
        made = {"prismatic": Prismatic, "planar": Planar}.get(kind, Revolute)
        bodies.mechanism.add(ours, made(**place))
        if kind != "planar":
            self.ours[name] = ours, "displacement" if kind == "prismatic" else "angle"
        self._limits(limits, kind, ours, bodies)
        self._friction(bodies, node, ours, kind)
        for tag in ("calibration", "safety_controller"):
            self._leave(node, tag, "of a joint is for its controller: left out")

    def _limits(self, node: Node | None, kind: str, joint: str, bodies: RobotBodies | None = None) -> None:
        if node is None:
            return
        bounds = node.number("lower", 0.0), node.number("upper", 0.0)
        if bodies is not None and kind in ("revolute", "prismatic") and bounds != (0.0, 0.0):
            coordinate = "displacement" if kind == "prismatic" else "angle"
            bodies.add_stop(joint, coordinate, bounds, node, f"{joint}_stop")
        for name in ("effort", "velocity"):
            if name in node.attributes:
                number = node.number(name)
                self._left(node, f"`{name}` of a joint ({number:g}) is for its controller: left out")

    def _friction(self, bodies: RobotBodies, node: Node, joint: str, kind: str) -> None:
        dynamics = node.first("dynamics")
        if dynamics is None:
            return
        damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
        for name, value in (("damping", damping), ("friction", friction)):
            if value < 0:
                dynamics.problem(f"joint `{joint}`: `{name}` must not be negative, but is {value:g}")
                return
        if kind == "planar" and (damping or friction):
            self._left(dynamics, "damping and friction of a planar joint are left out")
        elif damping or friction:
            name = bodies.named("force", f"{joint}_friction", node)
            bodies.mechanism.add(name, Friction(joint=joint, viscous=damping, coulomb=friction))
