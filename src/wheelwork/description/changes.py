"""Copies of a description with other parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from wheelwork.description.base import Value
from wheelwork.description.description import Description
from wheelwork.description.files import description_of
from wheelwork.description.flat import Flat
from wheelwork.description.flatten import flatten
from wheelwork.description.formula import Formula
from wheelwork.description.overrides import read_overrides
from wheelwork.description.validate import number_problems
from wheelwork.problems import ModelError, Problem

D = TypeVar("D", bound=Description)


def changed(description: D, values: Mapping[str, Any]) -> D:
    """A copy with new values for parameters, those of components under their full names."""
    flat = flatten(description, check=False)
    read = read_overrides(values, flat.parameters, flat.parameter_units)
    copy = description.model_copy(deep=True)
    problems = [problem for name, value in read.items() if (problem := _set(copy, name, value))]
    if problems:
        raise ModelError(problems)
    return copy


def flat_with(description: Description, values: Mapping[str, Any] | None = None) -> Flat:
    """The flat mechanism, with new values for parameters; these are checked like any value of the description."""
    flat = flatten(description)
    if not values:
        return flat
    other = flat.with_parameters(values)
    if not other.kept.get("checked"):
        changes = {name: other.parameters[name] for name in values}
        problems = [p for p in (_formula_problem(n, v) for n, v in changes.items()) if p]
        problems = problems or number_problems(description, other)
        if problems:
            raise ModelError(problems)
        other.kept["checked"] = True
    return other


def in_one_file(description: D) -> D:
    """A copy whose components hold their mechanisms, instead of naming files."""
    held = {
        name: component.model_copy(
            update={"model": in_one_file(description_of(component, description)), "file": None}
        )
        for name, component in description.components.items()
    }
    return description.model_copy(update={"components": held}) if held else description


def _set(description: Description, full: str, value: Value) -> Problem | None:
    """Put a value where the parameter lives: in this mechanism, or with the component that has it."""
    *components, name = full.split(".")
    if not components:
        description.parameters[name] = value
        return None
    if problem := _formula_problem(full, value):
        return problem
    for step in components[:-1]:
        # The file stays as it is, and so do other components made from it: this one gets a mechanism of its own.
        component = description.components[step]
        own = description_of(component, description).model_copy(deep=True)
        description.components[step] = component.model_copy(update={"model": own, "file": None})
        description = own
    description.components[components[-1]].parameters[name] = value
    return None


def _formula_problem(full: str, value: Value) -> Problem | None:
    depth = full.count(".")
    if depth and isinstance(value, Formula) and (depth > 1 or any("." in n for n in value.names())):
        return Problem("give a number or a quantity; a formula would be read in another mechanism", path=full)
    return None
