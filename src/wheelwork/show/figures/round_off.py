"""Lines that move by round-off alone are drawn flat: 1e-31 m/s of what stands is no motion."""

from __future__ import annotations

import numpy as np

from wheelwork.results import Result

ROUND_OFF = 1e-13
"""Over the largest of its kin."""
MOST = 1e-6
"""In any unit of SI: what changes by more is looked at no further."""
SMALLEST = 1e-6
"""m: of a machine, all of whose bodies are at the origin."""


def largest_of(values: np.ndarray) -> float:
    """The largest size of finite values, or zero."""
    return float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0))


def without_round_off(result: Result, unit: str, values: np.ndarray, kin: float) -> np.ndarray:
    """Values of one line; flat where they change by less than numbers of their size are rounded, and zero if near it.

    kin: the largest of what they belong to, such as the other components of a vector
    """
    finite = values[np.isfinite(values)]
    if not len(finite) or not len(result.motion.program.bodies):
        return values
    low, high = float(np.min(finite)), float(np.max(finite))
    if low == high or high - low > MOST:
        return values
    least = ROUND_OFF * max(kin, _size(result, unit))
    if high - low > least:
        return values
    middle = (low + high) / 2
    return np.where(np.isfinite(values), middle if abs(middle) > least else 0.0, values)


def _size(result: Result, unit: str) -> float:
    """How large such things are in the machine. That it comes by its own size, or a radian, in a second is not much."""
    head, _, rate = unit.partition("/")
    if unit in ("N", "N m"):
        return largest_of(result.whole.motion.multipliers)
    if head not in ("m", "rad") or rate not in ("", "s", "s^2"):
        return 0.0
    motion = result.whole.motion
    length, moved, turned = max(largest_of(motion.x), SMALLEST), 0.0, 1.0
    if rate:
        rates = motion.v if rate == "s" else motion.a
        moved, turned = largest_of(rates[:, :, :3]), max(1.0, largest_of(rates[:, :, 3:]))
    return max(length * turned, moved) if head == "m" else turned
