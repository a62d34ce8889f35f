"""What was run: analysis, settings, how long it took; start, end and extremes of the coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.show.figures.motion import coordinates

from ..html import card, facts, section, side_by_side, table

if TYPE_CHECKING:
    from wheelwork.results import Result

MOST_COORDINATES = 14


def run(result: Result) -> str:
    return section(
        "What was run", side_by_side(card(facts(_rows(result))), card(_coordinates(result))), name="run"
    )


def _rows(result: Result) -> list[tuple[str, str]]:
    statistics, analysis = result.statistics, result.provenance.analysis
    rows = [("analysis", str(analysis.get("type", "")))]
    rows += [
        (name.replace("_", " "), in_words(value))
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
    for name in coordinates(result)[:MOST_COORDINATES]:
        series = result.series(name)
        values = series.values
        ends = (values[0], values[-1], np.nanmin(values), np.nanmax(values))
        lines.append([name, series.unit, *map(float, ends)])
    return table(["coordinate", "unit", "start", "end", "least", "greatest"], lines)
