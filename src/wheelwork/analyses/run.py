"""The analysis that a description itself asks for."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from wheelwork.description import Assemble, Description, Equilibrium, Inverse, Kinematics, Simulate
from wheelwork.description.analysis import Analysis
from wheelwork.description.vibration_analyses import (
    CampbellAnalysis,
    ModesAnalysis,
    ResponseAnalysis,
    StabilityAnalysis,
    SweepAnalysis,
)
from wheelwork.lazy import vibrations_described as vibrations

from .assemble import assemble
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .simulate import simulate


def run(description: Description, **options: Any) -> Any:
    """Make the analysis of the mechanism's `analysis` section; `options` win over what stands there.

    Without a section a simulation is made, which then needs `end`.
    """
    asked = description.analysis
    if asked is not None and type(asked).run is not Analysis.run:
        return asked.run(description, **options)
    return _made(asked, description, **options)


@singledispatch
def _made(asked: Any, description: Description, **options: Any) -> Any:
    """By the class of what is asked for, or a base of it."""
    raise TypeError(f"the analysis {type(asked).__name__} has no method `run`")


for _kind, _make in (
    (type(None), simulate),
    (Simulate, simulate),
    (Kinematics, kinematics),
    (Inverse, inverse),
    (Equilibrium, equilibrium),
    (Assemble, assemble),
):
    _made.register(_kind, lambda asked, description, make=_make, **options: make(description, **options))
for _kind in (ModesAnalysis, CampbellAnalysis, ResponseAnalysis, StabilityAnalysis, SweepAnalysis):
    _made.register(
        _kind,
        lambda asked, m, kind=_kind, **options: vibrations.run_described(m, kind, **options),
    )
