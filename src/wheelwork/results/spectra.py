"""Spectra over time and over the angle of a shaft, and how both change in a run-up.

spectrum        amplitudes by frequency, with a Hann window (w_n = 1 - cos(2 pi n/N), mean 1), the mean taken away
orders          the signal is resampled at equal steps of the angle, by splines of degree 5, over whole turns (the last
                ones), and a_n = 2/N |sum w x exp(-i n angle)|: neither the mean nor other orders of the shaft leak into
                it, at any speed. Two turns or more have a Hann window w, by which little leaks of anything else, such
                as orders of other shafts. Less than a turn, or an order that fits no whole turns: two whole cycles
                or more, with this window.
waterfall       one after the other for stretches that overlap by a half, with a Hann window
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from wheelwork.lazy import interpolate

FEWEST = 2.5
"""Samples in a cycle, below which it is not told from a slower one (2), or only roughly."""
FOLDED = 0.05
"""Share of the power in the last quarter of what the samples tell apart, above which there is more beyond."""
STANDING = 1e-9
"""Of the whole angle: a shaft that turns by less between two samples stands still, or shakes by round-off."""


class NoOrders(ValueError):
    """The angle does not turn as the orders that are asked for need it."""


def spectrum(x: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (Hz) and amplitudes of samples (n, ...) that are `step` seconds apart; the mean is taken away."""
    n = len(x)
    window = (1 - np.cos(2 * np.pi * np.arange(n) / n)).reshape(-1, *[1] * (x.ndim - 1))
    amplitude = 2 / n * np.abs(np.fft.rfft((x - x.mean(axis=0)) * window, axis=0))
    return np.fft.rfftfreq(n, step), amplitude


def is_folded(x: np.ndarray) -> bool:
    """Whether samples at equal steps hold so much in the last quarter of their spectrum that more must lie beyond it,
    which they show at slower frequencies."""
    power = spectrum(x, 1.0)[1] ** 2
    return bool(
        power[3 * len(power) // 4 :].sum() > FOLDED * power.sum() and np.ptp(x) > 1e-9 * np.abs(x).max()
    )


def find_turning(angle: np.ndarray) -> np.ndarray:
    """Which samples of an angle [rad] to take: all but those at which it stands. Raises NoOrders if it turns back."""
    whole = angle[-1] - angle[0] if len(angle) else 0.0
    if not np.isfinite(whole) or whole == 0:
        raise NoOrders("the angle does not turn")
    on = np.diff(angle) * np.sign(whole)
    if on.min() < -STANDING * abs(whole):
        raise NoOrders("the angle turns back on its way: look at a stretch in which it does not")
    furthest = np.maximum.accumulate(angle * np.sign(whole))
    return np.append(np.diff(furthest) > STANDING * abs(whole), True)


def resample(x: np.ndarray, angle: np.ndarray, turns: float, least: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The last `turns` at equal steps of the angle, without their end: angles [rad] and the signal there."""
    take = find_turning(angle)
    x, angle = x[take], angle[take]
    way = np.sign(angle[-1] - angle[0])
    span = 2 * np.pi * turns
    inside = np.count_nonzero((angle[-1] - angle) * way <= span)
    count = max(2 * inside, least)
    at = angle[-1] + way * span * (np.arange(count) / count - 1)
    of = interpolate.make_interp_spline(way * angle, x, min(5, len(x) - 1))
    return at, of(way * at)


def count_samples(angle: np.ndarray, order: float) -> float:
    """Samples in one cycle of an order, where the angle turns fastest between them."""
    return 2 * np.pi / max(float(np.abs(np.diff(angle)).max()) * abs(order), 1e-300)


def whole_span(turns: float, order: float) -> tuple[float, bool]:
    """Of so many turns those that hold whole turns and whole cycles of an order, and whether they need a window.
    Raises NoOrders where there is too little of both."""
    turns *= 1 + 1e-9  # ends of spans are rounded
    part = Fraction(order).limit_denominator(64)
    if turns >= part.denominator and abs(order - part) < 1e-9 * abs(order):
        whole = turns // part.denominator * part.denominator
        return float(whole), bool(whole >= 2 * part.denominator)  # lines beside each other share a window
    cycles = np.floor(turns * abs(order))
    if cycles < 2:
        need = f"{part.denominator:g} turns or two cycles of order {order:g}"
        raise NoOrders(
            f"the angle makes {turns:.3g} turns, which is less than {need}: other orders would count"
        )
    return float(cycles / abs(order)), True


def find_order(x: np.ndarray, angle: np.ndarray, order: float) -> complex:
    """Amplitude a of one order: x = mean + Re a exp(i order angle) + others. Raises NoOrders."""
    find_turning(angle)
    turns, windowed = whole_span(abs(angle[-1] - angle[0]) / (2 * np.pi), order)
    inside = angle[np.abs(angle - angle[-1]) <= 2 * np.pi * turns * (1 + 1e-9)]
    if count_samples(inside, order) < FEWEST:
        text = (
            f"a cycle of order {order:g} has {count_samples(inside, order):.2g} samples, and needs {FEWEST:g}"
        )
        raise NoOrders(f"{text}: between fewer the signal is not known, and shows as a slower one")
    at, values = resample(x, angle, turns, int(8 * turns * abs(order)))
    if windowed:
        values = values * (1 - np.cos(2 * np.pi * np.arange(len(at)) / len(at)))
    return complex(2 * np.mean(values * np.exp(-1j * order * at)))


def limit_order(angle: np.ndarray, most: float | None) -> float:
    """The highest order that is asked for; None: that can be told apart. Raises NoOrders beyond that."""
    highest = count_samples(angle, 1.0) / FEWEST
    if most is not None and most > highest:
        text = (
            f"with the times there are, orders up to {highest:.3g} are told apart, and {most:g} is asked for"
        )
        raise NoOrders(f"{text}: take more outputs, or a lower `most`")
    return highest if most is None else most


def find_orders(x: np.ndarray, angle: np.ndarray, most: float | None) -> tuple[np.ndarray, np.ndarray]:
    """All orders up to `most` (None: that can be told apart) that fit the whole turns there are, 1/turns apart: orders
    and complex amplitudes, the mean as the first. Four turns or more have a window, which shows half of a line on
    either side of it, and keeps away what is no line. Raises NoOrders."""
    find_turning(angle)
    turns = np.floor(abs(angle[-1] - angle[0]) / (2 * np.pi) * (1 + 1e-9))
    if turns < 1:
        raise NoOrders("the angle makes less than one turn")
    most = limit_order(angle, most)
    at, values = resample(x, angle, turns, int(8 * turns * most))
    mean = values.mean()
    window = 1 - np.cos(2 * np.pi * np.arange(len(at)) / len(at)) if turns >= 4 else 1.0
    lines = np.fft.rfft((values - mean) * window) * 2 / len(at)
    lines[0] = mean
    way = np.sign(angle[-1] - angle[0])
    orders = np.arange(len(lines)) / turns
    lines = lines * np.exp(-1j * way * orders * at[0])
    kept = orders <= most * (1 + 1e-9)
    return orders[kept], (lines if way > 0 else np.conj(lines))[kept]
