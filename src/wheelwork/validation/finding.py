"""One line of the table: a quantity, its reference, our value, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Comparison:
    """A quantity compared with its reference; of several values, the one that comes nearest to its tolerance.

    quantity: what is compared
    unit: of reference, ours, error and tolerance
    reference, ours: the value of the source and that of Wheelwork
    error: |ours - reference|
    tolerance: the largest error allowed there
    origin: where the tolerance comes from
    count: of the values compared
    """

    quantity: str
    unit: str
    reference: float
    ours: float
    error: float
    tolerance: float
    origin: str
    count: int = 1

    @property
    def passed(self) -> bool:
        """An error that is not a number has not passed."""
        return self.error <= self.tolerance


def compare(
    quantity: str,
    ours: Any,
    reference: Any,
    *,
    origin: str,
    unit: str = "",
    absolute: float = 0.0,
    relative: float = 0.0,
) -> Comparison:
    """Compare numbers or arrays of one shape; an error may be `absolute` + `relative` * |reference|.

    >>> compare("angle", [1.0, 2.001], [1.0, 2.0], unit="rad", absolute=0.01, origin="print precision").passed
    True
    """
    found, wanted = np.asarray(ours, dtype=float), np.asarray(reference, dtype=float)
    if found.shape != wanted.shape:
        raise ValueError(f"{quantity}: {found.shape} values against {wanted.shape} of the reference")
    if not found.size:
        raise ValueError(f"{quantity}: nothing to compare")
    found, wanted = found.ravel(), wanted.ravel()
    error, allowed = np.abs(found - wanted), absolute + relative * np.abs(wanted)
    # nan beats everything, and an error where none is allowed beats the others
    badness = np.where(error == 0, 0.0, error / np.maximum(allowed, 1e-300))
    worst = int(np.argmax(np.where(np.isnan(badness), np.inf, badness)))
    return Comparison(
        quantity,
        unit,
        float(wanted[worst]),
        float(found[worst]),
        float(error[worst]),
        float(allowed[worst]),
        origin,
        found.size,
    )


# -- how the numbers of a table are written: as many digits as the error needs


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
