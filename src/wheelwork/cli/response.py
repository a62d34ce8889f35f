"""`wheelwork response FILE`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wheelwork.analyses.vibration import FrequencyResponse
from wheelwork.lazy import numpy as np
from wheelwork.problems import ModelError

from .options import (
    AtPhase,
    Frame,
    Json,
    ModelFile,
    OperatingPoint,
    Out,
    Picture,
    Settings,
    Settle,
    kept,
    read_model,
)
from .quantities import in_seconds
from .show import console, facts, number, table


def response(
    file: ModelFile,
    /,
    *,
    input: str,
    signals: Annotated[list[str], Parameter("--signal")],
    start: Annotated[float, Parameter("--from")],
    stop: Annotated[float, Parameter("--to")],
    points: int = 401,
    at: OperatingPoint = "assembled",
    settle: Settle = None,
    at_phase: AtPhase = None,
    frame: Frame = None,
    picture: Picture = None,
    out: Out = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Linear frequency response of signals to a harmonic input, about an operating point.

    Args:
        input: A parameter that forces are written with, or `NAME.error` of a mesh or spring.
        signals: Output signal. May be repeated.
        start: First frequency, Hz.
        stop: Last frequency, Hz.
        points: Number of frequencies, first and last included.
    """
    if points < 2 or not 0 <= start < stop:
        why = (
            f"needs at least 2 points between 0 <= from < to, but has {points} from {start:g} to {stop:g} Hz"
        )
        raise ModelError(why, path="--from")
    mechanism = read_model(file, settings)
    found = mechanism.frequency_response(
        input,
        signals,
        np.linspace(start, stop, points),
        at=at,
        settle=None if settle is None else in_seconds(settle, "--settle"),
        at_phase=at_phase,
        frame=frame,
    )
    if not kept(found, out, picture, json):
        return 0
    show_response(found, [path for path in (out, picture) if path is not None])
    return 0


def show_response(found: FrequencyResponse, files: list[Path]) -> None:
    """Ends and peaks of each signal."""
    printer = console()
    flat = found.at.prepared.flat
    rows = [("model", flat.name or "(no name)"), ("input", found.input)]
    rows += found.linear.assumptions
    rows += [("written", str(path)) for path in files]
    printer.print(facts(rows))
    printer.print()
    lines = []
    for name, unit in zip(found.signals, found.units, strict=True):
        size, peaks = np.abs(found[name]), found.peaks(name)
        for k in sorted({0, *peaks, len(size) - 1}):
            shown = (number(float(found.frequencies[k])), number(float(size[k])))
            phase = f"{np.degrees(np.angle(found[name][k])):.1f}"
            lines.append((name, unit, *shown, phase, "peak" if k in peaks else ""))
    columns = ["signal", "unit", "frequency [Hz]", "amplitude", "phase [deg]", ""]
    title = f"Ends and peaks of {len(found.frequencies)} frequencies, per unit of the input"
    printer.print(table(title, columns, lines, right=[2, 3, 4]))
