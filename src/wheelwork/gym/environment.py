"""One environment on a run in pieces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np

from wheelwork.analyses.session import Session
from wheelwork.description import ModelError
from wheelwork.problems import did_you_mean

Bounds = tuple[float, float]
"""Least and largest value."""
Signals = Mapping[str, float]


class Environment(gymnasium.Env):
    """A mechanism whose inputs are actions and whose signals are observations.

    mechanism: as `Mechanism`, or already compiled (`Ready`)
    actions: states without a rate, or parameters of forces, with their least and largest values, beyond which an action
        is taken as the nearest of these
    observations: signals, a number each, with the least and largest values that are observed
    every [s]: time from one action to the next
    end [s]: time of a whole episode
    reward: of the signals of the observations after a step, and those of the action, by name
    failed: of the same: whether the episode ends here; a run that ends early always does
    randomised: parameters drawn evenly from a span at every reset
    options: further settings of `simulate`, such as `method`, `step`, `formulation`

    `reset(options={"parameters": {...}})` sets parameters for one episode.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  # so does Gymnasium

    def __init__(
        self,
        mechanism: Any,
        *,
        actions: Mapping[str, Bounds],
        observations: Mapping[str, Bounds],
        every: float,
        end: float,
        reward: Callable[[Signals], float],
        failed: Callable[[Signals], bool] | None = None,
        randomised: Mapping[str, Bounds] | None = None,
        **options: Any,
    ) -> None:
        self._ready = compiled(mechanism, options)
        self._actions, self._observations = dict(actions), dict(observations)
        self._every, self._end = float(every), float(end)
        self._reward, self._failed = reward, failed
        self._randomised, self._options = dict(randomised or {}), options
        check_times(self._every, self._end)
        check_spans(self._randomised)
        self._session = self._first = self._ready.start(**options)
        self._given = False
        self._start, self._saved = self._session.t, self._session.save()
        self._check_names()
        self.action_space = self._acts = box(actions)
        self.observation_space = self._sees = box(observations)
        self._steps = 0

    def _check_names(self) -> None:
        known = [*self._session.inputs, *self._session.parameters]
        for name in (*self._actions, *self._randomised):
            if name not in known:
                why = f"there is no parameter or state without a rate `{name}`"
                raise ModelError(why, path=name, hint=did_you_mean(name, known))
        for name in self._observations:
            if self._session[name].ndim:
                why = f"`{name}` is a vector; an observation is a number, such as `{name}.x`"
                raise ModelError(why, path="observations")

    @property
    def session(self) -> Session:
        """The run of the episode."""
        return self._session

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode."""
        super().reset(seed=seed)
        given = {name: float(self.np_random.uniform(*span)) for name, span in self._randomised.items()}
        given |= (options or {}).get("parameters", {})
        if given:
            self._session = self._ready.start(given, **self._options)
        elif self._steps or self._given:
            self._session = self._first
            self._session.restore(self._saved)
        self._given = bool(given)
        self._steps = 0
        return self._observed(), dict(given)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Hold an action until the next one."""
        s = self._session
        if not s.outcome.good:
            raise gymnasium.error.ResetNeeded(f"the episode has ended, {s.report}: `reset` begins another")
        values = clipped(action, self._acts)
        for name, value in zip(self._actions, values, strict=True):
            s.set(name, float(value))
        self._steps += 1
        s.advance_to_sample(self._start + self._steps * self._every, np.zeros(0))
        signals = {name: float(s[name]) for name in self._observations}
        signals |= dict(zip(self._actions, map(float, values), strict=True))
        broken = not s.outcome.good
        terminated = broken or bool(self._failed and self._failed(signals))
        truncated = self._start + self._steps * self._every >= self._end - 1e-9 * self._every
        told = {"t": s.t, **({"report": s.report} if broken else {})}
        return self._observed(), float(self._reward(signals)), terminated, truncated and not terminated, told

    def _observed(self) -> np.ndarray:
        values = [float(self._session[name]) for name in self._observations]
        return np.clip(np.array(values), self._sees.low, self._sees.high).astype(np.float32)


def compiled(mechanism: Any, options: Mapping[str, Any]) -> Any:
    """The mechanism, compiled for these options of a run, or as it is where it was compiled before."""
    chosen = {name: options[name] for name in ("method", "formulation", "step") if name in options}
    return mechanism.compile(**chosen) if hasattr(mechanism, "compile") else mechanism


def check_times(every: float, end: float) -> None:
    if not 0 < every <= end:
        raise ValueError(f"`every` must be above zero and at most `end`, {end:g} s, but is {every:g} s")


def check_spans(randomised: Mapping[str, Bounds]) -> None:
    for name, (least, most) in randomised.items():
        if not least <= most:
            raise ValueError(f"`{name}` needs a least and a largest value, but has ({least:g}, {most:g})")


def clipped(actions: Any, space: gymnasium.spaces.Box) -> np.ndarray:
    """Actions between their bounds; a ValueError where they are of another shape."""
    values = np.asarray(actions, float)
    if values.size != np.prod(space.shape):
        needed = " x ".join(map(str, space.shape))
        raise ValueError(f"an action is {needed} number{'s' * (needed != '1')}, but here are {values.size}")
    return np.clip(values.reshape(space.shape), space.low, space.high)


def box(spans: Mapping[str, Bounds]) -> gymnasium.spaces.Box:
    """The space of some numbers, each with its least and largest value."""
    for name, (least, most) in spans.items():
        if not least < most:
            raise ValueError(f"`{name}` needs a least and a largest value, but has ({least:g}, {most:g})")
    low, high = np.array([*spans.values()], np.float32).T
    return gymnasium.spaces.Box(low, high, dtype=np.float32)
