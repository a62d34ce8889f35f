"""A run once more, step by step, where outputs are too coarse for what is summed up along the motion.

The steps are those of the run: what is stored of them does not tell in them. First their ends are found, and then the
motion at points between, by the interpolation of the method itself, with accelerations and reactions solved there. It
comes in stretches, so that a long run needs no more memory than a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.program import Numbers, Program

from .engine import RECORDED, Integration
from .options import RunOptions
from .recorded import RecordedMotion

AT_ONCE = 10_000
"""Steps in a stretch, about."""


@dataclass(frozen=True, eq=False)
class RunStretch:
    """A part of a run.

    t, state: its outputs
    ends [s]: of its steps, with both sides of events and what was asked for
    inside: the motion at as many points in each interval between these
    """

    t: np.ndarray
    state: np.ndarray
    ends: np.ndarray
    inside: RecordedMotion


@dataclass(frozen=True, eq=False)
class Retrace:
    """What a run was made from.

    integrate: the run with other outputs and settings
    grid [s], run: those it had
    steps: how many it took
    """

    program: Program
    numbers: Numbers
    integrate: Callable[[np.ndarray, RunOptions], Integration]
    grid: np.ndarray
    run: RunOptions
    steps: int

    def stretches(self, places: np.ndarray, asked: np.ndarray) -> Iterator[RunStretch]:
        """One after the other; each begins where the one before ended.

        places: of points in an interval, from 0 to 1; asked [s]: further times that end an interval
        """
        first, end = float(self.grid[0]), float(self.grid[-1])
        widest = float(np.max(np.diff(self.grid), initial=0.0))
        run = replace(self.run, keep=None, largest_step=min(self.run.largest_step, widest or np.inf))
        if run.origin is None:
            run = replace(run, origin=first)
        here = first
        for stop in np.linspace(first, end, self.steps // AT_ONCE + 2)[1:]:
            if stop < end:
                run = replace(run, until=float(stop), hand_over="as if longer")
            else:
                run = replace(run, until=self.run.until, hand_over=self.run.hand_over)
            # steps know the widest interval of outputs: a last one beyond the end, which is never met, has it
            beyond = end + widest
            outputs = self.grid[(self.grid >= here) & (self.grid < stop)]
            found = self.integrate(
                np.append(outputs, [stop, beyond]), replace(run, store_steps=True, states_only=True)
            )
            new = np.diff(found.t, prepend=-np.inf) > 0  # an output, not the end of the step behind a sample
            t, state = found.t[new], found.state[new]
            ends = np.concatenate([[here], t, found.sides[:, 0], asked])
            ends = np.unique(ends[(ends >= here) & (ends <= t[-1])])
            inside = (ends[:-1, None] + np.diff(ends)[:, None] * places).ravel()
            if len(inside):
                done = self.integrate(np.append(inside, beyond), run)
                at = np.isin(done.t, inside)
                times, states, *efforts = (getattr(done, name)[at] for name in RECORDED)
                if len(times) != len(inside):
                    return
                kept = efforts if efforts[0].shape[1] else None
                same = np.isin(t, self.grid) & ((t > here) | (here == first))
                yield RunStretch(
                    t[same],
                    state[same],
                    ends,
                    RecordedMotion(self.program, self.numbers, times, states, kept),
                )
            if not found.report.outcome.good or not found.carried:
                return
            run, here = replace(run, carried=found.carried), float(stop)
