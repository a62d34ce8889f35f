"""A film as a piece of HTML that plays it: drawn with WebGL by our own script, nothing fetched from anywhere.

A page has `style()` and `script()` once and a `fragment(film)` for each film; `page(film)` is a whole page, and
`InlinePlayer` one inside a notebook's.
"""

from __future__ import annotations

import base64
import json
import math
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.show.scene import COLORS, ScenePart, Solid, upright
from wheelwork.show.scene.solids import joined

from .film import Film

if TYPE_CHECKING:
    from .plots import SignalPlots


def style() -> str:
    """CSS of the player."""
    return _asset("player.css")


def script() -> str:
    """JavaScript of the player; `wheelworkPlayer(element)` starts one in the element of a fragment."""
    return "".join(_asset(f"player{part}.js") for part in ("_stage", "_plots", ""))


def fragment(film: Film, *, named: bool = False, plots: SignalPlots | None = None, live: bool = False) -> str:
    """The element in which a film plays.

    named: names of joints and meshes are shown from the start
    plots: signals to plot beside it
    live: there is a server, which has the data of any of them; else those come along that are shown at first
    """
    content = film_data(film, named)
    if plots is not None and film.end > film.start:
        content["signals"] = {
            "names": plots.names,
            "shown": [plots.data(name) for name in plots.at_first],
            "live": live,
        }
    data = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    data = data.replace("<", r"\u003c")  # no text may end the script
    return f'<div class="player"><script type="application/json">{data}</script></div>'


def page(film: Film, title: str, **content: Any) -> str:
    """A whole HTML page with a film; `content` as `fragment` has it."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Wheelwork</title>\n<style>\n{style()}{_asset('player_page.css')}</style>\n</head>\n"
        f'<body>\n<header><h1>{escape(title)}</h1><button id="theme" title="light or dark">◐</button></header>\n'
        f"{fragment(film, **content)}\n<script>\n{script()}{_asset('player_page.js')}</script>\n</body>\n</html>\n"
    )


def film_data(film: Film, named: bool = False) -> dict[str, Any]:
    """What the script needs, ready for JSON; arrays are base64 of little-endian numbers."""
    scene = film.scene
    meshes, parts = _meshes(scene.parts)
    span = film.end - film.start
    speed, speeds = playing_speeds(span)
    return {
        "start": film.start,
        "end": film.end,
        "digits": max(0, 3 - math.floor(math.log10(span))) if span > 0 else 3,
        "speed": speed,
        "speeds": speeds,
        "frames": len(scene.t),
        "bodies": scene.bodies,
        "movers": scene.movers,
        "colors": [COLORS[k % len(COLORS)] for k in range(len(scene.bodies))],
        "poses": encoded(_poses(film), "<f4"),
        "meshes": meshes,
        "parts": parts,
        "lines": [
            {"kind": line.kind, "ends": [[body, [float(c) for c in point]] for body, point in line.ends]}
            for line in scene.lines
        ],
        "labels": [
            {
                "name": label.name,
                "kind": label.kind,
                "type": label.type,
                "body": label.body,
                "point": [float(c) for c in label.point],
                "axis": None if label.axis is None else [float(c) for c in label.axis],
            }
            for label in scene.labels
        ],
        "named": named,
        "arrows": _arrows(film),
        "upright": upright(scene.up).tolist(),
        "view": list(scene.view),
        "center": scene.center.tolist(),
        "radius": scene.radius,
        "floor": scene.floor,
        "notes": [note for note in (*scene.notes, film.note) if note],
        "problems": film.problems,
    }


def playing_speeds(span: float) -> tuple[float, list[float]]:
    """The speed at first, and others: real time where that takes a few seconds, else what makes it so."""
    normal = 1.0
    if span > 0 and not 2 <= span <= 60:
        normal = float(f"{span / 10:.1g}")
    speeds = [float(f"{normal * factor:.3g}") for factor in (0.01, 0.1, 0.25, 0.5, 1, 2, 5)]
    return normal, sorted({*speeds, 1.0})


def _asset(name: str) -> str:
    return (files("wheelwork.show.player") / name).read_text(encoding="utf-8")


def encoded(values: np.ndarray, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode("ascii")


def _poses(film: Film) -> np.ndarray:
    """(F, B, 13): position, way in a frame's time at the speed there, Euler parameters, rotation to the next frame."""
    scene = film.scene
    step = (film.end - film.start) / max(1, len(scene.t) - 1)
    every = [scene.position, step * film.velocity, scene.orientation, film.rotation]
    return np.nan_to_num(np.concatenate(every, axis=2))


def _meshes(parts: list[ScenePart]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Solids of one body and colour become one mesh; equal meshes are stored once."""
    groups: dict[tuple[int, str], list[Solid]] = {}
    for part in parts:
        groups.setdefault((part.body, part.color), []).append(part.solid)
    meshes: list[dict[str, Any]] = []
    known: dict[str, int] = {}
    out = []
    for (body, color), solids in groups.items():
        mesh = _mesh(joined(solids))
        if mesh is None:
            continue
        index = known.setdefault(json.dumps(mesh), len(meshes))
        if index == len(meshes):
            meshes.append(mesh)
        out.append({"body": body, "color": color, "mesh": index})
    return meshes, out


def _mesh(solid: Solid) -> dict[str, Any] | None:
    """Corners as parts of 32767 of the half extents, which is finer than any screen."""
    found = solid.triangles()
    if not len(found.indices):
        return None
    low, high = found.points.min(axis=0), found.points.max(axis=0)
    offset, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-12)
    wide = len(found.points) > 65535
    return {
        "p": encoded(np.round((found.points - offset) / half * 32767), "<i2"),
        "n": encoded(np.round(found.normals * 127), "i1"),
        "k": encoded(found.tones, "u1"),
        "i": encoded(found.indices, "<u4" if wide else "<u2"),
        "wide": wide,
        "offset": [float(f"{c:.7g}") for c in offset],
        "scale": [float(f"{c:.7g}") for c in half],
    }


def _arrows(film: Film) -> dict[str, Any] | None:
    found = film.arrows
    if found is None or not film.arrow_scale:
        return None
    return {
        "names": found.names,
        "kinds": found.kinds,
        "points": encoded(np.nan_to_num(found.points), "<f4"),
        "vectors": encoded(np.nan_to_num(found.vectors), "<f4"),
        "largest": found.largest,
        "scale": film.arrow_scale,
    }


class InlinePlayer:
    """A film that a notebook shows where it is the value of a cell, in a frame of its own: the page of the report.

    Nothing is loaded from elsewhere, and the frame reaches nothing of the notebook.
    """

    def __init__(self, film: Film, title: str, height: int, plots: SignalPlots | None = None) -> None:
        self.html = page(film, title, plots=plots)
        """The whole page."""
        self._height = height
        self._title = title

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self._height}px; border: 1px solid #8884; border-radius: 6px"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.html)}"></iframe>'

    def __repr__(self) -> str:
        return f"<player of {self._title!r}: notebooks show it; `animate` writes it to a file>"
