"""`wheelwork sweep FILE`"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from cyclopts import Parameter

from wheelwork.analyses.vibration import Sweep

from . import FAILED, GOOD
from .options import Json, Method, ModelFile, Picture, Settings, Tolerance, kept, read_model
from .quantities import parameter_range
from .run_files import PART, check_file, done_with, look_for_part
from .show import console, facts, number, some_of, table

MOST_LINES = 15


def sweep(
    file: ModelFile,
    /,
    *,
    parameter: str,
    start: Annotated[str, Parameter("--from")],
    stop: Annotated[str, Parameter("--to")],
    points: int = 41,
    both: bool = False,
    signals: Annotated[list[str], Parameter("--signal")] = [],  # noqa: B006
    frequency: str | None = None,
    settle: float = 100,
    measure: float = 20,
    samples: int = 64,
    orders: Annotated[list[float], Parameter("--order")] = [],  # noqa: B006
    contacts: Annotated[list[str], Parameter("--contact")] = [],  # noqa: B006
    histories: bool = False,
    restart: bool = False,
    extensions: int = 10,
    skipping: Literal["stop", "count"] | None = None,
    method: Method = None,
    rtol: Tolerance = None,
    out: Annotated[Path | None, Parameter(["--out", "-o"])] = None,
    resume: bool = False,
    picture: Picture = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Steady vibration over a speed or frequency, each value starting where the last one ended.

    Args:
        parameter: What to vary, such as a speed.
        start: First value, such as `500 rpm`.
        stop: Last value.
        points: Number of values, first and last included.
        both: Sweep down again: shows hysteresis.
        signals: What to measure; the model's `outputs` where left out. May be repeated.
        frequency: Of the excitation, in Hz: a formula of parameters such as `omega/(2*pi)`.
        settle: Let it settle: periods of the frequency, or seconds where there is none.
        measure: Measure: periods, or seconds.
        samples: Samples per period, or in total where there is no frequency.
        orders: Multiple of the frequency whose amplitude is wanted. May be repeated.
        contacts: Signal of a contact force: how long it is zero. May be repeated.
        histories: Keep the samples too.
        restart: Begin at the given position at each value.
        extensions: How often at most to settle and measure once more where it has not settled.
        skipping: Where teeth skip: `stop`, or `count` them and go on.
        out: File for the result: NetCDF, or `.json`. Default: the model's name.
        resume: Go on with one that was killed, from the `.part` file beside its result.
    """
    mechanism = read_model(file, settings)
    values = parameter_range(mechanism, parameter, start, stop, points)
    given = {"method": method, "rtol": rtol, "skipping": skipping}
    target = out if out is not None else Path(file.stem + "-sweep.nc")
    check_file(target)
    part = target.with_suffix(PART)
    look_for_part(part, resume)
    began = time.perf_counter()
    found = mechanism.sweep(
        parameter,
        values,
        both=both,
        signals=signals or None,
        frequency=_number(frequency),
        settle=settle,
        measure=measure,
        samples=samples,
        orders=orders,
        contacts=contacts,
        histories=histories,
        restart=restart,
        extensions=extensions,
        part=part,
        resume=resume,
        **{name: value for name, value in given.items() if value is not None},
    )
    seconds = time.perf_counter() - began
    told = kept(found, target, picture, json)
    done_with(part, interrupted="interrupted" in found.report)
    if told:
        show_sweep(found, seconds, [path for path in (target, picture) if path is not None])
    return GOOD if found.complete else FAILED


def _number(text: str | None) -> str | float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def show_sweep(found: Sweep, seconds: float, files: list[Path]) -> None:
    """How it went, the curves in some lines, jumps and hysteresis."""
    out = console()
    data, unit = found.dataset, found.dataset[found.parameter].attrs.get("units", "")
    ways = [str(way) for way in data["direction"].to_numpy()]
    rows = [("model", data.attrs["title"] or "(no name)"), ("outcome", found.report)]
    rows.append(("work", f"{len(found.values) * len(ways)} steady states in {seconds:.2f} s"))
    for name in found.signals:
        for jump in found.jumps(name):
            words = f"{jump.direction}: between {number(jump.before)} and {number(jump.after)} {unit}"
            rows.append(("jump", f"{name}, {words}"))
        band = found.hysteresis(name) if len(ways) > 1 else None
        if band is not None:
            words = (
                f"from {number(band[0])} to {number(band[1])} {unit} the upward and downward branches differ"
            )
            rows.append(("hysteresis", f"{name}, {words}"))
    for lost in found.contact_loss() if "open" in data else []:
        words = f"from {number(lost.first)} to {number(lost.last)} {unit}, up to {100 * lost.share:.0f} % of the time"
        rows.append(("contact lost", f"{lost.contact}, {lost.direction}: {words}"))
    rows += [("written", str(path)) for path in files]
    out.print(facts(rows))
    picked = some_of(len(found.values), MOST_LINES)
    heading = f"{found.parameter} [{unit}]" if unit else found.parameter
    for name in found.signals:
        one = found[name]
        columns = [heading, *(f"{what}, {way}" for way in ways for what in ("mean", "rms", "peak"))]
        moving = np.any([found.find_unsettled(way) for way in ways], axis=0)
        lines = [
            (
                number(float(found.values[k])) + (" *" if moving[k] else ""),
                *(
                    number(float(one[what].sel(direction=way)[k]))
                    for way in ways
                    for what in ("mean", "rms", "peak")
                ),
            )
            for k in picked
        ]
        out.print()
        title = f"{name} [{one['unit'].item()}]"
        out.print(table(title, columns, lines, right=range(len(columns))))
        if moving.any():
            out.print("* had not settled when it was measured")
