"""Analyses of vibration as a description asks for them: settings from its `analysis` section, or from the call."""

from __future__ import annotations

import os
from collections.abc import Mapping
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
from .campbell import Campbell, campbell
from .modes import Modes, modes
from .response import FrequencyResponse, frequency_response
from .stability import Stability, stability
from .sweep import sweep
from .sweep_result import Sweep

Parameters = Mapping[str, Any] | None


def run_modes(description: Description, *, parameters: Parameters = None, **options: Any) -> Modes:
    """`analysis: {type: modes}`"""
    s: Any = merged(description, ModesAnalysis, options, parameters)  # formulas are numbers now
    return modes(description, planets=s.planets, parameters=parameters, **_about(s))


def run_campbell(description: Description, *, parameters: Parameters = None, **options: Any) -> Campbell:
    """`analysis: {type: campbell}`"""
    s: Any = merged(description, CampbellAnalysis, options, parameters)  # formulas are numbers now
    return campbell(
        description,
        s.parameter,
        parameter_range(description, s.parameter, s.start, s.stop, s.points, parameters),
        orders=s.orders,
        planets=s.planets,
        parameters=parameters,
        **_about(s),
    )


def run_response(
    description: Description, *, parameters: Parameters = None, **options: Any
) -> FrequencyResponse:
    """`analysis: {type: response}`"""
    s: Any = merged(description, ResponseAnalysis, options, parameters)  # formulas are numbers now
    return frequency_response(
        description,
        s.input,
        s.signals,
        np.linspace(s.start, s.stop, s.points),
        parameters=parameters,
        **_about(s),
    )


def run_stability(
    description: Description, *, parameters: Parameters = None, progress: bool | None = None, **options: Any
) -> Stability:
    """`analysis: {type: stability}`"""
    s: Any = merged(description, StabilityAnalysis, options, parameters)  # formulas are numbers now
    # as it stands: a formula of the parameters that are varied
    period = options.get("period", getattr(description.analysis, "period", None))
    over = {
        name: parameter_range(
            description, name, one.start, one.stop, one.points, parameters, f"analysis.over.{name}"
        )
        for name, one in s.over.items()
    }
    return stability(
        description,
        at=s.at,
        settle=s.settle,
        period=str(period) if isinstance(period, Formula) else s.period,
        over=over,
        parameters=parameters,
        progress=progress,
    )


def run_sweep(
    description: Description,
    *,
    parameters: Parameters = None,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Sweep:
    """`analysis: {type: sweep}`"""
    s: Any = merged(description, SweepAnalysis, options, parameters)  # formulas are numbers now
    # as it stands: a formula of the parameter that is varied
    frequency = options.get("frequency", getattr(description.analysis, "frequency", None))
    names = (
        "both",
        "signals",
        "settle",
        "measure",
        "samples",
        "orders",
        "contacts",
        "histories",
        "restart",
        "extensions",
    )
    integration = ("method", "step", "rtol", "atol", "formulation", "skipping")
    return sweep(
        description,
        s.parameter,
        parameter_range(description, s.parameter, s.start, s.stop, s.points, parameters),
        frequency=str(frequency) if isinstance(frequency, Formula) else frequency,
        parameters=parameters,
        progress=progress,
        part=part,
        resume=resume,
        **{name: getattr(s, name) for name in (*names, *integration)},
    )


def _about(s: Any) -> dict[str, Any]:
    """Settings of the operating point."""
    return {"at": s.at, "settle": s.settle, "at_phase": s.at_phase, "frame": s.frame}


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
