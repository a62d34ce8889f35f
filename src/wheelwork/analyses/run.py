"""The analysis that a description itself asks for."""

from __future__ import annotations

from typing import Any

from wheelwork.description import Description
from wheelwork.lazy import vibrations_described

from .assemble import assemble
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .options import one_engine
from .simulate import simulate

_ANALYSES = {
    "simulate": simulate,
    "kinematics": kinematics,
    "inverse": inverse,
    "equilibrium": equilibrium,
    "assemble": assemble,
}
_OF_VIBRATION = ("modes", "campbell", "response", "sweep")


@one_engine
def run(description: Description, **options: Any) -> Any:
    """Make the analysis of the mechanism's `analysis` section; `options` win over what stands there.

    Without a section a simulation is made, which then needs `end`.
    """
    asked = description.analysis
    kind = "simulate" if asked is None else asked.type
    if kind in _OF_VIBRATION:
        return getattr(vibrations_described, f"run_{kind}")(description, **options)
    if asked is None or kind in _ANALYSES:
        return _ANALYSES[kind](description, **options)
    return asked.run(description, **options)
