"""What is measured of a steady vibration: x sampled at equal steps.

mean, rms of what is left about it, least, greatest, peak (half of greatest less least);
amplitude of order k of a period T: |2/N sum x_n exp(-i k 2 pi t_n/T)| over whole periods;
Poincare section: one sample per period, at the same phase;
share of time at zero: of a contact force, how long the contact is open.
"""

from __future__ import annotations

import numpy as np

from wheelwork.results.spectra import NoOrders, find_order

STATISTICS = {
    "mean": "mean value",
    "rms": "root mean square about the mean",
    "peak": "half of maximum minus minimum",
    "least": "least value",
    "greatest": "greatest value",
}


def statistics(x: np.ndarray) -> dict[str, np.ndarray]:
    """Of samples (n, ...) along the first axis."""
    mean = x.mean(axis=0)
    least, greatest = x.min(axis=0), x.max(axis=0)
    return {
        "mean": mean,
        "rms": np.sqrt(np.mean((x - mean) ** 2, axis=0)),
        "peak": (greatest - least) / 2,
        "least": least,
        "greatest": greatest,
    }


def order_amplitudes(x: np.ndarray, samples: int, orders: np.ndarray) -> np.ndarray:
    """Complex amplitudes (orders, signals) of samples (n, signals), `samples` to a period, n whole periods of them.

    x = mean + Re sum a_k exp(i k 2 pi t/T). Of orders such as 1/3 that have no whole cycles in these periods, whole
    cycles are taken (:mod:`wheelwork.results.spectra`), so that the mean does not leak; nan where these are too few.
    """
    phase = 2 * np.pi * np.arange(len(x)) / samples
    out = np.tensordot(np.exp(-1j * np.outer(orders, phase)) * 2 / len(x), x, axes=1)
    cycles = np.abs(orders) * len(x) / samples
    for k in np.flatnonzero(np.abs(cycles - np.round(cycles)) > 1e-9 * cycles):
        try:
            out[k] = [find_order(column, phase, float(orders[k])) for column in x.T]
        except NoOrders:
            out[k] = np.nan
    return out


def section(x: np.ndarray, samples: int) -> np.ndarray:
    """One sample per period: (periods, ...)."""
    return x[::samples]


def open_share(force: np.ndarray) -> np.ndarray:
    """Share of the samples (n, ...) at which a force is zero, to 1e-9 of its largest size there."""
    largest = np.max(np.abs(force), axis=0)
    return np.mean(np.abs(force) <= 1e-9 * largest, axis=0)


# -- jumps of a measure over the values of a sweep: where one steady motion ends and another is taken up
#
# From a few samples a jump cannot be told from a steep curve: a resonance that falls between two values looks like
# one, and before a fold the curve itself is steep (its slope grows without bound). A sweep therefore halves the
# intervals that are not clear, up to three times, always the half with the larger change. Of a smooth curve the
# largest part of the change falls with each halving, of a jump it stays.


LEAST = 0.2
"""Of the greatest value: what changes by less from one value to the next is not a jump."""
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
