"""How long steps are: the first one, the longest, and those up to a place where a force jumps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..engine import RunOptions
from .locate import bracket
from .methods import Step
from .switching import Readings


def first_step(o: RunOptions, step: Step, order: int) -> float:
    """Starting step after Hairer, Norsett, Wanner (II.4), in its simplest form."""
    y, dy = step.y0, step.first
    scale = o.atol + o.rtol * np.abs(y)
    size, speed = np.sum((y / scale) ** 2), np.sum((dy / scale) ** 2)
    h = max(1e-6, 0.01 * np.sqrt(size / speed)) if speed > 1e-20 else 1e-3
    wished = 0.1 * (o.rtol + o.atol) ** (1 / order)
    return float(min(h, max(wished, 1e-6), o.end - o.start))


def largest_step(o: RunOptions, grid: np.ndarray, modes_change: bool) -> float:
    """As asked for; with modes that may change, at most the output's interval: at rest the error says nothing."""
    if not modes_change:
        return o.largest_step
    interval = np.diff(grid).max(initial=0.0)
    return float(min(o.largest_step, interval if interval > 0 else 0.01 * (o.end - o.start)))


def closest(o: RunOptions) -> float:
    """A step as short as this goes across a jump."""
    return max(o.event_tolerance, 1e-6 * (o.step or 0.0))


def up_to_a_jump(
    o: RunOptions,
    h: float,
    adaptive: bool,
    read: Callable[[float], Readings],
    start: Readings,
    end: Readings,
) -> float | None:
    """Where a force jumps or bends within the step h, its stages mix both sides: a length that ends shortly before that
    place, or, if the step begins there, shortly behind it. None where the step itself is that short."""
    before, behind = bracket(read, 0.0, start, 1.0, end, 1e-4)
    # With a fixed step there is no error that would ask for a short step across.
    approach = before > (0.05 if adaptive else closest(o) / h)
    return h * (before if approach else behind) if approach or behind < 0.95 else None
