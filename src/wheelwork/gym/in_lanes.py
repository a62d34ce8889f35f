"""Many environments at once, in lanes: one call of compiled code moves all of them from one action to the next.

Each has its own parameters, state and time. Between two actions a lane runs as a variant of a study does
(:mod:`wheelwork.studies.in_lanes`), from the state that it had; observations are the signals at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from wheelwork.description.flatten import parameters_of
from wheelwork.engine.outcome import Outcome
from wheelwork.problems import ModelError
from wheelwork.studies import Study
from wheelwork.studies.in_lanes import Group, placed
from wheelwork.studies.span import Span

from .environment import box, check_spans, check_times, clipped

DRAWN = 16
"""Variants of the study whose code the environments take: what is the same in all of them is written into it."""
OF_A_RUN = ("method", "step", "rtol", "atol", "formulation", "max_steps", "skipping", "start")


def lanes_for(mechanism: Any, options: Mapping[str, Any]) -> tuple[tuple[Study, Group] | None, str]:
    """Study and code of lanes for the environments that these options describe; None, and why there are none."""
    spans = {**options["actions"], **(options.get("randomised") or {})}
    description = getattr(mechanism, "description", mechanism)
    missing = [name for name in spans if name not in description.parameters]
    if missing:
        return None, f"`{missing[0]}` is not a parameter: lanes take actions by parameters"
    own = {name: options[name] for name in OF_A_RUN if name in options}
    try:
        study = Study(
            description,
            {name: f"{least!r} to {most!r} uniform" for name, (least, most) in spans.items()},
            measures={f"o{k}": f"last(`{name}`)" for k, name in enumerate(options["observations"])},
            end=float(options["every"]),
            samples=2,
            count=DRAWN,
            **own,
        )
    except ModelError as error:
        return None, error.problems[0].message
    groups, why = study._lanes()
    if groups is None:
        return None, why
    if len(groups) > 1:
        return None, "its equations change within the spans of its parameters"
    return (study, groups[0]), ""


class LaneEnvironment(gymnasium.vector.VectorEnv):
    """Environments in lanes; :func:`wheelwork.gym.vectorised` makes them, with the options of :class:`Environment`.

    An episode that has ended begins again with the next step, as Gymnasium's own vectors of environments do.
    """

    def __init__(self, count: int, lanes: tuple[Study, Group], options: Mapping[str, Any]) -> None:
        actions, observations = options["actions"], options["observations"]
        self.num_envs, self._every, self._end = count, float(options["every"]), float(options["end"])
        check_times(self._every, self._end)
        check_spans(options.get("randomised") or {})
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "engine": "lanes", "why": ""}
        self._actions, self._observations = list(actions), list(observations)
        self._randomised = dict(options.get("randomised") or {})
        self._reward, self._failed = options["reward"], options.get("failed")
        self._acts, self._sees = box(actions), box(observations)
        self.single_action_space, self.single_observation_space = self._acts, self._sees
        self._all_acts: Any = batch_space(self._acts, count)
        self.action_space = self._all_acts
        self.observation_space = batch_space(self.single_observation_space, count)
        study, group = lanes
        self._run, self._base = study.options, group.places[0].prepared
        self._names = list(study.variants.names)
        values = parameters_of(study.description).values
        self._values = np.array([[float(values[name])] * count for name in self._names])
        first = group.places[0]
        rows = self._base.program.computed_rows
        self._computed_vary = group.computed.shape[1] > 1
        self._group = group
        group.members = np.arange(count)
        group.places, group.of_place = [first] * count, np.arange(count)
        group.of_computed = np.arange(count) if self._computed_vary else np.zeros(count, int)
        if self._computed_vary:
            group.computed = np.zeros((len(rows), count))
        self._states = np.zeros((len(first.start), count))
        self._steps, self._over = np.zeros(count, int), np.zeros(count, bool)
        self._random = [np.random.default_rng() for _ in range(count)]

    # -- episodes

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New episodes; those of `options["reset_mask"]` alone where it is given."""
        count = self.num_envs
        seeds = (
            [None if seed is None else seed + k for k in range(count)] if not isinstance(seed, list) else seed
        )
        chosen = np.asarray((options or {}).get("reset_mask", np.ones(count, bool)))
        for k in np.flatnonzero(chosen):
            if seeds[k] is not None:
                self._random[k] = np_random(seeds[k])[0]
            self._begin(int(k), (options or {}).get("parameters", {}))
        self._over[chosen] = False
        return self._observed(self._signals_now()), {
            name: self._values[self._names.index(name)].copy() for name in self._randomised
        }

    def _begin(self, k: int, given: Mapping[str, float]) -> None:
        """Environment k at the start of an episode, with parameters drawn for it."""
        drawn = {name: float(self._random[k].uniform(*span)) for name, span in self._randomised.items()}
        drawn |= given
        for name, value in drawn.items():
            self._values[self._names.index(name), k] = value
        own = dict(zip(self._names, self._values[:, k].tolist(), strict=True))
        if self._group.varying.kinematic.any() and drawn:
            self._group.places[k] = placed(self._base, own, self._run)
        if self._computed_vary:
            data = self._base.program.numbers(own).data
            self._group.computed[:, k] = data[self._base.program.computed_rows]
        self._states[:, k] = self._group.places[k].start
        self._steps[k] = 0

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Hold an action in each until the next one; those that were over begin again."""
        values = clipped(actions, self._all_acts)
        anew, moving = np.flatnonzero(self._over), np.flatnonzero(~self._over)
        for k in anew:
            self._begin(int(k), {})
        for column, name in enumerate(self._actions):
            self._values[self._names.index(name), moving] = values[moving, column]
        signals = (
            self._signals_now() if len(anew) else np.full((len(self._observations), self.num_envs), np.nan)
        )
        outcome = np.full(self.num_envs, int(Outcome.REACHED_END))
        for step in np.unique(self._steps[moving]):  # those that began together are at the same time
            chosen = moving[self._steps[moving] == step]
            self._advance(chosen, int(step), signals, outcome)
        self._steps[moving] += 1
        rewards, failed = np.zeros(self.num_envs), outcome != Outcome.REACHED_END
        for k in moving:
            told = dict(zip(self._observations, signals[:, k].tolist(), strict=True))
            told |= dict(zip(self._actions, values[k].tolist(), strict=True))
            rewards[k] = self._reward(told)
            failed[k] |= bool(self._failed and self._failed(told))
        late = self._steps * self._every >= self._end - 1e-9 * self._every
        late[anew] = False
        self._over = failed | late
        return (
            self._observed(signals),
            rewards,
            failed,
            late & ~failed,
            {
                "t": self._run.start + self._steps * self._every,
                "outcome": np.array([Outcome(int(one)).name for one in outcome]),
            },
        )

    def _advance(self, chosen: np.ndarray, step: int, signals: np.ndarray, outcome: np.ndarray) -> None:
        """Run some environments from one action to the next, and look at them there, or where they ended early."""
        start = self._run.start + step * self._every
        found = self._ran(chosen, start, start + self._every)
        self._states[:, chosen] = found.state
        signals[:, chosen] = found.measured
        outcome[chosen] = found.outcome
        for i in np.flatnonzero(found.outcome != Outcome.REACHED_END):
            k = chosen[i : i + 1]
            signals[:, k] = self._group.signals(
                self._values[:, k], k, float(found.time[i]), self._states[:, k]
            )

    def _ran(self, chosen: np.ndarray, start: float, end: float) -> Any:
        group, run = self._group, replace(self._run, start=start, end=end)
        x = self._values[:, chosen]
        return group.lanes.run(
            group.numbers(x, chosen),
            self._states[:, chosen],
            group.settings(run, Span(start, 1, end)) | {"stop_at_skip": float(run.skipping == "stop")},
            group.corners(x, run),
            1 if len(chosen) < 64 else None,
        )

    def _signals_now(self) -> np.ndarray:
        """Signals at the states as they are, each at its own time."""
        out = np.zeros((len(self._observations), self.num_envs))
        for step in np.unique(self._steps):
            chosen = np.flatnonzero(self._steps == step)
            out[:, chosen] = self._group.signals(
                self._values[:, chosen], chosen, self._run.start + step * self._every, self._states[:, chosen]
            )
        return out

    def _observed(self, signals: np.ndarray) -> np.ndarray:
        space = self._sees
        return np.clip(signals.T, space.low, space.high).astype(np.float32)
