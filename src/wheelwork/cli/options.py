"""Arguments that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from wheelwork.description.whole_file import Draft
from wheelwork.lazy import uncollected, vibration_files
from wheelwork.mechanism import load
from wheelwork.problems import ModelError, Problem

from .show import print_json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.mechanism import Mechanism


ModelFile = Annotated[Path, Parameter(help="Model file (YAML).")]
Settings = Annotated[
    list[str],
    Parameter(
        "--set",
        help="Change a parameter, with a unit if you like: `--set backlash=80um`. May be given several times.",
    ),
]
Json = Annotated[bool, Parameter(help="Print JSON for machines.")]
OperatingPoint = Annotated[
    Literal["assembled", "equilibrium", "steady"],
    Parameter(
        help="The operating point: as given (rotors keep turning), the position of rest, or the steady motion near it.",
    ),
]
Settle = Annotated[
    str | None,
    Parameter(help="Simulate this time first, such as `0.5 s`: a steady rotation."),
]
AtPhase = Annotated[
    float | None,
    Parameter(
        help="Stiffness of teeth at this phase [mesh cycles] of the first mesh whose stiffness varies; else its mean.",
    ),
]
Frame = Annotated[
    str | None,
    Parameter(
        help="See motion from the axes of this body wherever they will do, or from the `world`; else as is found.",
    ),
]
Picture = Annotated[Path | None, Parameter(help="Draw it: `.svg`, `.png`, `.pdf`.")]
Out = Annotated[Path | None, Parameter(["--out", "-o"], help="Save it: `.json`, or NetCDF (`.nc`).")]
Method = Annotated[Literal["dopri5", "dop853", "rk4", "sdirk4"] | None, Parameter(help="Integration method.")]
Tolerance = Annotated[float | None, Parameter(help="Relative error allowed in a step.")]


@uncollected()
def read_model(file: Path, settings: list[str]) -> Mechanism:
    """The mechanism of a file with some parameters changed."""
    given: dict[str, str] = {}
    problems: list[Problem] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            problems.append(Problem(f"needs `name=value`, but is `{setting}`", path="--set"))
        given[name.strip()] = value.strip()
    if problems:
        raise ModelError(problems)
    mechanism = load(file)
    return mechanism.with_parameters(given) if given else mechanism


def save_figure(figure: Figure, target: Path, path: str) -> None:
    """As its name's ending says, or as PNG; `path` is the option that names it."""
    with Draft(target) as draft:
        try:
            figure.savefig(draft, format=target.suffix[1:] or "png")
        except ValueError as error:  # matplotlib does not know the ending
            raise ModelError(str(error), path=path) from None


def kept(found: Any, out: Path | None, picture: Path | None, as_json: bool) -> bool:
    """Save, draw and print for machines what was found, as far as asked; whether people are still to be told."""
    if out is not None:
        found.save(out)
    if picture is not None:
        save_figure(found.plot(), picture, "--picture")
    if as_json:
        print_json(vibration_files.as_json(found.dataset))
    return not as_json
