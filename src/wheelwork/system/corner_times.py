"""Zeros of the functions whose sign changes where a function of time jumps or bends. Needs NumPy only.

They are looked for between samples, as many as it takes until twice no more are found; a pulse shorter than one part
in 260 000 of the run may be missed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FEWEST, MOST = 2**12, 2**18  # samples
HALVINGS = 60  # of a bracket: to the last digit

Functions = Callable[[np.ndarray], np.ndarray]
"""c of each function (rows) at each time (columns)."""


def corner_times(c: Functions | None, knots: np.ndarray, start: float, end: float) -> tuple[float, ...]:
    """All corners from start to end, in order: zeros of the functions c, and times at which tables have them."""
    found = [np.asarray(knots, float)]
    if c is not None:
        found.append(_zeros(c, start, end))
    every = np.sort(np.concatenate(found))
    round_off = 1e-14 * max(abs(start), abs(end))
    every = every[(every >= start - round_off) & (every <= end + round_off)]
    if len(every) > 1:  # the same corner by two operations is one
        every = every[np.append(True, np.diff(every) > round_off)]
    return tuple(float(t) for t in every)


def _zeros(c: Functions, start: float, end: float) -> np.ndarray:
    samples, before = FEWEST, -1
    while True:
        # halved until no numbers are between, powers of two come to the same one from whatever start and end
        apart = 2.0 ** np.floor(np.log2((end - start) / samples))
        t = apart * np.arange(np.floor(start / apart), np.ceil(end / apart) + 1)
        values = c(t)
        signs = values > 0
        row, place = np.nonzero(signs[:, 1:] != signs[:, :-1])
        if samples >= MOST or len(place) == before == 0 or (len(place) == before and samples > FEWEST):
            break
        samples, before = 4 * samples, len(place)
    zero = 1e-14 * np.max(np.abs(values), axis=1, keepdims=True)
    ends = np.array([start, end])
    at_ends = ends[np.any(np.abs(c(ends)) <= zero, axis=0)]
    if not len(place):
        return at_ends
    low, high, first = t[place], t[place + 1], signs[row, place]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = (c(middle)[row, np.arange(len(middle))] > 0) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.concatenate([at_ends, high])
