"""Arguments that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from wheelwork.mechanism import Mechanism

ModelFile = Annotated[Path, Parameter(help="Model file (YAML).")]
Settings = Annotated[
    list[str],
    Parameter(
        name="--set",
        help="Change a parameter, with a unit if you like: `--set backlash=80um`. May be given several times.",
        negative=(),
        show_default=False,
    ),
]
Json = Annotated[
    bool, Parameter(name="--json", help="Print JSON for machines.", negative=(), show_default=False)
]
Engine = Annotated[
    str | None, Parameter(name="--engine", help="Has no effect: there is one engine.", show=False)
]


def read_model(file: Path, settings: list[str]) -> Mechanism:
    """The mechanism of a file with some parameters changed."""
    from wheelwork.description.problems import ModelError, Problem
    from wheelwork.mechanism import load

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
