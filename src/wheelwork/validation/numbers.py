"""How the numbers of a table are written: as many digits as the error needs."""

from __future__ import annotations

from math import floor, isfinite, log10


def digits(value: float, error: float) -> str:
    """A value to two places beyond its error, at most 15 digits in all.

    >>> digits(2.612114932, 4.9e-6), digits(15.81077119629904, 1.4e-9), digits(3.0, 0.0)
    ('2.6121149', '15.8107711963', '3')
    """
    if not isfinite(value) or not isfinite(error) or value == 0:
        return f"{value:g}"
    size = floor(log10(abs(value)))
    if error == 0:
        return f"{value:.10g}"
    return f"{value:#.{min(max(size - floor(log10(error)) + 2, 4), 15)}g}"


def share(error: float, tolerance: float) -> str:
    """How much of the tolerance is used up, in per cent."""
    if error == 0:
        return "0 %"
    if not tolerance or not isfinite(error):
        return "-"
    percent = 100 * error / tolerance
    return "< 0.1 %" if percent < 0.1 else f"{percent:.2g} %" if percent < 10 else f"{percent:.0f} %"
