"""The state about which linear equations are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError
from wheelwork.problems import did_you_mean

from .assemble import Assembled, assembled
from .equilibrium import equilibrium
from .prepare import prepare

PLACES = ("assembled", "equilibrium", "steady")


def operating_point(
    description: Description,
    at: Assembled | str,
    parameters: Mapping[str, Any] | None,
    time: float = 0.0,
    settle: float | None = None,
) -> Assembled:
    """A state that was given, or found by its name; of `steady` the state near which the steady motion is."""
    if isinstance(at, Assembled):
        state = at
    elif at not in PLACES:
        why = f"needs {', '.join(f'`{place}`' for place in PLACES)} or a state, but is {at!r}"
        raise ModelError(why, path="at", hint=did_you_mean(str(at), PLACES))
    elif at == "equilibrium":
        state = equilibrium(description, parameters=parameters, time=time)
    else:
        state = assembled(prepare(description, parameters), time)
    return state if settle is None else settled(state, float(settle))


def settled(at: Assembled, span: float) -> Assembled:
    """The state after simulating for a while."""
    if span <= 0:
        raise ModelError(f"needs a time greater than zero, but is {span:g} s", path="settle")
    end = at.t + span
    (state,) = at.run_on(np.array([end]), "the mechanism did not settle", "settle")
    return replace(at, state=state, t=end)
