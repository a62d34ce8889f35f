"""How signals change with small motions, speeds and states of a control, accelerations and reactions following from the
equations of motion: by central differences, to about eight digits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.signals import Signal

from .assemble import Assembled, with_turns

SMALL = 1e-7
"""Step of the differences: m or rad of the body that moves most, relative change of a number."""

Values = Callable[[Motion], np.ndarray]
"""Numbers that follow from a motion of one moment."""


def values_of(signals: Sequence[Signal]) -> Values:
    return lambda motion: np.array([float(signal.compute(motion)[0]) for signal in signals])


def difference(
    of: Values, motion: Motion, h: float, changed: Callable[[float], dict[str, Any]]
) -> np.ndarray:
    """Central difference of numbers by what is changed in a motion of one moment, all else held."""
    above, below = (of(replace(motion, **changed(by), _kept={})) for by in (h, -h))
    return (above - below) / (2 * h)


def by_position(at: Assembled, values: Values, moved: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """(values, motions) by small motions, the columns of `moved`, with the changes of velocities that go with them."""
    pairs = zip(moved.T, speeds.T, strict=True)
    return _differences(
        at, values, ((_step(x), lambda h, x=x, v=v: moved_along(at, x, v, h).state) for x, v in pairs)
    )


def moved_along(at: Assembled, x: np.ndarray, v: np.ndarray, h: float) -> Assembled:
    """After a motion by h x, with velocities that are h v more."""
    program, data = at.prepared.program, at.prepared.numbers.data
    state = with_turns(program, data, _faster(at, program.displaced(at.state, h * x), h * v))
    return Assembled(at.prepared, state, [], at.t)


def by_velocity(at: Assembled, values: Values, moved: np.ndarray) -> np.ndarray:
    """(values, motions) by the velocities with which these motions go."""
    return _differences(
        at, values, ((_step(x), lambda h, x=x: _faster(at, at.state, h * x)) for x in moved.T)
    )


def by_state(at: Assembled, values: Values, places: np.ndarray) -> np.ndarray:
    """(values, places) by entries of the state."""

    def there(place: int, h: float) -> np.ndarray:
        moved = np.array(at.state)
        moved[place] += h
        return moved

    steps = ((SMALL * max(1.0, abs(float(at.state[k]))), lambda h, k=k: there(k, h)) for k in places)
    return _differences(at, values, steps)


def measured_partials(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """What formulas read once the accelerations are known, by small motions of all bodies (signals, V bodies) and by
    multipliers (signals, rows), each with all else held."""
    program, state, multipliers = motion.program, motion.state[0], motion.multipliers[0]
    step = SMALL * max(1.0, float(np.max(np.abs(multipliers), initial=0.0)))

    def measured(states: np.ndarray, forces: np.ndarray) -> np.ndarray:
        count = max(len(states), len(forces))
        parts = (motion.t, states, motion.acceleration, forces, motion.friction)
        t, y, *efforts = (np.repeat(x, count // len(x), axis=0) for x in parts)
        found = motion.other(t, y, efforts).measured
        return (found[:, : count // 2] - found[:, count // 2 :]) / 2

    def both_ways(size: int) -> np.ndarray:
        return np.vstack([np.eye(size), -np.eye(size)])

    data = motion.numbers.data
    moved = [with_turns(program, data, program.displaced(state, SMALL * x)) for x in both_ways(program.nv)]
    pressed = multipliers + step * both_ways(program.rows)
    return measured(np.array(moved), motion.multipliers) / SMALL, measured(motion.state, pressed) / step


def _step(x: np.ndarray) -> float:
    return SMALL / max(float(np.max(np.abs(x))), 1e-300)


def _differences(
    at: Assembled, values: Values, steps: Iterable[tuple[float, Callable[[float], np.ndarray]]]
) -> np.ndarray:
    """A column for each length of a step, and the state at some length."""
    columns = []
    for h, there in steps:
        above, below = (values(Assembled(at.prepared, there(x), [], at.t).motion) for x in (h, -h))
        columns.append(above / (2 * h) - below / (2 * h))
    return np.array(columns).T if columns else np.zeros((len(values(at.motion)), 0))


def _faster(at: Assembled, state: np.ndarray, change: np.ndarray) -> np.ndarray:
    """A state with other velocities."""
    program, out = at.prepared.program, np.array(state)
    out[program.nq : program.nq + program.nv] += change
    return out
