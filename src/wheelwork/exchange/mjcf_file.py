"""An MJCF file as it is written: what it includes, settings of its compiler, classes of defaults, and how places,
masses and looks are given in it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from wheelwork.description.body_geometry import Geometry
from wheelwork.problems import did_you_mean

from .geoms import DRAWN, SHAPES, SIZES
from .looks import MeshFiles, Packages, hex_color
from .markup import Node, read_markup
from .notes import Note
from .places import LinkPlace, about, along, from_quaternion
from .robot import LinkInertia

_PLACE = "name class pos quat axisangle euler xyaxes zaxis user group"
READ = {
    "body": f"{_PLACE} childclass gravcomp",
    "joint": f"{_PLACE} type axis damping frictionloss stiffness springref ref armature range limited",
    "freejoint": _PLACE,
    "mesh": "name class file scale",
    "inertial": f"{_PLACE} mass diaginertia fullinertia",
    "actuator": f"{_PLACE} joint gear kp kv ctrlrange ctrllimited forcerange forcelimited",
}
"""Attributes that are converted, or reported by themselves; the others of an element are reported where they stand."""


class MjcfFile:
    """A file whose includes and defaults are filled in; what is wrong goes into `root.problems`, what is left out into
    `notes`."""

    def __init__(self, root: Node, notes: list[Note], packages: Packages | None = None) -> None:
        self.root = root
        self.notes = notes
        self.files = MeshFiles(root.file, packages, notes)
        self._include(root, (Path(root.file).resolve(),))
        compiler = Node("compiler", {}, root.file, root.line, root.problems)
        for node in root.all("compiler"):
            compiler.attributes |= node.attributes
            compiler.line = node.line
        self.degrees = compiler.text("angle", "degree") == "degree"
        self.sequence = compiler.text("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            compiler.problem(f"`eulerseq` needs three of x, y, z, X, Y, Z, but is `{self.sequence}`")
            self.sequence = "xyz"
        self.from_geoms = compiler.text("inertiafromgeom", "auto")
        self.total_mass = compiler.number("settotalmass", -1.0)
        self.mesh_folder = compiler.text("meshdir", compiler.text("assetdir", "")).rstrip("/")
        self.limits_by_range = compiler.yes("autolimits", True)
        for name in ("boundmass", "boundinertia"):
            if compiler.number(name, 0.0) > 0:
                self._left(compiler, f"`{name}` of the compiler, which changes masses")
        if compiler.yes("balanceinertia"):
            self._left(compiler, "`balanceinertia` of the compiler, which changes moments of inertia")
        if compiler.text("coordinate", "local") != "local":
            compiler.problem("`coordinate` must be `local`")
        self.defaults: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for node in root.all("default"):
            self._default(node, node.attributes.get("class", "main"), {})
        self.meshes, self.paints = self._assets()

    def _include(self, node: Node, chain: tuple[Path, ...]) -> None:
        children: list[Node] = []
        for child in node.children:
            if child.tag != "include":
                self._include(child, chain)
                children.append(child)
                continue
            file = Path(self.root.file).parent / child.text("file")
            if file.resolve() in chain:
                child.problem(f"`{file.name}` would contain itself")
                continue
            inner = read_markup(file, "mujoco")
            inner.problems = self.root.problems
            self._include(inner, (*chain, file.resolve()))
            children += inner.children
        node.children = children

    def _left(self, node: Node, text: str) -> None:
        self.notes.append(Note(node.where, f"{text}: left out" if not text.endswith("left out") else text))

    def _others(self, node: Node, kind: str) -> None:
        """Attributes that nobody reads are not dropped without a message."""
        for name in sorted(set(node.attributes) - set(READ[kind].split())):
            self._left(node, f"`{name}` of <{node.tag}>")

    def _assets(self) -> tuple[dict[str, Node], dict[str, str]]:
        """Meshes and colours by their names; other assets are reported."""
        meshes: dict[str, Node] = {}
        paints: dict[str, str] = {}
        for section in self.root.all("asset"):
            for node in section.children:
                if node.tag == "mesh" and "file" in node.attributes:
                    filled = self._filled(node, "main")
                    meshes[node.name or Path(filled.text("file")).stem] = filled
                    self._others(filled, "mesh")
                elif node.tag == "material":
                    paints[node.name] = hex_color(node.row("rgba") or [0.5, 0.5, 0.5])
                else:
                    self._left(node, f"<{node.tag}> of <asset>")
        return meshes, paints

    # -- looks

    def _looks(self, geoms: list[Node]) -> list[Geometry]:
        """Of the geoms that MuJoCo shows: groups 0 to 2."""
        out: list[Geometry] = []
        for node in geoms:
            if node.number("group", 0.0) > 2:
                self._left(node, "a geom of a group that is not shown: contact")
                continue
            kind = "mesh" if "mesh" in node.attributes else node.attributes.get("type", "sphere")
            color = hex_color(node.row("rgba")) if "rgba" in node.attributes else ""
            color = color or self.paints.get(node.attributes.get("material", ""), "")
            if kind == "mesh":
                out += self._mesh_look(node, color)
                continue
            if kind not in DRAWN:
                self._left(node, f"looks of a geom of type `{kind}`")
                continue
            place, size = self._geom_size(node, kind)
            if len(size) < SIZES.get(kind, 3):  # told where its mass is asked for
                continue
            for shape, along_z in DRAWN[kind](*size[: SIZES.get(kind, 3)]):
                at = place @ LinkPlace(np.array([0.0, 0.0, along_z]))
                out += self.files.made(node, {"shape": shape}, at, color)
        return out

    def _mesh_look(self, node: Node, color: str) -> list[Geometry]:
        name = node.text("mesh")
        asset = self.meshes.get(name)
        if asset is None:
            node.problem(f"there is no mesh `{name}` with a file", did_you_mean(name, self.meshes))
            return []
        scale = asset.numbers("scale", 3, (1.0, 1.0, 1.0))
        file = f"{self.mesh_folder}/{asset.text('file')}" if self.mesh_folder else asset.text("file")
        return self.files.piece(asset, file, self._place(node), scale, color)

    # -- defaults

    def _default(self, node: Node, name: str, outer: dict[str, dict[str, str]]) -> None:
        own = {tag: dict(values) for tag, values in outer.items()}
        for child in node.children:
            if child.tag != "default":
                own[child.tag] = own.get(child.tag, {}) | child.attributes
        self.defaults[name] = own
        for child in node.all("default"):
            self._default(child, child.text("class"), own)

    def _filled(self, node: Node, childclass: str) -> Node:
        """With what its class says beside."""
        name = node.attributes.get("class", childclass)
        if name not in self.defaults:
            node.problem(f"there is no class of defaults `{name}`", did_you_mean(name, self.defaults))
            return node
        attributes = self.defaults[name].get(node.tag, {}) | node.attributes
        return Node(node.tag, attributes, node.file, node.line, node.problems, node.children)

    # -- places and masses

    def _angle(self, value: float) -> float:
        return math.radians(value) if self.degrees else value

    def _place(self, node: Node) -> LinkPlace:
        return LinkPlace(np.array(node.numbers("pos", 3, (0.0,) * 3)), self._axes(node))

    def _axes(self, node: Node) -> np.ndarray:
        if "quat" in node.attributes:
            return from_quaternion(np.array(node.numbers("quat", 4, (1.0, 0.0, 0.0, 0.0))))
        if "axisangle" in node.attributes:
            *axis, angle = node.numbers("axisangle", 4, (0.0, 0.0, 1.0, 0.0))
            return about(np.array(axis), self._angle(angle))
        if "euler" in node.attributes:
            axes = np.eye(3)
            for letter, angle in zip(self.sequence, node.numbers("euler", 3, (0.0,) * 3), strict=False):
                step = about(np.eye(3)["xyz".index(letter.lower())], self._angle(angle))
                axes = axes @ step if letter.islower() else step @ axes
            return axes
        if "xyaxes" in node.attributes:
            six = np.array(node.numbers("xyaxes", 6, (1.0, 0, 0, 0, 1, 0)))
            x = six[:3] / np.linalg.norm(six[:3])
            y = six[3:] - x * (x @ six[3:])
            y = y / np.linalg.norm(y)
            return np.column_stack([x, y, np.cross(x, y)])
        if "zaxis" in node.attributes:
            return along(np.array(node.numbers("zaxis", 3, (0.0, 0.0, 1.0))))
        return np.eye(3)

    def _inertia(self, node: Node, childclass: str) -> LinkInertia:
        given = node.first("inertial")
        if given is not None and self.from_geoms != "true":
            place = self._place(given)
            mass = given.number("mass")
            if mass < 0:
                given.problem(f"the mass of {node.path} must not be negative, but is {mass:g} kg")
            if "fullinertia" in given.attributes:
                xx, yy, zz, xy, xz, yz = given.numbers("fullinertia", 6)
                tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                tensor = np.diag(given.numbers("diaginertia", 3, (0.0,) * 3))
            return LinkInertia(max(mass, 0.0), place.position, place.axes @ tensor @ place.axes.T)
        whole = LinkInertia()
        if self.from_geoms == "false":
            return whole
        for geom in node.all("geom"):
            whole = whole + self._geom(self._filled(geom, childclass))
        return whole

    def _geom(self, node: Node) -> LinkInertia:
        kind = node.attributes.get("type", "sphere")
        if kind not in SHAPES:
            if node.attributes.get("mass") != "0":
                node.problem(
                    f"a body's mass follows from a geom of type `{kind}`, which is not read",
                    "give the body <inertial>, or the geom mass 0",
                )
            return LinkInertia()
        place, size = self._geom_size(node, kind)
        needed = SIZES.get(kind, 3)
        if len(size) < needed or not all(x > 0 for x in size[:needed]):
            node.problem(
                f"`size` of a {kind} needs {needed} numbers above zero, but is `{node.text('size', '')}`"
            )
            return LinkInertia()
        volume, moments = SHAPES[kind](*size[:needed])
        mass = node.number("mass", node.number("density", 1000.0) * volume)
        tensor = place.axes @ np.diag(moments) @ place.axes.T * mass
        return LinkInertia(mass, place.position, tensor)

    def _geom_size(self, node: Node, kind: str) -> tuple[LinkPlace, list[float]]:
        """Where a geom stands and its sizes, also where its ends are given."""
        place, size = self._place(node), node.row("size")
        if "fromto" in node.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            ends = np.array(node.numbers("fromto", 6)).reshape(2, 3)
            place = LinkPlace(ends.mean(axis=0), along(ends[1] - ends[0]))
            half = float(np.linalg.norm(ends[1] - ends[0]) / 2)
            size = [*size[:1], half] if kind in ("capsule", "cylinder") else [*size[:1], *size[:1], half]
        return place, size
