"""New values for parameters, from `with_parameters`, from `--set` on the command line, or from a component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from wheelwork.description.base import Value
from wheelwork.description.dimensions import in_words
from wheelwork.description.formula import Formula
from wheelwork.description.parameters import read_parameter
from wheelwork.description.units import Quantity, parse_unit
from wheelwork.problems import ModelError, Problem, did_you_mean, listed


def read_overrides(
    overrides: Mapping[str, Any], known: Iterable[str], units: Mapping[str, str]
) -> dict[str, Value]:
    """Values for known parameters; every unknown name, bad text and wrong dimension is reported at once."""
    known = list(known)
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for name, given in overrides.items():
        wrong, hint = "", ""
        if name not in known:
            wrong, hint = f"there is no parameter `{name}`", _hint(name, known)
        else:
            try:
                values[name] = read_parameter(given)
                wrong, hint = _value_problem(values[name], units.get(name), known)
            except PydanticCustomError as error:
                wrong = error.message()
        if wrong:
            problems.append(Problem(wrong, path=f"parameters.{name}", hint=hint))
    if problems:
        raise ModelError(problems)
    return values


def _value_problem(value: Value, unit: str | None, known: list[str]) -> tuple[str, str]:
    if isinstance(value, Quantity) and unit is not None and unit != value.unit:
        words = in_words(parse_unit(unit)[1])
        return f"needs {words} (in {unit}), but `{value.text}` is {value.words}", ""
    if isinstance(value, Formula):
        for name in sorted(value.names() - set(known)):
            return f"there is no parameter `{name}` (in `{value}`)", _hint(name, known)
    return "", ""


def override_problem(name: str, given: Value, known: Mapping[str, Value]) -> tuple[str, str]:
    """What is wrong with a component's value for a parameter, and a hint; empty when nothing is."""
    if name not in known:
        return f"the component has no parameter `{name}`", _hint(name, [k for k in known if "." not in k])
    default = known[name]
    if isinstance(given, Quantity) and isinstance(default, Quantity) and given.exponents != default.exponents:
        return (
            f"needs {default.words} like its default `{default.text}`, but `{given.text}` is {given.words}",
            "",
        )
    return "", ""


def _hint(name: str, known: list[str]) -> str:
    return did_you_mean(name, known) or (f"the parameters are {listed(known)}" if known else "it has none")
