"""`wheelwork plot RESULT signal...`"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from wheelwork.lazy import figures, studies
from wheelwork.problems import ModelError
from wheelwork.results import Result, load_result

from . import GOOD
from .options import Settings, read_model, save_figure
from .quantities import in_seconds
from .run import as_result
from .run_files import RESULT, check_file
from .show import say_written
from .study import STORE

OF_SIGNALS = {"spectrum": (), "orders": ("angle", "most"), "waterfall": ("angle", "most", "by")}
"""Figures of one signal, and the options that they take."""
OF_STUDIES = ("map", "lines", "scatter", "parallel", "distribution", "indices")
READY = Literal[
    "motion",
    "efforts",
    "reactions",
    "tooth_forces",
    "mesh_stiffness",
    "energy",
    "residuals",
    "power_flow",
    "graph",
    "spectrum",
    "orders",
    "waterfall",
    "map",
    "lines",
    "scatter",
    "parallel",
    "distribution",
    "indices",
]


def plot(
    file: Path,
    /,
    *signals: str,
    figure: READY | None = None,
    angle: str | None = None,
    by: Literal["frequency", "order"] = "frequency",
    most: float | None = None,
    start: Annotated[str | None, Parameter("--from")] = None,
    end: Annotated[str | None, Parameter("--to")] = None,
    out: Annotated[Path | None, Parameter(["--out", "-o"])] = None,
    theme: Literal["light", "dark", "print"] = "light",
    settings: Settings = [],  # noqa: B006
) -> int:
    """Draw signals of a result over time, measures of a study, or one of the ready-made figures.

    Args:
        file: A result (`.nc`), a folder that `wheelwork run` wrote, the store of a study (`.zarr`), or a model, which
            is run first.
        signals: Signals to draw, such as `planet1.w`; `wheelwork info` lists them.
        figure: A ready-made figure instead of signals.
        angle: Angle of a shaft, such as `shaft.angle`, for `orders` and `waterfall`.
        by: What a `waterfall` shows over time, or over the speed.
        most: Highest order, or frequency in Hz, of `orders` and `waterfall`.
        start: Begin at this time, such as `0.2 s`.
        end: End at this time.
        out: File: `.svg`, `.png`, `.pdf`. Default: the name of the result with `.svg`, here.
        theme: Colours and sizes.
    """
    if out is not None:
        check_file(out)
    if file.suffix == STORE:
        return _plot_study(file, signals, figure, out, theme)
    if figure in OF_STUDIES:
        raise ModelError(f"`{figure}` is a figure of studies, and {file} is not a study", path="--figure")
    spectra = figure in OF_SIGNALS
    if (angle or most) and "angle" not in OF_SIGNALS.get(figure or "", ()):
        raise ModelError("is for the figures `orders` and `waterfall`", path="--angle" if angle else "--most")
    if spectra and len(signals) != 1:
        raise ModelError(f"`{figure}` is that of one signal: name it", path="--figure")
    if not spectra and bool(signals) == (figure is not None):
        why = "name signals, or one ready-made figure with `--figure`"
        raise ModelError(why, hint="such as `wheelwork plot run.nc hinge.angle hinge.w`")
    first = None if start is None else in_seconds(start, "--from")
    last = None if end is None else in_seconds(end, "--to")
    given: dict[str, Any] = {"angle": angle, "most": most, "by": by}
    given = {name: given[name] for name in OF_SIGNALS.get(figure or "", ()) if given[name] is not None}
    result, stem = _read(file, settings)
    try:
        if figure == "orders" and angle is None:
            raise ValueError("it needs `--angle`, that of a shaft, such as `--angle shaft.angle`")
        plots = result.plot.between(first, last)
        draw = plots if figure is None else getattr(plots, figure)
        if spectra:
            given |= {"start": first, "end": last}
        made = draw(*signals, theme=theme, **given)
    except (KeyError, ValueError) as error:
        raise ModelError(_words(error), where=str(file)) from None
    target = Path(f"{stem}-{figure or 'plot'}.svg") if out is None else out
    save_figure(made, target, "--out")
    say_written(target)
    return GOOD


def _plot_study(
    file: Path, measures: tuple[str, ...], figure: str | None, out: Path | None, theme: Any
) -> int:
    """A measure of a study, the first where none is named; of several a figure each."""
    table = studies.load_study(file)
    for name in measures or (None,):
        try:
            made = figures.study_figure(table, name, figure, theme=theme)
        except ValueError as error:
            raise ModelError(str(error), where=str(file)) from None
        end = f"-{name}" if name else ""
        target = Path(f"{file.stem}{end}-{figure or 'plot'}.svg") if out is None else out
        if out is not None and len(measures) > 1:
            target = out.with_stem(f"{out.stem}{end}")
        save_figure(made, target, "--out")
        say_written(target)
    return GOOD


def _words(error: Exception) -> str:
    """KeyError quotes its text; UnknownSignal has a text of its own."""
    own = type(error) is KeyError and error.args
    return str(error.args[0]) if own else str(error)


def _read(file: Path, settings: list[str]) -> tuple[Result, str]:
    if file.is_dir():
        return load_result(file / RESULT), file.name
    if file.suffix == ".nc":
        return load_result(file), file.stem
    mechanism = read_model(file, settings)
    asked = mechanism.analysis
    if asked is not None and asked.of_vibration:
        why = f"its analysis is `{asked.type}`, which has no signals over time"
        hint = "`wheelwork run` writes a report with its figures"
        raise ModelError(why, where=str(file), hint=hint)
    found: Any = mechanism.run()
    return as_result(found, mechanism), file.stem
