"""Settings of an analysis: what the call says, else what the mechanism's own section says, else the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from wheelwork.description import NUMERIC, Description, Formula, ModelError, Problem, Simulate
from wheelwork.description.flatten import parameters_of
from wheelwork.lazy import pydantic
from wheelwork.problems import did_you_mean

A = TypeVar("A")


def merged(
    description: Description,
    asked: type[A] | A,
    given: dict[str, Any],
    parameters: Mapping[str, Any] | None = None,
) -> A:
    """An analysis with formulas of parameters replaced by numbers.

    asked: the analysis itself, or its class, whose settings are then those of the mechanism's own section
    given: settings that win over these
    """
    kind, own = (asked, description.analysis) if isinstance(asked, type) else (type(asked), asked)
    base: dict[str, Any] = {}
    if isinstance(own, kind) and isinstance(own, pydantic.BaseModel):
        kind = type(own)  # it may have fields of its own besides
        base = {name: getattr(own, name) for name in own.model_fields_set if name != "type"}
    values = base | {name: value for name, value in given.items() if value is not None}
    if "end" in getattr(kind, "model_fields", {}) and "end" not in values:
        raise ModelError("needs `end`, the time at which to stop", path="analysis.end")
    try:
        analysis = kind(**values)
    except pydantic.ValidationError as error:
        raise ModelError(
            [Problem(str(e["msg"]), path=".".join(["analysis", *map(str, e["loc"])])) for e in error.errors()]
        ) from None
    return _numeric(analysis, description, parameters)


def seconds(description: Description, given: float | str, path: str) -> float:
    """A time that is given as a number, or with a unit or parameters; problems are reported at `path`."""
    if given is None:
        raise ModelError("needs a time (such as `5 ms`), but is None", path=path)
    try:
        settings: Any = merged(description, Simulate, {"start": -1e30, "end": given})
    except ModelError as error:
        raise ModelError([replace(problem, path=path) for problem in error.problems]) from None
    return float(settings.end)


def _numeric(analysis: Any, description: Description, parameters: Mapping[str, Any] | None) -> Any:
    """The same with numbers for formulas, in parts (a stabilisation) too."""
    changes: dict[str, Any] = {}
    for name in type(analysis).model_fields:
        value = getattr(analysis, name)
        if isinstance(value, pydantic.BaseModel):
            changes[name] = _numeric(value, description, parameters)
        elif isinstance(value, Formula):
            numbers = parameters_of(description).resolve_parameters(parameters)
            unknown = sorted(value.names() - set(numbers))
            if unknown:
                raise ModelError(
                    f"there is no parameter `{unknown[0]}`",
                    path=f"analysis.{name}",
                    hint=did_you_mean(unknown[0], numbers),
                )
            changes[name] = value.evaluate(numbers.__getitem__, NUMERIC)
    return analysis.model_copy(update=changes) if changes else analysis
