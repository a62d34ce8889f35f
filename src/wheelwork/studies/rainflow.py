"""Rainflow counts of cycles, as ASTM E1049-85 (5.4.4) has them."""

from __future__ import annotations

import itertools

import numpy as np


def reversals(x: np.ndarray) -> np.ndarray:
    """First and last value, and those between at which x turns."""
    x = np.asarray(x, float)
    x = x[np.concatenate([[True], np.diff(x) != 0])]
    if len(x) < 3:
        return x
    turns = np.diff(x[:-1]) * np.diff(x[1:]) < 0
    return x[np.concatenate([[True], turns, [True]])]


def rainflow(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ranges, and the cycles counted of each: 1, or 1/2 for what begins or remains at the ends.

    With X the last range and Y the one before it: while X >= Y, Y is counted, as half a cycle where it holds the first
    point, which then goes, else as a whole one, whose two points go. What remains counts as halves.

    >>> ranges, cycles = rainflow(np.array([-2, 1, -3, 5, -1, 3, -4, 4, -2]))
    >>> {float(r): float(cycles[ranges == r].sum()) for r in np.unique(ranges)}
    {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    """
    points: list[float] = []
    ranges: list[float] = []
    cycles: list[float] = []
    for value in reversals(x).tolist():
        points.append(value)
        while len(points) >= 3:
            last, before = abs(points[-1] - points[-2]), abs(points[-2] - points[-3])
            if last < before:
                break
            ranges.append(before)
            if len(points) == 3:
                cycles.append(0.5)
                points.pop(0)
            else:
                cycles.append(1.0)
                del points[-3:-1]
    ranges += [abs(b - a) for a, b in itertools.pairwise(points)]
    cycles += [0.5] * max(0, len(points) - 1)
    return np.array(ranges), np.array(cycles)


def counted(x: np.ndarray, top: float, bins: int) -> np.ndarray:
    """Cycles in so many equal bins of the range from 0 to `top`; the last holds larger ones too."""
    ranges, cycles = rainflow(x)
    place = np.minimum((ranges / top * bins).astype(int), bins - 1)
    return np.bincount(place, cycles, bins) if len(ranges) else np.zeros(bins)


def equivalent_range(x: np.ndarray, exponent: float) -> float:
    """Range of one cycle that does the damage of all by Miner's rule: (sum n_i r_i^m)^(1/m)."""
    ranges, cycles = rainflow(x)
    largest = float(ranges.max(initial=0.0))
    if largest == 0.0:
        return 0.0
    return largest * float(np.sum(cycles * (ranges / largest) ** exponent)) ** (1 / exponent)
