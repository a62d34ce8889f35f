"""Gymnasium environments: machines with gears for those who train robots (extra `rl`)."""

from __future__ import annotations

from typing import Any

import gymnasium

from .environment import Environment, compiled
from .in_lanes import LaneEnvironment, lanes_for

__all__ = ["Environment", "LaneEnvironment", "vectorised"]


def vectorised(count: int, mechanism: Any, **options: Any) -> gymnasium.vector.VectorEnv:
    """As many environments side by side; options: those of :class:`Environment`.

    In lanes of vectors where the mechanism has straight-line code for them and its actions are parameters, as studies
    are; else one run in pieces each, with equations derived and compiled once. `env.metadata["engine"]` says which, and
    `env.metadata["why"]` why it is not lanes.
    """
    if count < 1:
        raise ValueError(f"needs at least one environment, but `count` is {count}")
    group, why = lanes_for(mechanism, options)
    if group is not None:
        return LaneEnvironment(count, group, options)
    ready = compiled(mechanism, options)
    env = gymnasium.vector.SyncVectorEnv([lambda: Environment(ready, **options) for _ in range(count)])
    env.metadata = {**env.metadata, "engine": "runs in pieces", "why": why}
    return env
