"""The analysis that a description itself asks for."""

from __future__ import annotations

from typing import Any

from wheelwork.description import Description, ModelError, Problem

from .assemble import assemble
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .options import one_engine
from .simulate import simulate
from .vibration.described import run_campbell, run_modes, run_response, run_sweep

_ANALYSES = {
    "simulate": simulate,
    "kinematics": kinematics,
    "inverse": inverse,
    "equilibrium": equilibrium,
    "assemble": assemble,
    "modes": run_modes,
    "campbell": run_campbell,
    "response": run_response,
    "sweep": run_sweep,
}


@one_engine
def run(description: Description, **options: Any) -> Any:
    """Make the analysis of the mechanism's `analysis` section; `options` win over what stands there.

    Without a section a simulation is made, which then needs `end`.
    """
    kind = "simulate" if description.analysis is None else description.analysis.type
    if kind not in _ANALYSES:
        raise ModelError([Problem(f"there is no analysis `{kind}`", path="analysis.type")])
    return _ANALYSES[kind](description, **options)
