"""Sections that tell what was run: title, the mechanism in motion, settings and extremes, events, provenance."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.lazy import Image
from wheelwork.results import Result
from wheelwork.show.figures.over_time import moving_and_zero
from wheelwork.show.player.film import Film
from wheelwork.show.player.player import fragment
from wheelwork.show.player.render import Painter
from wheelwork.show.report.html import card, facts, marked, note, section, side_by_side, table


def head(title: str, good: bool, outcome: str, words: str, comment: str) -> str:
    badge = f'<span class="badge{"" if good else " bad"}">{escape(outcome)}</span>'
    return (
        f"<header><div><h1>{escape(title)}</h1><p>{badge} <span class='soft'>{marked(words)}</span></p></div>"
        '<button id="theme" title="light or dark">◐</button></header>'
        + (f'<p class="comment">{marked(in_paragraphs(comment))}</p>' if comment else "")
    )


def in_paragraphs(text: str) -> str:
    """Lines of a comment joined to paragraphs."""
    return "\n".join(" ".join(lines.split()) for lines in text.strip().split("\n\n"))


# -- the mechanism in motion, and a still of it for paper and for browsers without WebGL


STILL = (800, 466)


def mechanism(film: Film) -> str:
    if not film.scene.names:
        return ""
    hint = "Drag to turn, wheel to zoom, double click to go back. Drag in a plot to choose the time."
    return (
        f'<section class="card stage">{fragment(film)}</section><img class="still" alt="the mechanism" '
        f'src="data:image/png;base64,{still(film)}"><p class="hint soft">{hint}</p>'
    )


def still(film: Film) -> str:
    """A picture in the middle of the film, as base64 of a PNG."""
    image = Image.fromarray(Painter(film, STILL).picture((film.start + film.end) / 2))
    out = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode("ascii")


# -- what was run: analysis, settings, how long it took; start, end and extremes of the coordinates


MOST_COORDINATES = 14
SECONDS = ("start", "end")


def run(result: Result) -> str:
    return section(
        "What was run", side_by_side(card(facts(_rows(result))), card(_coordinates(result))), name="run"
    )


def _rows(result: Result) -> list[tuple[str, str]]:
    statistics, analysis = result.statistics, result.provenance.analysis
    rows = [("analysis", str(analysis.get("type", "")))]
    rows += [
        (name.replace("_", " "), in_words(value) + (" s" if name in SECONDS else ""))
        for name, value in analysis.items()
        if name != "type" and value is not None
    ]
    rows.append(("engine", result.provenance.engine))
    if statistics.steps:
        rows.append(("steps", f"{statistics.steps}, and {statistics.rejected} rejected"))
        rows.append(("evaluations", str(statistics.evaluations)))
        rows.append(("coordinates", statistics.formulation))
    if statistics.seconds:
        span = float(result.t[-1] - result.t[0])
        rows.append(("took", f"{statistics.seconds:.3g} s, {span / statistics.seconds:.3g} times real time"))
    return rows


def in_words(value: Any) -> str:
    """A setting."""
    if isinstance(value, dict):
        rest = ", ".join(f"{name} {in_words(entry)}" for name, entry in value.items() if name != "type")
        return f"{value.get('type', '')}{f' ({rest})' if rest else ''}"
    if isinstance(value, list | tuple):
        return ", ".join(map(in_words, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _coordinates(result: Result) -> str:
    lines: list[list[str | float]] = []
    moving, zero = moving_and_zero(result)
    for name, values in list(moving.items())[:MOST_COORDINATES]:
        ends = (values[0], values[-1], np.nanmin(values), np.nanmax(values))
        lines.append([name, result.series(name).unit, *map(float, ends)])
    if not lines:
        return ""
    more = ", ..." if len(zero) > MOST_COORDINATES else ""
    none = f"always zero: {', '.join(zero[:MOST_COORDINATES])}{more}" if zero else ""
    return table(["coordinate", "unit", "start", "end", "least", "greatest"], lines) + note(none)


# -- impacts, sticking and sliding, teeth that skip, one by one


MOST = 200
IMPACTS = ("IMPACT", "REST")
"""Events that have an impulse."""


def events(result: Result) -> str:
    found = result.events
    rows: list[list[str | float]] = [
        [float(e.t), e.kind.name.lower(), e.element, float(e.size) if e.kind.name in IMPACTS else ""]
        for e in found[:MOST]
    ]
    more = f"and {len(found) - MOST} more" if len(found) > MOST else ""
    columns = ["time [s]", "what", "where", "impulse [N s]"]
    if all(row[3] == "" for row in rows):
        rows, columns = [row[:3] for row in rows], columns[:3]
    body = card(table(columns, rows) + note(more)) if rows else ""
    return section(f"Events ({len(found)})", body, name="events")


# -- where it comes from: model, parameters, version; and how to run it again


def provenance(
    about: Mapping[str, str], model: str, parameters: Mapping[str, float], units: Mapping[str, str]
) -> str:
    """`about`: name of the model, its file, version of `wheelwork`, date, as they are listed."""
    values: list[list[str | float]] = [
        [key, float(value), units.get(key, "")] for key, value in parameters.items()
    ]
    listed = side_by_side(card(facts(about.items())), card(table(["parameter", "value", "unit"], values)))
    made = f"Made by Wheelwork {escape(about['wheelwork'])}. This file needs no network and no other file."
    return section("Provenance", listed, _again(about["file"], model)) + f"<footer>{made}</footer>"


def _again(file: str, model: str) -> str:
    stem = Path(file).name or "model.yaml"
    lines = f"wheelwork run {stem}\nwheelwork view {stem}"
    return (
        '<div class="card again"><h3>How to run it again</h3><p>Save the model, then:</p>'
        f'<pre>{escape(lines)}</pre><p><button id="save" data-name="{escape(stem)}">Save {escape(stem)}</button></p>'
        f'<details><summary>Model, as it was run</summary><pre id="model">{escape(model)}</pre></details></div>'
    )
