"""Wavefront OBJ: corners and faces; looks, materials and normals in it are not read, and it has no unit."""

from __future__ import annotations

import numpy as np

from wheelwork.problems import ModelError

from .mesh import TriangleMesh


def read_obj(data: bytes, name: str) -> TriangleMesh:
    """The faces of a file as fans of triangles."""
    points: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line, raw in enumerate(data.replace(b"\\\n", b" ").replace(b"\\\r\n", b" ").splitlines(), 1):
        words = raw.split()
        if not words or words[0] not in (b"v", b"f"):
            continue
        try:
            if words[0] == b"v":
                corner = [float(word) for word in words[1:4]]
                if len(corner) != 3 or not np.all(np.isfinite(corner)):
                    raise ValueError("a corner needs three finite numbers")
                points.append(corner)
            else:
                face = [_index(word, len(points)) for word in words[1:]]
                if len(face) < 3:
                    raise ValueError(f"a face needs three corners, and has {len(face)}")
                triangles += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
        except ValueError as error:
            text = raw.decode("ascii", "replace").strip()[:60]
            hint = "export it again from the CAD program"
            raise ModelError(f"{error}: `{text}`", f"{name}:{line}", "", hint) from None
    return TriangleMesh(np.array(points, float).reshape(-1, 3), np.array(triangles, int).reshape(-1, 3))


def _index(word: bytes, known: int) -> int:
    """`7`, `7/2/3` or `-1`, counted from 1 or back from the last corner."""
    number = int(word.split(b"/")[0])
    place = number - 1 if number > 0 else known + number
    if number == 0 or not 0 <= place < known:
        raise ValueError(f"there is no corner {number}, of {known} so far")
    return place
