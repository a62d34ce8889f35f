"""Reports of vibration: modes, Campbell diagrams, frequency responses, sweeps."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from wheelwork.analyses import Assembled, assemble
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.linear_equations import Linearised
from wheelwork.analyses.vibration import Campbell, FrequencyResponse, Modes, Stability, Sweep
from wheelwork.description.read import loads
from wheelwork.show.figures.modes import mode_shapes
from wheelwork.show.figures.stability import stability_chart
from wheelwork.show.figures.vibration import campbell_diagram, frequency_response, response_curves
from wheelwork.show.player.film import film_of_motion
from wheelwork.show.player.modes import film_of_mode
from wheelwork.show.player.player import fragment

from . import page
from .html import attempt, card, failed, note, picture, section, table
from .page import checked, remarks
from .sections.run import head, mechanism, provenance
from .sections.structure import structure
from .sections.warnings import of_structure, of_teeth, warnings
from .svg import PAGE, inline

# -- reports of vibration: modes, Campbell diagrams, frequency responses, sweeps


MOVING = 4
"""Modes that are shown moving."""
MOST_ROWS = 60


def vibration_page(found: Any) -> str:
    """The report of one of these analyses."""
    kinds = {
        Modes: _modes,
        Campbell: _campbell,
        FrequencyResponse: _response,
        Sweep: _sweep,
        Stability: _stability,
    }
    make = next((make for kind, make in kinds.items() if isinstance(found, kind)), None)
    if make is None:
        names = ", ".join(["Result", *(kind.__name__ for kind in kinds)])
        raise TypeError(f"needs what an analysis found ({names}), but is a {type(found).__name__}")
    about = found.dataset.attrs
    title = about["title"] or "Result"
    model, parameters = str(about["model"]), json.loads(about["parameters"])
    try:
        words, good, parts, at = make(found)
    except Exception as error:  # as in `attempt`
        words, good, parts, at = "", True, [section(str(about["analysis"]), note(failed(error)))], None
    at = assemble(loads(model), parameters=parameters) if at is None else at
    flat, check = at.prepared.flat, cache(lambda: checked(at.prepared))
    body = [
        head(title, good, str(about["analysis"]), words, flat.comment),
        attempt("Mechanism", lambda: mechanism(film_of_motion(at.motion))),
        warnings([*remarks(lambda: of_structure(check())), *remarks(lambda: of_teeth(flat))]),
        *parts,
        attempt("Structure", lambda: structure(flat, check())),
        provenance(
            {
                "model": title,
                "file": at.prepared.description.source_file,
                "wheelwork": about["wheelwork_version"],
            },
            model,
            parameters,
            flat.parameter_units,
        ),
    ]
    return page.whole_page(title, body, {"start": 0.0, "end": 0.0, "panels": []})


Made = tuple[str, bool, list[str], "Assembled | None"]


def _modes(modes: Modes) -> Made:
    rows: list[list[str | float]] = [
        [
            str(mode.number),
            mode.natural_frequency,
            mode.frequency,
            100 * mode.damping if np.isfinite(mode.damping) else "",
            mode.kind,
            ", ".join(name for name, *_ in mode.moving(0.1)[:3]),
            ", ".join(name for name, _ in mode.straining(0.1)[:3]),
        ]
        for mode in list(modes)[:MOST_ROWS]
    ]
    columns = ["mode", "natural [Hz]", "damped [Hz]", "damping [%]", "kind", "moving", "straining"]
    if not any(mode.kind for mode in modes):
        columns.remove("kind")
        rows = [row[:4] + row[5:] for row in rows]
    vibrating = [mode for mode in modes if mode.natural_frequency > 0]
    moving = "".join(
        f'<figure class="card stage"><figcaption>{mode}</figcaption>{film}</figure>'
        for mode in vibrating[:MOVING]
        for film in [fragment(film_of_mode(modes, mode))]
    )
    parts = [
        section("Modes", card(table(columns, rows)) + _assumptions(modes.linear)),
        section("Shapes", f'<div class="plots">{moving}</div>' if moving else ""),
        section(
            "Where the energy is",
            picture(inline(mode_shapes(modes, theme=PAGE)), "Of the motion, and in the elements that deform"),
            name="energies",
        )
        if len(modes)
        else "",
    ]
    lowest = f", the lowest at {vibrating[0].natural_frequency:.5g} Hz" if vibrating else ""
    return f"{len(vibrating)} modes that vibrate{lowest}", True, parts, modes.linear.at


def _assumptions(linear: Linearised | Stability) -> str:
    """What clutches, dry friction and teeth count as in linear equations."""
    return "".join(note(f"{words}: {names}") for words, names in linear.assumptions)


def _campbell(campbell: Campbell) -> Made:
    at = campbell.first.linear.at
    unit = at.prepared.flat.parameter_units.get(campbell.parameter, "")
    found = campbell.criticals()
    rows: list[list[str | float]] = [
        [point.value, point.frequency, f"{point.order:g}", str(point.mode), point.whirl]
        for point in found[:MOST_ROWS]
    ]
    heading = f"{campbell.parameter} [{unit}]" if unit else campbell.parameter
    parts = [
        section(
            "Campbell diagram",
            picture(inline(campbell_diagram(campbell, theme=PAGE)), f"over {heading}")
            + _assumptions(campbell.last.linear),
        ),
        section(
            "Critical values",
            card(table([heading, "frequency [Hz]", "order", "mode", "whirl"], rows)),
            note("" if rows else "No order meets a mode in this range."),
        ),
    ]
    low, high = float(campbell.values[0]), float(campbell.values[-1])
    words = f"{campbell.parameter} from {low:.5g} to {high:.5g} {unit}; critical values: {len(found)}"
    return words, True, parts, at


def _stability(found: Stability) -> Made:
    if found.parameters:
        drawn = picture(inline(stability_chart(found, theme=PAGE)), f"over {' and '.join(found.parameters)}")
        zones = card(table(found.columns, [list(row) for row in found.rows()[:MOST_ROWS]]))
        parts = [section("Stability chart", drawn + _assumptions(found))]
        parts.append(section("Zones", zones if found.zones else note("No motion grows in this range.")))
    else:
        rows: list[list[str | float]] = [
            [float(x.real), float(abs(x.imag)) / (2 * np.pi)] for x in found.exponents if x.imag >= 0
        ]
        columns = ["growth [1/s]", "frequency [Hz]"]
        parts = [section("Exponents", card(table(columns, rows[:MOST_ROWS])) + _assumptions(found))]
    return found.words, found.report == "complete", parts, found.first.linear.at


def _response(response: FrequencyResponse) -> Made:
    rows: list[list[str | float]] = []
    for name, unit in zip(response.signals, response.units, strict=True):
        size = np.abs(response[name])
        for k in response.peaks(name):
            phase = float(np.degrees(np.angle(response[name][k])))
            rows.append([name, unit, float(response.frequencies[k]), float(size[k]), phase])
    parts = [
        section(
            "Frequency response",
            picture(inline(frequency_response(response, theme=PAGE)), response.input)
            + _assumptions(response.linear),
        ),
        section("Peaks", card(table(["signal", "unit", "frequency [Hz]", "amplitude", "phase [deg]"], rows))),
    ]
    low, high = response.frequencies[0], response.frequencies[-1]
    return f"to {response.input}, from {low:.5g} to {high:.5g} Hz", True, parts, response.at


def _sweep(sweep: Sweep) -> Made:
    unit = sweep.dataset[sweep.parameter].attrs.get("units", "")
    rows: list[list[str | float]] = []
    for name in sweep.signals:
        for jump in sweep.jumps(name):
            rows.append([name, f"jump {jump.direction}", jump.before, jump.after])
        if "down" in sweep.dataset["direction"]:
            band = sweep.hysteresis(name)
            rows += [[name, "up and down differ", *band]] if band is not None else []
    for lost in sweep.contact_loss() if "open" in sweep.dataset else []:
        words = f"without contact {lost.direction}, up to {100 * lost.share:.0f} % of the time"
        rows.append([lost.contact, words, lost.first, lost.last])
    for way in map(str, sweep.dataset["direction"].to_numpy()):
        moving = sweep.values[sweep.find_unsettled(way)]
        if len(moving):
            words = f"{len(moving)} values had not settled on the way {way}, in this range"
            rows.append(["", words, moving.min(), moving.max()])
    figure = inline(response_curves(sweep, tuple(sweep.signals), theme=PAGE))
    parts = [
        section("Response curves", picture(figure, f"over {sweep.parameter}")),
        section(
            "Jumps and hysteresis", card(table(["signal", "what", f"from [{unit}]", f"to [{unit}]"], rows))
        ),
    ]
    words = f"{len(sweep.values)} values of {sweep.parameter}: {sweep.report}"
    at = None if sweep.prepared is None else assembled(sweep.prepared, 0.0)
    return words, sweep.complete, parts, at
