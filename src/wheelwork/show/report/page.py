"""A report: one HTML file that needs nothing else, with an animation, plots, loads, events and provenance."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from wheelwork.analyses.check import CheckReport, examined
from wheelwork.analyses.prepare import Prepared
from wheelwork.description import Description, ModelError
from wheelwork.description.whole_file import write_whole
from wheelwork.engine.engine import Engine
from wheelwork.lazy import uncollected
from wheelwork.results import Result
from wheelwork.results.energy import energy_balance
from wheelwork.show.figures.over_time import energy_panels
from wheelwork.show.figures.panel import Panel
from wheelwork.show.player import player
from wheelwork.show.player.film import film

from .html import attempt, failed, section
from .sections.loads import largest_loads
from .sections.plots import energy, panels, plots
from .sections.run import events, head, mechanism, provenance, run
from .sections.structure import structure
from .sections.warnings import of_run, of_structure, of_teeth, warnings
from .svg import NO_DRAWING, Drawing, colours, draw

MOST_VALUES = 1000
"""Of a line, under the cursor of its plot."""


def write_report(found: Any, path: str | os.PathLike[str], mechanism: Description | None = None) -> None:
    """Write the report of a result, of an analysis of vibration or of a study to an HTML file.

    mechanism: of a study, where it is at hand; else it is read from the study
    """
    write_whole(path, report_page(found, mechanism=mechanism).encode())


@uncollected()
def report_page(found: Any, pictures: bool = True, mechanism: Description | None = None) -> str:
    """The report as HTML text. pictures: of a result with its film, plots and graphs, which take most of the time"""
    if isinstance(found, Result):
        return _of_result(found, pictures)
    from .study import study_page
    from .vibration import vibration_page

    return study_page(found, mechanism) if hasattr(found, "data_vars") else vibration_page(found)


def _of_result(result: Result, pictures: bool) -> str:
    """Each section is made by itself: what fails in one is shown there."""
    p = result.provenance
    flat = result.motion.program.flat
    check = cache(lambda: checked(result))
    balance = cache(lambda: energy_balance(result))
    drawn: list[tuple[Panel, Drawing]] = []

    def add(some: Sequence[Panel]) -> list[Drawing]:
        drawings = [draw(panel, result.t, result.events) if pictures else NO_DRAWING for panel in some]
        drawn.extend(zip(some, drawings, strict=True))
        return drawings

    def signals() -> str:
        shown = [panel.in_prefixed_unit() for panel in panels(result)]
        return section("Signals", plots(shown, add(shown)) if shown else "")

    def energies() -> str:
        shown, first = [panel.in_prefixed_unit() for panel in energy_panels(balance())], len(drawn)
        return energy(result, balance(), shown, add(shown), first)

    words = result.outcome.name.lower().replace("_", " ")
    body = [
        head(p.name or "Result", result.outcome.good, words, result.report, flat.comment),
        attempt("Mechanism", lambda: mechanism(film(result))) if pictures else "",
        warnings(
            [
                *remarks(lambda: of_run(result, balance())),
                *remarks(lambda: of_structure(check())),
                *remarks(lambda: of_teeth(flat)),
            ]
        ),
        attempt("What was run", lambda: run(result)),
        attempt("Structure", lambda: structure(flat, check(), pictures)),
        attempt("Signals", signals),
        attempt("Largest loads", lambda: largest_loads(result)),
        attempt("Energy", energies),
        attempt("Events", lambda: events(result)),
        provenance(
            {"model": p.name or "(no name)", "file": p.file, "wheelwork": p.version, "date": p.date},
            p.model,
            p.parameters,
            flat.parameter_units,
        ),
    ]
    return whole_page(p.name or "Result", body, _data(drawn, result.t))


def remarks(make: Callable[[], list[str]]) -> list[str]:
    """Remarks, or that they could not be made."""
    try:
        return make()
    except Exception as error:  # as in `attempt`
        return [failed(error)]


def checked(found: Result | Prepared) -> CheckReport | None:
    """Freedoms and redundant constraints of the model that ran; None where it cannot be assembled as it stands."""
    if not isinstance(found, Prepared):
        motion = found.motion
        program, numbers = motion.program, motion.numbers
        found = Prepared(found.description, program.flat, program, numbers, Engine(program, numbers))
    try:
        return examined(found)
    except ModelError:
        return None


def whole_page(title: str, body: list[str], data: dict[str, Any]) -> str:
    """The page around its sections; `data` is what its script needs."""
    folder = files("wheelwork.show.report")
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    text = text.replace("<", r"\u003c")  # a name may not end the script
    inside = "\n".join(part for part in body if part)
    return (
        "<!doctype html>\n"
        '<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Wheelwork</title>\n<style>\n{colours()}{style}{player.style()}</style>\n</head>\n"
        f"<body>\n<main>\n{inside}\n</main>\n"
        f'<script type="application/json" id="data">{text}</script>\n'
        f"<script>\n{player.script()}{script}</script>\n</body>\n</html>\n"
    )


def _data(drawn: list[tuple[Panel, Drawing]], t: np.ndarray) -> dict[str, Any]:
    times = np.linspace(t[0], t[-1], min(len(t), MOST_VALUES)) if len(t) > 1 else t
    return {
        "start": float(times[0]) if len(times) else 0.0,
        "end": float(times[-1]) if len(times) else 0.0,
        "panels": [
            {
                "left": drawing.left,
                "right": drawing.right,
                "start": drawing.start,
                "end": drawing.end,
                "values": [_rounded(np.interp(times, t, values), 5) for values in panel.without_noise()],
            }
            for panel, drawing in drawn
        ],
    }


def _rounded(values: np.ndarray, digits: int) -> list[float | None]:
    """Significant digits; JSON has no nan."""
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values.tolist()]
