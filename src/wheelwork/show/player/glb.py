"""A film as a GLB file (glTF 2.0, binary): a node for each body, its solids, and its motion as an animation.

Written from the specification (Khronos glTF 2.0): a header of 12 bytes, a JSON chunk that describes the scene, and a
chunk of little-endian numbers that its accessors point into. A node above all others turns our axes into those of glTF,
where +Y is up. Rotations are quaternions (x, y, z, w); readers go from one key to the next the short way round, so keys
stand close enough for the fastest body to turn by less than half a turn between them.
"""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np

from wheelwork.show.scene import GROUND, Line, Scene, ScenePart, Solid, upright
from wheelwork.show.scene.solids import bar, joined
from wheelwork.system.attitude import rotation_matrices

from .film import Film

FLOAT, UNSIGNED_INT = 5126, 5125
VERTICES, INDICES = 34962, 34963
TO_Y_UP = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]
"""Rows: from axes whose z is up to axes whose y is up."""


class _Document:
    """JSON and numbers of a file in the making."""

    def __init__(self) -> None:
        self.numbers = bytearray()
        self.json: dict[str, list[Any]] = {
            name: [] for name in ("nodes", "meshes", "materials", "accessors", "bufferViews")
        }

    def add(self, kind: str, entry: dict[str, Any]) -> int:
        self.json[kind].append(entry)
        return len(self.json[kind]) - 1

    def array(self, values: np.ndarray, component: int, target: int | None = None, ends: bool = False) -> int:
        """An accessor for rows of numbers; `ends` states least and greatest, as positions and times must."""
        values = np.ascontiguousarray(values, "<u4" if component == UNSIGNED_INT else "<f4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.numbers), "byteLength": values.nbytes}
        if target is not None:
            view["target"] = target
        self.numbers += values.tobytes()
        width = 1 if values.ndim == 1 else values.shape[1]
        entry: dict[str, Any] = {
            "bufferView": self.add("bufferViews", view),
            "componentType": component,
            "count": len(values),
            "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[width],
        }
        if ends:
            rows = values.reshape(len(values), -1)
            entry["min"], entry["max"] = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
        return self.add("accessors", entry)

    def packed(self, root: int, animation: dict[str, Any] | None = None) -> bytes:
        """The file, with the scene that hangs from a node."""
        numbers = bytes(self.numbers)
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Wheelwork"},
            "scene": 0,
            "scenes": [{"nodes": [root]}],
            **{kind: entries for kind, entries in self.json.items() if entries},
        }
        if animation:
            document["animations"] = [{"name": "motion", **animation}]
        if numbers:
            document["buffers"] = [{"byteLength": len(numbers)}]
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if numbers:
            numbers += b"\0" * (-len(numbers) % 4)
            chunks += struct.pack("<II", len(numbers), 0x004E4942) + numbers
        return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def glb(film: Film, name: str = "mechanism") -> bytes:
    """The bytes of the file."""
    scene, document = film.scene, _Document()
    bodies = [_body(document, scene, k) for k in (*range(len(scene.names)), GROUND)]
    times, position, orientation = keys(film)
    lines = [_Stretch(line, position, orientation) for line in scene.lines]
    bodies += [line.node(document, scene.radius) for line in lines]
    tracks: list[tuple[int, str, np.ndarray]] = []
    if film.end > film.start:
        for k in range(len(scene.names)):
            tracks += [(k, "translation", position[:, k]), (k, "rotation", orientation[:, k])]
        for k, line in enumerate(lines, start=len(scene.names) + 1):
            tracks += [(k, path, values) for path, values in line.tracks.items()]
    turned = np.array(TO_Y_UP) @ upright(scene.up)
    matrix = np.eye(4)
    matrix[:3, :3] = turned.T  # a matrix of glTF is written by columns
    root = document.add("nodes", {"name": name, "children": bodies, "matrix": matrix.ravel().tolist()})
    return document.packed(root, _animation(document, times, tracks) if tracks else None)


def solid_glb(solid: Solid, name: str) -> bytes:
    """One solid that stands still, z up here, y up there."""
    document = _Document()
    part = ScenePart(GROUND, solid, "wheel", name)
    mesh = document.add("meshes", {"name": name, "primitives": _primitives(document, [part])})
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(TO_Y_UP).T
    return document.packed(
        document.add("nodes", {"name": name, "mesh": mesh, "matrix": matrix.ravel().tolist()})
    )


def _body(document: _Document, scene: Scene, body: int) -> int:
    """The node of a body with its solids."""
    node: dict[str, Any] = {"name": "ground" if body == GROUND else scene.names[body]}
    primitives = _primitives(document, [part for part in scene.parts if part.body == body])
    if primitives:
        node["mesh"] = document.add("meshes", {"name": node["name"], "primitives": primitives})
    if body != GROUND:
        node["translation"] = scene.position[0, body].tolist()
        node["rotation"] = _xyzw(scene.orientation[0, body]).tolist()
    return document.add("nodes", node)


def _primitives(document: _Document, parts: list[ScenePart], alpha: float = 1.0) -> list[dict[str, Any]]:
    """Solids of one body as triangles, one primitive for each colour and tone."""
    groups: dict[str, list[Solid]] = {}
    for part in parts:
        if part.solid.faces:
            groups.setdefault(part.color, []).append(part.solid)
    out = []
    for color, solids in groups.items():
        found = joined(solids).triangles()
        tones = found.tones[found.indices[:, 0]]
        for tone in np.unique(tones):
            used, indices = np.unique(found.indices[tones == tone], return_inverse=True)
            attributes = {
                "POSITION": document.array(found.points[used], FLOAT, VERTICES, ends=True),
                "NORMAL": document.array(found.normals[used], FLOAT, VERTICES),
            }
            triangles = document.array(indices.ravel(), UNSIGNED_INT, INDICES)
            material = _material(document, color, int(tone), alpha)
            out.append({"attributes": attributes, "indices": triangles, "material": material})
    return out


def _material(document: _Document, color: str, tone: int, alpha: float) -> int:
    """Colours on screens are not linear in light; those of glTF are."""
    name = f"{color}{' dark' if tone else ''}"
    for k, known in enumerate(document.json["materials"]):
        if known["name"] == name:
            return k
    screen = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in screen]
    factor = [round(c * (0.7 if tone else 1.0), 5) for c in linear]
    surface = {"baseColorFactor": [*factor, alpha], "metallicFactor": 0.1, "roughnessFactor": 0.6}
    glass = {} if alpha == 1.0 else {"alphaMode": "BLEND"}
    return document.add("materials", {"name": name, "pbrMetallicRoughness": surface, **glass})


def _animation(
    document: _Document, times: np.ndarray, tracks: list[tuple[int, str, np.ndarray]]
) -> dict[str, Any]:
    """Values of nodes' translation, rotation or scale at the times."""
    clock = document.array(times, FLOAT, ends=True)
    samplers, channels = [], []
    for node, path, values in tracks:
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        samplers.append({"input": clock, "output": document.array(values, FLOAT)})
    return {"samplers": samplers, "channels": channels}


class _Stretch:
    """A rod or spring as a bar of unit length along z, moved, turned and stretched to lie between its ends."""

    def __init__(self, line: Line, position: np.ndarray, orientation: np.ndarray):
        self.kind = line.kind
        start, end = (self._end(body, point, position, orientation) for body, point in line.ends)
        along = end - start
        length = np.linalg.norm(along, axis=1, keepdims=True)
        x, y, z = (along / np.where(length > 0, length, 1.0)).T
        # the shortest turn from z to the direction; from -z any half turn will do
        q = np.stack([-y, x, np.zeros_like(z), 1 + z], axis=1)
        q[1 + z < 1e-9] = [1.0, 0.0, 0.0, 0.0]
        self.tracks = {
            "translation": start,
            "rotation": q / np.linalg.norm(q, axis=1, keepdims=True),
            "scale": np.concatenate([np.ones((len(length), 2)), np.maximum(length, 1e-9)], axis=1),
        }

    @staticmethod
    def _end(body: int, point: np.ndarray, position: np.ndarray, orientation: np.ndarray) -> np.ndarray:
        if body == GROUND:
            return np.repeat(point[None, :], len(position), 0)
        x, y, z, w = orientation[:, body].T
        return position[:, body] + rotation_matrices(np.stack([w, x, y, z], axis=1)) @ point

    def node(self, document: _Document, radius: float) -> int:
        thick = (0.024 if self.kind == "rod" else 0.012) * radius
        part = ScenePart(GROUND, bar(np.zeros(3), np.array([0.0, 0.0, 1.0]), thick, 10), "link", self.kind)
        mesh = document.add("meshes", {"name": self.kind, "primitives": _primitives(document, [part])})
        first = {path: values[0].tolist() for path, values in self.tracks.items()}
        return document.add("nodes", {"name": self.kind, "mesh": mesh, **first})


MOST_KEYS = 6000
KEY_ANGLE = 0.15
"""rad that a body turns from one key to the next, if the keys suffice: readers draw a chord in place of an arc, and
1 - cos(0.15/2) = 0.3 % of its radius is not seen."""


def keys(film: Film) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times from zero, positions (K, B, 3) and quaternions (K, B, 4) as x, y, z, w without jumps of sign."""
    frames = len(film.scene.t)
    largest = float(np.max(np.linalg.norm(film.rotation, axis=2), initial=0.0))
    between = min(max(1, math.ceil(largest / KEY_ANGLE)), max(1, MOST_KEYS // frames))
    times = np.linspace(film.start, film.end, (frames - 1) * between + 1)
    poses = [film.pose(float(t)) for t in times]
    position = np.nan_to_num(np.stack([x for x, _ in poses]))
    e = np.stack([e for _, e in poses])
    e = np.nan_to_num(e / np.linalg.norm(e, axis=2, keepdims=True))
    same = np.sum(e[1:] * e[:-1], axis=2) >= 0
    e[1:] *= np.cumprod(np.where(same, 1.0, -1.0), axis=0)[:, :, None]
    return times - times[0], position, _xyzw(e)


def _xyzw(e: np.ndarray) -> np.ndarray:
    return np.concatenate([e[..., 1:], e[..., :1]], axis=-1)
