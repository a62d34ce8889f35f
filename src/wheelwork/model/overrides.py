"""New values for parameters, from `with_parameters` or from `--set` on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from wheelwork.model.base import Value
from wheelwork.model.formula import Formula
from wheelwork.model.parameters import read_parameter
from wheelwork.model.problems import ModelError, Problem, did_you_mean, listed
from wheelwork.model.units import Quantity


def read_overrides(
    overrides: Mapping[str, Any], known: Iterable[str], units: Mapping[str, str]
) -> dict[str, Value]:
    """Values for known parameters; every unknown name, bad text and wrong dimension is reported at once."""
    known = list(known)
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for name, given in overrides.items():
        path = f"parameters.{name}"
        if name not in known:
            hint = did_you_mean(name, known) or (
                f"the parameters are {listed(known)}" if known else "it has none"
            )
            problems.append(Problem(f"there is no parameter `{name}`", path=path, hint=hint))
            continue
        try:
            value = read_parameter(given)
        except PydanticCustomError as error:
            problems.append(Problem(error.message(), path=path))
            continue
        if isinstance(value, Quantity) and units.get(name, value.unit) != value.unit:
            problems.append(
                Problem(f"is given in {units[name]}, but `{value.text}` is {value.words}", path=path)
            )
        elif isinstance(value, Formula) and (unknown := sorted(value.names() - set(known))):
            hint = did_you_mean(unknown[0], known)
            problems.append(
                Problem(f"there is no parameter `{unknown[0]}` for `{value}`", path=path, hint=hint)
            )
        else:
            values[name] = value
    if problems:
        raise ModelError(problems)
    return values
