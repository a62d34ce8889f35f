"""STL, binary and as text. It holds triangles and no unit."""

from __future__ import annotations

import struct
from typing import NoReturn

import numpy as np

from wheelwork.problems import ModelError

from .mesh import TriangleMesh

HEAD = 84
_RECORD = np.dtype([("numbers", "<f4", (4, 3)), ("attribute", "<u2")])


def read_stl(data: bytes, name: str) -> TriangleMesh:
    """The triangles of a file; normals in it are not read, the order of corners tells the outside."""
    if len(data) >= HEAD and len(data) == HEAD + _RECORD.itemsize * _count(data):
        return _binary(data, name)
    if data.lstrip()[:5].lower() == b"solid" and b"facet" in data[:100_000]:
        return _text(data, name)
    if len(data) < HEAD:
        _refuse(f"is not an STL file: it has {len(data)} bytes, and its header alone has {HEAD}", name)
    count = _count(data)
    _refuse(
        f"is damaged, or not an STL file: its header (byte 80) says {count} triangles, which take "
        f"{HEAD + _RECORD.itemsize * count} bytes, but it has {len(data)}",
        name,
    )


def write_stl(mesh: TriangleMesh, title: str, scale: float = 1e3) -> bytes:
    """Binary STL, in millimetres for points in metres: normal and three corners of each triangle."""
    corners = scale * mesh.points[mesh.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0)
    record = np.zeros(len(corners), _RECORD)
    record["numbers"] = np.concatenate([normal[:, None], corners], axis=1)
    return title.encode()[:80].ljust(80) + struct.pack("<I", len(record)) + record.tobytes()


def _count(data: bytes) -> int:
    return struct.unpack_from("<I", data, 80)[0]


def _binary(data: bytes, name: str) -> TriangleMesh:
    corners = np.frombuffer(data, _RECORD, offset=HEAD)["numbers"][:, 1:]
    wrong = np.flatnonzero(~np.isfinite(corners).all(axis=(1, 2)))
    if len(wrong):
        at = HEAD + _RECORD.itemsize * int(wrong[0])
        _refuse(f"has a triangle whose corners are not finite (number {wrong[0] + 1}, byte {at})", name)
    return _separate(corners.astype(float))


def _text(data: bytes, name: str) -> TriangleMesh:
    numbers: list[float] = []
    facets = 0
    for line, words in enumerate((raw.split() for raw in data.splitlines()), 1):
        if words[:1] == [b"facet"]:
            if len(numbers) != 9 * facets:
                _refuse("a facet begins before the one before it has three corners", f"{name}:{line}")
            facets += 1
        elif words[:1] == [b"vertex"]:
            try:
                corner = [float(word) for word in words[1:]]
            except ValueError:
                corner = []
            if len(corner) != 3 or not np.all(np.isfinite(corner)):
                text = b" ".join(words).decode("ascii", "replace")[:60]
                _refuse(f"a corner needs three finite numbers, but is `{text}`", f"{name}:{line}")
            numbers += corner
    if len(numbers) != 9 * facets:
        corners = len(numbers) // 3
        _refuse(
            f"has {facets} facets and {corners} corners, and needs three corners for each: it is cut off",
            name,
        )
    return _separate(np.array(numbers).reshape(-1, 3, 3))


def _separate(corners: np.ndarray) -> TriangleMesh:
    return TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def _refuse(text: str, where: str) -> NoReturn:
    raise ModelError(text, where, "", "export it again from the CAD program")
