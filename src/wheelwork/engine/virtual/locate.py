"""The first event in a step: where a mode ends, to within a tolerance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .switching import Readings


def locate(
    read: Callable[[float], Readings], start: Readings, end: Readings, samples: int, width: float
) -> float | None:
    """The far end of a bracket narrower than `width` (a fraction of the step) in which the first mode ends.

    The step is looked at in `samples` places, so that a short contact is not stepped over.
    """
    a, low = 0.0, start
    for i in range(1, samples + 1):
        b = i / samples
        high = read(b) if i < samples else end
        if high.ended(low).any():
            return bracket(read, a, low, b, high, width)[1]
        a, low = b, high
    return None


def bracket(
    read: Callable[[float], Readings], a: float, low: Readings, b: float, high: Readings, width: float
) -> tuple[float, float]:
    """Where between a and b the first mode ends, as an interval narrower than `width`.

    Secant steps to both sides of the root, and bisection whenever they do not halve the bracket."""
    side = 1
    while b - a > width and a < 0.5 * (a + b) < b:
        before = b - a
        for middle in (_secant(a, low, b, high) + 0.4 * side * width, 0.5 * (a + b)):
            if not a < middle < b:
                continue
            values = read(middle)
            if values.ended(low).any():
                b, high, side = middle, values, -1
            else:
                a, low, side = middle, values, 1
            if b - a <= max(width, 0.5 * before):
                break
    return a, b


def _secant(a: float, low: Readings, b: float, high: Readings) -> float:
    """Where the first of the values would be zero on a straight line; NaN if none changes sign."""
    ended = high.ended(low) & (low.values != high.values)
    if not ended.any():
        return np.nan
    fraction = low.values[ended] / (low.values[ended] - high.values[ended])
    fraction = fraction[(fraction >= 0) & (fraction <= 1)]
    return a + (b - a) * float(fraction.min()) if fraction.size else np.nan
