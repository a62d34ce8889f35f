"""`wheelwork plot RESULT signal...`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from wheelwork.lazy import figures, studies
from wheelwork.problems import ModelError
from wheelwork.results import load_result

from . import GOOD
from .options import Settings, read_model, save_figure
from .run import as_result
from .run_files import RESULT, check_file
from .show import console
from .study import STORE

if TYPE_CHECKING:
    from wheelwork.results import Result

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
    "map",
    "lines",
    "scatter",
    "parallel",
    "distribution",
    "indices",
]


def plot(
    file: Annotated[
        Path,
        Parameter(
            help="A result (`.nc`), a folder that `wheelwork run` wrote, the store of a study (`.zarr`), or a model, "
            "which is run first."
        ),
    ],
    /,
    *signals: Annotated[
        str, Parameter(help="Signals to draw, such as `planet1.w`; `wheelwork info` lists them.")
    ],
    figure: Annotated[READY | None, Parameter(help="A ready-made figure instead of signals.")] = None,
    out: Annotated[
        Path | None,
        Parameter(
            name=["--out", "-o"],
            help="File: `.svg`, `.png`, `.pdf`. Default: the name of the result with `.svg`, here.",
        ),
    ] = None,
    theme: Annotated[Literal["light", "dark", "print"], Parameter(help="Colours and sizes.")] = "light",
    settings: Settings = [],  # noqa: B006
) -> int:
    """Draw signals of a result over time, measures of a study, or one of the ready-made figures."""
    if out is not None:
        check_file(out)
    if file.suffix == STORE:
        return _plot_study(file, signals, figure, out, theme)
    if figure in OF_STUDIES:
        raise ModelError(f"`{figure}` is a figure of studies, and {file} is not a study", path="--figure")
    if bool(signals) == (figure is not None):
        why = "name signals, or one ready-made figure with `--figure`"
        raise ModelError(why, hint="such as `wheelwork plot run.nc hinge.angle hinge.w`")
    result, stem = _read(file, settings)
    try:
        made = (
            result.plot(*signals, theme=theme)
            if figure is None
            else getattr(result.plot, figure)(theme=theme)
        )
    except (KeyError, ValueError) as error:
        raise ModelError(_words(error), where=str(file)) from None
    target = Path(f"{stem}-{figure or 'plot'}.svg") if out is None else out
    save_figure(made, target, "--out")
    console().print(f"written  {target}", markup=False)
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
        console().print(f"written  {target}", markup=False)
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
