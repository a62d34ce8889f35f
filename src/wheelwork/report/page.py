"""A report: one HTML file that needs nothing else, with an animation, plots, loads, events and provenance."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.figures.energy import energy_panels
from wheelwork.figures.panel import Panel
from wheelwork.model import Description, ModelError
from wheelwork.model.read import loads
from wheelwork.model.whole_file import write_whole
from wheelwork.results.energy import energy_balance
from wheelwork.view import player
from wheelwork.view.film import film

from .html import section
from .sections.energy import energy
from .sections.events import events
from .sections.head import head
from .sections.loads import largest_loads
from .sections.mechanism import mechanism
from .sections.provenance import provenance
from .sections.run import run
from .sections.signals import panels, plots
from .sections.structure import structure
from .sections.warnings import of_run, of_structure, of_teeth, warnings
from .svg import Drawing, colours, draw

if TYPE_CHECKING:
    from wheelwork.results import Result
    from wheelwork.solve import CheckReport

MOST_VALUES = 1000
"""Of a line, under the cursor of its plot."""


def write_report(found: Any, path: str | os.PathLike[str]) -> None:
    """Write the report of a result, of modes, a Campbell diagram, a frequency response or a sweep to an HTML file."""
    write_whole(path, report_page(found).encode())


def report_page(found: Any) -> str:
    """The report as HTML text."""
    from wheelwork.results import Result

    if isinstance(found, Result):
        return _of_result(found)
    from .vibration import vibration_page

    return vibration_page(found)


def _of_result(result: Result) -> str:
    p = result.provenance
    flat = result.motion.program.flat
    description = loads(p.model)
    check = checked(description, p.parameters)
    balance = energy_balance(result)
    shown, energies = panels(result), energy_panels(result, balance)
    drawings = [draw(panel, result.t, result.events) for panel in (*shown, *energies)]
    count = len(shown)
    body = [
        head(
            p.name or "Result",
            result.outcome.good,
            result.outcome.name.lower().replace("_", " "),
            result.report,
            description.comment,
        ),
        mechanism(film(result)),
        warnings([*of_run(result, balance), *of_structure(check), *of_teeth(flat)]),
        run(result),
        structure(flat, check),
        section("Signals", plots(shown, drawings[:count]) if shown else ""),
        largest_loads(result),
        energy(result, balance, energies, drawings[count:], count),
        events(result),
        provenance(
            name=p.name,
            file=p.file,
            version=p.version,
            date=p.date,
            model=p.model,
            parameters=p.parameters,
            units=flat.parameter_units,
        ),
    ]
    return whole_page(p.name or "Result", body, _data([*shown, *energies], drawings, result.t))


def checked(description: Description, parameters: Mapping[str, float]) -> CheckReport | None:
    """Freedoms and redundant constraints of the model; None where it cannot be assembled as it stands."""
    from wheelwork.solve import check

    try:
        return check(description, parameters=dict(parameters))
    except ModelError:
        return None


def whole_page(title: str, body: list[str], data: dict[str, Any]) -> str:
    """The page around its sections; `data` is what its script needs."""
    folder = files("wheelwork.report")
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


def _data(shown: list[Panel], drawings: list[Drawing], t: np.ndarray) -> dict[str, Any]:
    times = np.linspace(t[0], t[-1], min(len(t), MOST_VALUES)) if len(t) > 1 else t
    return {
        "start": float(times[0]),
        "end": float(times[-1]),
        "panels": [
            {
                "left": drawing.left,
                "right": drawing.right,
                "start": drawing.start,
                "end": drawing.end,
                "values": [_rounded(np.interp(times, t, values), 5) for _, values in panel.lines],
            }
            for panel, drawing in zip(shown, drawings, strict=True)
        ],
    }


def _rounded(values: np.ndarray, digits: int) -> list[float | None]:
    """Significant digits; JSON has no nan."""
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in values.tolist()]
