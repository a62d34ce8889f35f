"""Teeth from a ratio: the smallest whole numbers that make it."""

from __future__ import annotations

import math
from fractions import Fraction

TOLERANCE = 1e-12
"""A ratio is met to within this part of it."""
MOST = 10**6
"""A ratio that needs more teeth than this gets the nearest with so many (more for ratios beyond 1000)."""


def simplest_ratio(ratio: float, tolerance: float = TOLERANCE, most: int = MOST) -> tuple[int, int]:
    """Whole numbers (z_a, z_b), as small as possible, with z_b/z_a = ratio within the tolerance.

    >>> simplest_ratio(2.5), simplest_ratio(1 / 3), simplest_ratio(0.0751 / 0.0507)
    ((2, 5), (3, 1), (507, 751))
    """
    exact = Fraction(ratio)
    margin = exact * Fraction(tolerance)
    found = _simplest_between(exact - margin, exact + margin)
    if max(found.numerator, found.denominator) > most:
        # limit_denominator looks at one of the two numbers; the larger one is what counts
        most = max(most, math.ceil(1000 * max(exact, 1 / exact)))
        found = 1 / (1 / exact).limit_denominator(most) if exact > 1 else exact.limit_denominator(most)
    return found.denominator, found.numerator


def _simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator in [low, high], by the continued fraction the two have in common."""
    digits: list[int] = []
    while True:
        whole = math.floor(low)
        if whole == low:
            last = whole
            break
        if math.floor(high) > whole:
            last = whole + 1
            break
        digits.append(whole)
        low, high = 1 / (high - whole), 1 / (low - whole)
    found = Fraction(last)
    for digit in reversed(digits):
        found = digit + 1 / found
    return found
