"""Jumps of a measure over the values of a sweep: where one steady motion ends and another is taken up.

From a few samples a jump cannot be told from a steep curve: a resonance that falls between two values looks like one,
and before a fold the curve itself is steep (its slope grows without bound). A sweep therefore halves the intervals that
are not clear, up to three times, always the half with the larger change. Of a smooth curve the largest part of the
change falls with each halving, of a jump it stays.
"""

from __future__ import annotations

import numpy as np

LEAST = 0.2
"""Of the greatest value: what changes by less from one value to the next is no jump."""
SHARES = (0.7, 0.6, 0.5)
"""What the largest part of the change in an interval must hold of the whole to be a jump, after 1, 2, 3 halvings."""


def unclear(change: np.ndarray) -> np.ndarray:
    """Intervals that may hold a jump, the largest change first; change: (intervals, signals), over the greatest values.

    Not those on a flank that is just as steep on both sides.
    """
    size = np.abs(change)
    flank = np.zeros(change.shape, bool)
    if len(change) > 2:
        here, sides = change[1:-1], np.stack([change[:-2], change[2:]])
        flank[1:-1] = np.all((sides * here > 0) & (np.abs(sides) >= 0.4 * np.abs(here)), axis=0)
    worth = np.where((size > LEAST) & ~flank, size, 0.0).max(axis=1, initial=0.0)
    order = np.argsort(-worth, kind="stable")
    return order[worth[order] > 0]


def halved(values: np.ndarray, measured: np.ndarray) -> tuple[int, bool]:
    """Of the places and measures in a halved interval, with its ends: where the largest change is, and whether it is a
    jump."""
    size = np.abs(np.diff(measured))
    largest = int(np.argmax(size))
    needed = SHARES[min(len(values) - 3, len(SHARES) - 1)]
    return largest, bool(size[largest] > needed * size.sum())


def steepest(change: np.ndarray, k: int) -> bool:
    """Whether the change in interval k stands out of those around it, where it was not halved: three times those after
    it, on the motion that was taken up, and clearly more than the one before, where a curve that ends is steep."""
    size = np.abs(np.nan_to_num(change))
    after, before = size[k + 1 : k + 3].max(initial=0.0), size[k - 1] if k else 0.0
    return bool(size[k] > 3 * after and size[k] > 1.5 * before)
