"""`wheelwork stability FILE`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wheelwork.analyses.vibration import Stability
from wheelwork.lazy import numpy as np

from . import FAILED, GOOD
from .options import Json, ModelFile, OperatingPoint, Out, Picture, Settings, Settle, kept, read_model
from .quantities import in_seconds, parameter_range
from .show import about_model, console, number, say_written, table

MOST_LINES = 24


def stability(
    file: ModelFile,
    /,
    *,
    parameter: str | None = None,
    start: Annotated[str | None, Parameter("--from")] = None,
    stop: Annotated[str | None, Parameter("--to")] = None,
    points: int = 41,
    second: str | None = None,
    second_start: Annotated[str | None, Parameter("--second-from")] = None,
    second_stop: Annotated[str | None, Parameter("--second-to")] = None,
    second_points: int = 41,
    period: str | None = None,
    at: OperatingPoint = "assembled",
    settle: Settle = None,
    picture: Picture = None,
    out: Out = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Whether small motions about a steady or periodic motion grow; with `--parameter` a chart of zones.

    Args:
        parameter: What to vary, such as a speed.
        start: First value, such as `500 rpm`.
        stop: Last value.
        points: Values in the range.
        second: A second parameter to vary: a map of the growth.
        second_start: First value of the second parameter.
        second_stop: Last value of the second parameter.
        second_points: Values of the second parameter.
        period: Of the coefficients, in s: a formula of parameters such as `pi/speed`; found where left out.
    """
    mechanism = read_model(file, settings)
    over = {}
    if parameter is not None:
        over[parameter] = parameter_range(mechanism, parameter, start, stop, points)
    if second is not None:
        over[second] = parameter_range(
            mechanism, second, second_start, second_stop, second_points, "--second-"
        )
    found = mechanism.stability(
        at=at,
        settle=None if settle is None else in_seconds(settle, "--settle"),
        period=period,
        over=over,
    )
    if kept(found, out, picture, json):
        show_stability(found, file)
        say_written(out, picture)
    return GOOD if found.report == "complete" else FAILED


def show_stability(found: Stability, file: Path) -> None:
    """In one sentence, and the table of the zones; at one point that of the exponents."""
    out = console()
    out.print(about_model(found.first.linear.at.prepared.flat.name, str(file)))
    out.print(found.words, markup=False)
    for words, names in found.assumptions:
        out.print(f"{words}: {names}", markup=False)
    out.print()
    if not found.parameters:
        sizes = np.abs(found.multipliers)
        rows = [
            (
                number(float(value.real), 6),
                number(float(abs(value.imag)) / (2 * np.pi), 6),
                "" if np.isnan(size) else number(float(size), 6),
            )
            for value, size in zip(found.exponents, sizes, strict=True)
            if value.imag >= 0
        ]
        columns = ["growth [1/s]", "frequency [Hz]", "size of the multiplier"]
        out.print(table("Exponents", columns, rows[:MOST_LINES], right=[0, 1, 2]))
    elif found.zones:
        rows = found.rows()
        out.print(table("Zones in which motions grow", found.columns, rows[:MOST_LINES], right=range(4)))
        if len(rows) > MOST_LINES:
            out.print(f"and {len(rows) - MOST_LINES} more")
