"""Looks of robots: meshes and simple shapes of links, found beside the file that names them, and written beside one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from wheelwork.cad import TriangleMesh, write_stl
from wheelwork.description.body_geometry import Geometry
from wheelwork.description.whole_file import write_whole
from wheelwork.problems import ModelError
from wheelwork.show.scene import looks as scene_looks
from wheelwork.show.scene.solids import joined
from wheelwork.system.motion import Motion

from .markup import Node
from .notes import Note
from .places import LinkPlace, place_fields

Packages = Mapping[str, str | os.PathLike[str]]
WITHOUT_UNIT = (".stl", ".obj")


class MeshFiles:
    """Files of meshes that a robot names: inside the folder of its file, or in packages that were given."""

    def __init__(self, file: str, packages: Packages | None, notes: list[Note]) -> None:
        self.folder = Path(file).parent
        self.packages = {name: Path(folder) for name, folder in (packages or {}).items()}
        self.notes = notes

    def piece(
        self,
        node: Node,
        name: str,
        place: LinkPlace,
        scale: tuple[float, ...] = (1.0, 1.0, 1.0),
        color: str = "",
    ) -> list[Geometry]:
        """The mesh of a file, if it can be read; why not is reported."""
        found = self._find(node, name)
        if found is None:
            return []
        given: dict[str, Any] = {"file": str(found), "scale": tuple(map(float, scale))}
        if found.suffix.lower() in WITHOUT_UNIT:
            given["unit"] = "m"
        return self.made(node, given, place, color)

    def made(self, node: Node, given: dict[str, Any], place: LinkPlace, color: str = "") -> list[Geometry]:
        """A piece where it stands in its link; one that is wrong is reported and left out: it is for looks only."""
        given |= place_fields(place)
        if color:
            given["color"] = color
        try:
            return [Geometry(**given)]
        except ModelError as error:
            why = "; ".join(problem.message for problem in error.problems)
            self.notes.append(Note(node.where, f"looks of <{node.tag}> are left out: {why}"))
            return []

    def _find(self, node: Node, name: str) -> Path | None:
        package = re.fullmatch(r"(?:package|model)://([^/]+)/(.+)", name)
        rest = unquote(package[2] if package else name.removeprefix("file://"))
        roots = [self.folder / package[1], self.folder] if package else [self.folder]
        if package and package[1] in self.packages:
            roots = [self.packages[package[1]]]
        if "://" in rest:
            self._left(node, name, "such addresses are not opened")
            return None
        for root in roots:
            path = root / rest
            try:
                if not path.resolve().is_relative_to(root.resolve()):
                    self._left(node, name, f"it is outside the folder {root.resolve()}, and was not opened")
                    return None
                if path.is_file():
                    return path
            except (OSError, ValueError, RuntimeError):  # no name that a file could have, links in a circle
                break
        where = " or ".join(str(root / rest) for root in roots)
        hint = f"; `packages={{'{package[1]}': FOLDER}}` says where a package is" if package else ""
        self._left(node, name, f"there is no file {where}{hint}")
        return None

    def _left(self, node: Node, name: str, why: str) -> None:
        self.notes.append(Note(node.where, f"the mesh `{name}` is left out: {why}"))


def rgba_of(paint: str) -> list[float]:
    """Numbers from 0 to 1 of `#rrggbb`, and 1 for what is not transparent."""
    return [int(paint[k : k + 2], 16) / 255 for k in (1, 3, 5)] + [1.0]


def hex_color(rgba: tuple[float, ...] | list[float]) -> str:
    """`#rrggbb` of numbers from 0 to 1."""
    return "#" + "".join(f"{round(255 * min(max(x, 0.0), 1.0)):02x}" for x in rgba[:3])


def written_looks(
    motion: Motion, centers: Mapping[str, np.ndarray], path: str | os.PathLike[str]
) -> dict[str, list[tuple[str, str]]]:
    """Write the geometry of bodies as STL files in metres, in a folder beside a robot's file.

    centers: of mass, in the frames of the links; gives for each body (and `ground`) names of files and their colours
    """
    pieces: dict[tuple[str, str], list[Any]] = {}
    for look in scene_looks.looks(motion):
        body = "ground" if look.body < 0 else motion.program.bodies[look.body]
        pieces.setdefault((body, look.paint), []).append(look.solid.placed(centers.get(body, np.zeros(3))))
    out: dict[str, list[tuple[str, str]]] = {}
    folder = Path(f"{Path(path).stem}_meshes")
    for (body, paint), solids in pieces.items():
        found = joined(solids).triangles()
        plain = re.sub(r"[^A-Za-z0-9_-]", "_", body)
        file = folder / f"{plain}-{len(out.get(body, ())) + 1}.stl"
        (Path(path).parent / folder).mkdir(exist_ok=True)
        mesh = TriangleMesh(found.points, found.indices)
        write_whole(Path(path).parent / file, write_stl(mesh, f"Wheelwork, m: {body}", scale=1.0))
        out.setdefault(body, []).append((file.as_posix(), paint))
    return out
