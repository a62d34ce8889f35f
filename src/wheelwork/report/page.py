"""A report: one HTML file that needs nothing else, with an animation, plots, events and provenance."""

from __future__ import annotations

import json
import math
import os
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.scene import Scene, make_scene, upright

from .choose import Panel, coordinates, panels
from .plots import Drawing, draw

if TYPE_CHECKING:
    from wheelwork.results import Result

MOST_FRAMES, MOST_NUMBERS = 400, 200_000
MOST_EVENTS = 200


def write_report(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the report of a result to an HTML file."""
    from wheelwork.results.files import reserved

    text = report_page(result)
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    with reserved(target, partial):
        partial.write_text(text, encoding="utf-8", newline="\n")


def report_page(result: Result) -> str:
    """The report as HTML text."""
    shown = panels(result)
    drawings = [draw(panel, result.t) for panel in shown]
    frames = _frames(result)
    scene = make_scene(frames.motion, divided=True)
    folder = files("wheelwork.report")
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    data = json.dumps(_data(scene, shown, drawings, result), separators=(",", ":"), ensure_ascii=False)
    data = data.replace("</", r"<\/")  # a name may not end the script
    title = result.provenance.name or "Result"
    body = "\n".join(
        part
        for part in (
            _head(result, title),
            _stage(scene, result),
            _summary(result),
            _plots(shown, drawings),
            _events(result),
            _provenance(result),
        )
        if part
    )
    return (
        "<!doctype html>\n"
        f'<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Wheelwork</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n"
        f'<script type="application/json" id="data">{data}</script>\n'
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


# -- data for the script


def _frames(result: Result) -> Result:
    """The result at equal steps, few enough to be played."""
    if len(result.t) < 2:
        return result
    bodies = max(1, len(result.motion.program.bodies))
    count = min(MOST_FRAMES, max(60, MOST_NUMBERS // (7 * bodies)), 4 * len(result.t))
    return result.at(np.linspace(result.t[0], result.t[-1], count))


def _data(scene: Scene, shown: list[Panel], drawings: list[Drawing], result: Result) -> dict[str, Any]:
    digits = max(0, 4 - math.floor(math.log10(scene.radius)))
    orientation = _continuous(scene.orientation)
    poses = np.concatenate([np.round(scene.position, digits), np.round(orientation, 5)], axis=2)
    span = float(scene.t[-1] - scene.t[0])
    turned = upright(scene.up)
    return {
        "t": _rounded(scene.t, 8),
        "digits": max(0, 3 - math.floor(math.log10(span))) if span > 0 else 3,
        "bodies": scene.names,
        "poses": poses.ravel().tolist(),
        "parts": [
            {
                "body": part.body,
                "symbol": part.symbol,
                "corners": np.round(part.solid.corners, digits).tolist(),
                "faces": part.solid.faces,
                "tones": part.solid.tones,
            }
            for part in scene.parts
        ],
        "lines": [
            {
                "kind": line.kind,
                "ends": [[body, np.round(point, digits).tolist()] for body, point in line.ends],
            }
            for line in scene.lines
        ],
        "upright": turned.tolist(),
        "view": scene.view,
        "center": scene.center.tolist(),
        "radius": scene.radius,
        "floor": scene.floor,
        "panels": [
            {
                "left": drawing.left,
                "right": drawing.right,
                "start": drawing.start,
                "end": drawing.end,
                "values": [_rounded(np.interp(scene.t, result.t, values), 5) for _, values in panel.lines],
            }
            for panel, drawing in zip(shown, drawings, strict=True)
        ],
    }


def _continuous(e: np.ndarray) -> np.ndarray:
    """Euler parameters without jumps between e and -e."""
    out = np.array(e)
    same = np.sum(out[1:] * out[:-1], axis=2) >= 0
    signs = np.cumprod(np.where(same, 1.0, -1.0), axis=0)
    out[1:] *= signs[:, :, None]
    return out


def _rounded(values: np.ndarray, digits: int) -> list[float | None]:
    """Significant digits; JSON has no nan."""
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values.tolist()]


# -- parts of the page


def _head(result: Result, title: str) -> str:
    word = result.outcome.name.lower().replace("_", " ")
    badge = f'<span class="badge{"" if result.outcome.good else " bad"}">{escape(word)}</span>'
    comment = _comment(result)
    return (
        f"<header><div><h1>{escape(title)}</h1>"
        f"<p>{badge} <span class='soft'>{escape(result.report)}</span></p></div>"
        '<button id="theme" title="light or dark">◐</button></header>'
        + (f'<p class="comment">{escape(comment)}</p>' if comment else "")
    )


def _comment(result: Result) -> str:
    """The model's own words, its lines joined to paragraphs."""
    from wheelwork.model.read import loads

    text = loads(result.provenance.model).comment
    return "\n".join(" ".join(lines.split()) for lines in text.strip().split("\n\n"))


def _stage(scene: Scene, result: Result) -> str:
    if not scene.names:
        return ""
    names = "".join(
        f'<span><i class="swatch" style="background: var(--c{k % 8})"></i>{escape(name)}</span>'
        for k, name in enumerate(scene.names[:16])
    )
    span = float(scene.t[-1] - scene.t[0])
    return (
        f'<section class="card stage"><canvas id="canvas"></canvas><div class="names">{names}</div>'
        '<div class="grid-size" id="grid"></div>'
        '<div class="controls"><button id="play">▶ Play</button>'
        '<input type="range" id="slider" min="0" max="1000" step="any" value="0" aria-label="time">'
        f'<output id="time"></output>{_speeds(span)}</div></section>'
        '<p class="soft" style="font-size: 12.5px; margin-top: 6px">Drag to turn, wheel to zoom, double click to go '
        "back. Drag in a plot to choose the time.</p>"
    )


def _speeds(span: float) -> str:
    """Choices of playing speed: real time where that takes a few seconds, else what makes it so."""
    normal = 1.0
    if span > 0 and not 2 <= span <= 60:
        normal = float(f"{span / 10:.1g}")
    choices = [normal * factor for factor in (0.1, 0.25, 0.5, 1, 2, 5)]
    if all(abs(choice - 1) > 1e-9 for choice in choices):
        choices = sorted([*choices, 1.0])
    options = "".join(
        f'<option value="{choice:g}"{" selected" if choice == normal else ""}>'
        f"{'real time' if abs(choice - 1) < 1e-9 else f'{choice:g} ×'}</option>"
        for choice in choices
    )
    return f'<select id="speed" aria-label="speed">{options}</select>'


def _summary(result: Result) -> str:
    statistics, analysis = result.statistics, result.provenance.analysis
    rows = [("analysis", str(analysis.get("type", "")))]
    rows += [
        (name.replace("_", " "), _setting(value))
        for name, value in analysis.items()
        if name != "type" and value is not None
    ]
    rows.append(("engine", result.provenance.engine))
    if statistics.steps:
        rows.append(("steps", f"{statistics.steps}, and {statistics.rejected} rejected"))
        rows.append(("evaluations", str(statistics.evaluations)))
        rows.append(("coordinates", statistics.formulation))
    if result.redundant:
        rows.append(("redundant constraints", ", ".join(result.redundant)))
    lines = []
    for name in coordinates(result)[:14]:
        array = result[name]
        values = array.to_numpy()
        cells = "".join(_number(v) for v in (values[0], values[-1], np.nanmin(values), np.nanmax(values)))
        lines.append(f"<tr><td>{escape(name)}</td><td>{escape(array.attrs['units'])}</td>{cells}</tr>")
    head = "".join(f'<th class="number">{h}</th>' for h in ("start", "end", "least", "greatest"))
    figures = (
        f'<div class="card scroll"><table><tr><th>coordinate</th><th>unit</th>{head}</tr>{"".join(lines)}</table></div>'
        if lines
        else ""
    )
    return f'<h2>What was run</h2><div class="tables"><div class="card scroll">{_facts(rows)}</div>{figures}</div>'


def _setting(value: Any) -> str:
    if isinstance(value, dict):
        rest = ", ".join(f"{name} {_setting(entry)}" for name, entry in value.items() if name != "type")
        return f"{value.get('type', '')}{f' ({rest})' if rest else ''}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _facts(rows: list[tuple[str, str]]) -> str:
    cells = "".join(
        f'<tr><td class="key">{escape(name)}</td><td class="text">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f"<table>{cells}</table>"


def _number(value: float) -> str:
    """Nothing is a whole 1e-17 metres long: what rounding leaves is shown as zero."""
    text = "0" if abs(value) < 1e-13 else f"{value:.5g}".replace("e-0", "e-").replace("e+0", "e+")
    return f'<td class="number">{text}</td>'


def _plots(shown: list[Panel], drawings: list[Drawing]) -> str:
    out = []
    for k, (panel, drawing) in enumerate(zip(shown, drawings, strict=True)):
        legend = "".join(
            f'<span><i class="swatch" style="background: var(--c{i})"></i>{escape(label)} <b></b></span>'
            for i, (label, _) in enumerate(panel.lines)
        )
        more = f'<span class="soft">and {panel.more} more</span>' if panel.more else ""
        note = f'<p class="note">{escape(panel.note)}</p>' if panel.note else ""
        out.append(
            f'<figure class="card" data-panel="{k}"><figcaption>{escape(panel.title)} '
            f'<span>[{escape(panel.unit)}]</span></figcaption><div class="legend">{legend}{more}</div>{note}'
            f"{drawing.svg}</figure>"
        )
    return f'<h2>Signals</h2><div class="plots">{"".join(out)}</div>' if out else ""


def _events(result: Result) -> str:
    if not result.events:
        return ""
    rows = "".join(
        f'<tr><td class="number">{event.t:.6g}</td><td>{escape(event.kind.name.lower())}</td>'
        f"<td>{escape(event.element)}</td>{_number(event.size) if event.size else '<td></td>'}</tr>"
        for event in result.events[:MOST_EVENTS]
    )
    more = len(result.events) - MOST_EVENTS
    left = f'<p class="soft">and {more} more</p>' if more > 0 else ""
    return (
        f'<h2>Events ({len(result.events)})</h2><div class="card scroll"><table><tr><th class="number">time [s]</th>'
        f'<th>what</th><th>where</th><th class="number">impulse [N s]</th></tr>{rows}</table>{left}</div>'
    )


def _provenance(result: Result) -> str:
    p = result.provenance
    rows = [("model", p.name or "(no name)"), ("file", p.file), ("wheelwork", p.version), ("date", p.date)]
    units = result.motion.program.flat.parameter_units
    parameters = "".join(
        f"<tr><td>{escape(name)}</td>{_number(value)}<td>{escape(units.get(name, ''))}</td></tr>"
        for name, value in p.parameters.items()
    )
    table = (
        f'<div class="card scroll"><table><tr><th>parameter</th><th class="number">value</th><th>unit</th></tr>'
        f"{parameters}</table></div>"
        if parameters
        else ""
    )
    facts = _facts([(name, value) for name, value in rows if value])
    return (
        f'<h2>Provenance</h2><div class="tables"><div class="card scroll">{facts}</div>{table}</div>'
        f'<details class="card"><summary>Model, as it was run</summary><pre>{escape(p.model)}</pre></details>'
        f"<footer>Made by Wheelwork {escape(p.version)}. This file needs no network and no other file.</footer>"
    )
