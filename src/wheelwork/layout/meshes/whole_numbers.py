"""Teeth from a ratio: the smallest whole numbers that make it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from wheelwork.lazy import casadi as ca

TOLERANCE = 1e-12
"""A ratio is met to within this part of it."""


FEW = 100
"""Wheels without tooth numbers whose ratio small whole numbers make: up to this many are as good as teeth."""
MANY = 1000
"""Beyond this many the pitch is so short that a step of an integrator may miss it."""


def sizes_of_ratio(
    ratio: ca.SX, number: Callable[[ca.SX], float]
) -> tuple[tuple[int, int], tuple[ca.SX, ca.SX]]:
    """Whole numbers that make a ratio, for exact arithmetic, and the sizes of the wheels in its proportion: the same
    numbers, or the ratio itself where it is none of small ones (turns are counted there)."""
    found = simplest_ratio(number(ratio))
    if max(found) > MANY:
        return found, (ca.SX(1), ratio)
    return found, (ca.SX(found[0]), ca.SX(found[1]))


def simplest_ratio(ratio: float, tolerance: float = TOLERANCE) -> tuple[int, int]:
    """Whole numbers (z_a, z_b), as small as possible, with z_b/z_a = ratio within the tolerance.

    >>> simplest_ratio(2.5), simplest_ratio(1 / 3), simplest_ratio(0.0751 / 0.0507)
    ((2, 5), (3, 1), (507, 751))
    """
    exact = Fraction(ratio)
    margin = exact * Fraction(tolerance)
    found = _simplest_between(exact - margin, exact + margin)
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
