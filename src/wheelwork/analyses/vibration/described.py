"""Analyses of vibration as a description asks for them: settings from its `analysis` section, or from the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wheelwork.description import Description, Formula, ModelError, Problem, flatten
from wheelwork.description.vibration_analyses import (
    CampbellAnalysis,
    ModesAnalysis,
    ResponseAnalysis,
    StabilityAnalysis,
    SweepAnalysis,
)

from ..options import merged
from .campbell import campbell
from .modes import modes
from .response import frequency_response
from .stability import stability
from .sweep import sweep

Parameters = Mapping[str, Any] | None

FUNCTIONS: dict[type[Any], tuple[Callable[..., Any], tuple[str, ...]]] = {
    ModesAnalysis: (modes, ()),
    CampbellAnalysis: (campbell, ()),
    ResponseAnalysis: (frequency_response, ()),
    StabilityAnalysis: (stability, ("progress",)),
    SweepAnalysis: (sweep, ("progress", "part", "resume")),
}
"""What makes each of them, with the settings of the section as arguments; and further arguments that it takes."""
AS_WRITTEN: dict[str, Any] = {"period": Formula, "frequency": Formula | str}
"""Settings that may be formulas of a parameter that is varied: they are numbers at each of its values only."""


def run_described(
    description: Description, kind: type[Any], *, parameters: Parameters = None, **options: Any
) -> Any:
    """An analysis of the section `analysis` of a kind; `options` win over what stands there."""
    make, further = FUNCTIONS[kind]
    more = {name: options.pop(name) for name in further if name in options}
    found: Any = merged(description, kind, options, parameters)  # formulas are numbers now
    settings = {name: getattr(found, name) for name in kind.model_fields if name != "type"}
    for name, formulas in AS_WRITTEN.items():
        given = options.get(name, getattr(description.analysis, name, None))
        if name in settings and isinstance(given, formulas):
            settings[name] = str(given)
    if "points" in settings:
        start, stop, points = (settings.pop(name) for name in ("start", "stop", "points"))
        if kind is ResponseAnalysis:
            settings["frequencies"] = np.linspace(start, stop, points)
        else:
            name = settings["parameter"]
            settings["values"] = parameter_range(description, name, start, stop, points, parameters)
    if "over" in settings:
        settings["over"] = {
            name: parameter_range(
                description, name, one.start, one.stop, one.points, parameters, f"analysis.over.{name}"
            )
            for name, one in settings["over"].items()
        }
    return make(description, parameters=parameters, **settings, **more)


def parameter_range(
    description: Description,
    name: str,
    start: Any,
    stop: Any,
    points: int,
    parameters: Parameters = None,
    where: str = "analysis",
) -> np.ndarray:
    """Equal steps between two values of a parameter, each with a unit that fits it."""
    flat = flatten(description)
    ends = []
    for which, value in (("start", start), ("stop", stop)):
        try:
            ends.append(flat.resolve_parameters({**(parameters or {}), name: value})[name])
        except ModelError as error:
            path = f"{where}.{which}"
            raise ModelError([Problem(p.message, path=path, hint=p.hint) for p in error.problems]) from None
    return np.linspace(ends[0], ends[1], points)
