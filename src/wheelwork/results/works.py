"""Works: integrals of powers along the motion of a result, between its outputs or between the ends of its steps.

Between two outputs, where the motion is interpolated (`Result.at`), powers are integrated with three Gauss points, and
on either side of events and of corners of functions of time, where powers jump. Where they bend, as those of teeth that
strike, the interval is halved until Simpson's rule says the same. In steps, of which the method itself says what is
inside, four points are enough for its order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from wheelwork.system.motion import Motion

    from .result import Result

Powers = Callable[["Motion"], dict[str, np.ndarray]]
"""By name [W], over the moments of a motion."""
PLACES = np.array([-1.0, -np.sqrt(0.6), 0.0, np.sqrt(0.6), 1.0])
"""Gauss points and ends of an interval from -1 to 1."""
GAUSS, SIMPSON = np.array([0.0, 5.0, 8.0, 5.0, 0.0]) / 18, np.array([1.0, 0.0, 4.0, 0.0, 1.0]) / 6
CLOSED = 1e-8
"""Difference of the two rules in an interval, over the largest energy or work, up to which it is not halved.

Where powers bend, both rules are off by about as much; elsewhere Gauss's by far less."""
HALVINGS = 12
MOST = 50_000
"""Intervals that are halved at a time; of more, those in which the rules differ most."""
NOISE = 0.75
"""What halving leaves of the differences where powers are noise; of a jump, the worst otherwise, it leaves a half."""
IN_STEPS, OF_STEPS = (np.polynomial.legendre.leggauss(4) + np.array([[1.0], [0.0]])) / 2
"""Gauss points in a step from 0 to 1, and their weights."""
SAME = 1e-6
"""Of the largest number of the state: by which a run made once more may differ from what it was."""
AT_ONCE = 4000
"""Intervals whose powers are computed together: what takes memory."""


def works_until(result: Result, powers: Powers, held: float, times: np.ndarray) -> dict[str, np.ndarray]:
    """Integrals of powers from the first moment of a result up to some times [J].

    held [J]: the largest energy in the machine
    """
    motion, t = result.motion, np.asarray(result.t)
    jumps = [event.t for event in result.provenance.events]
    jumps += [*motion.program.corners(motion.numbers, t[0], t[-1]), *result.samples]
    ends = np.unique(np.concatenate([t, times, np.clip([*jumps, *motion.sides[:, 0]], t[0], t[-1])]))
    outputs = np.searchsorted(ends, times)
    low, high, owner = ends[:-1], ends[1:], np.arange(len(ends) - 1)
    done: dict[str, np.ndarray] = {}
    largest, left = 0.0, np.inf
    for halvings in range(HALVINGS + 1):
        found = _integrals(result, low, high, powers)
        if not halvings:
            done = {name: np.zeros(len(owner)) for name in found}
            totals = [np.append(0.0, own.cumsum()) for own, _ in found.values()]
            largest = max([held, *(float(np.ptp(total)) for total in totals)])
        bent = np.zeros(len(owner), bool)
        if halvings < HALVINGS and found:
            differences = np.max([np.abs(difference) for _, difference in found.values()], axis=0)
            worst = np.argsort(differences)[-MOST:]
            bent[worst] = differences[worst] > CLOSED * largest
            before, left = left, float(np.sum(differences[bent]))
            bent &= halvings < 2 or left < NOISE * before
        for name, (own, _) in found.items():
            np.add.at(done[name], owner[~bent], own[~bent])
        if not bent.any():
            break
        middle = (low[bent] + high[bent]) / 2
        low, high = np.append(low[bent], middle), np.append(middle, high[bent])
        owner = np.append(owner[bent], owner[bent])
    return {name: np.append(0.0, own.cumsum())[outputs] for name, own in done.items()}


def _integrals(
    result: Result, low: np.ndarray, high: np.ndarray, of: Powers
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Of the powers by name over each of some intervals [J]: by Gauss's rule, and how much more than by Simpson's.

    What has no power for a while (a lossy gear that locks) is not named then.
    """
    powers: dict[str, np.ndarray] = {}
    for first in range(0, len(low), AT_ONCE):
        a, b = low[first : first + AT_ONCE, None], high[first : first + AT_ONCE, None]
        times = np.hstack([a, (a + b) / 2 + (b - a) / 2 * PLACES[1:-1], b])
        moments, at = np.unique(times, return_inverse=True)  # intervals share their ends
        for name, power in of(result.at(moments).motion).items():
            whole = powers.setdefault(name, np.zeros((len(low), len(PLACES))))
            whole[first : first + AT_ONCE] = power[at].reshape(times.shape) * (b - a)
    return {name: (own @ GAUSS, own @ (GAUSS - SIMPSON)) for name, own in powers.items()}


def works_by_steps(result: Result, powers: Powers, times: np.ndarray) -> dict[str, np.ndarray]:
    """The same as `works_until`, along the steps of the run; empty where it cannot be made once more."""
    motion, reached = result.motion, -np.inf
    found: dict[str, np.ndarray] = {}
    size = SAME * max(1.0, float(np.max(np.abs(motion.state))))
    stretches = () if result.retrace is None else result.retrace.stretches(IN_STEPS, times)
    for stretch in stretches:
        at = np.isin(motion.t, stretch.t)
        again = stretch.state[np.isin(stretch.t, motion.t)]
        if np.max(np.abs(again - motion.state[at]), initial=0.0) > size:
            return {}
        width, ends = np.diff(stretch.ends), stretch.ends
        before, reached = (times > reached) & (times <= ends[-1]), ends[-1]
        for name, power in powers(stretch.inside).items():
            own = np.append(0.0, np.cumsum(power.reshape(len(width), -1) @ OF_STEPS * width))
            whole = found.setdefault(name, np.zeros(len(times)))
            whole[before] += own[np.searchsorted(ends, times[before])]
            whole[times > reached] += own[-1]
    return found if reached >= times[-1] else {}
