"""Spectra and orders of the signals of a result, labelled."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Literal

import numpy as np

from wheelwork.lazy import interpolate
from wheelwork.lazy import xarray as xr
from wheelwork.problems import users_level

from .spectra import NoOrders, find_orders, find_turning, is_folded, limit_order, resample, spectrum

if TYPE_CHECKING:
    from .result import Result

MISSED = 0.2
"""Of its deviation: what a signal differs by between the outputs from what they tell of it alone, at most."""
LEAST = 8
"""Output times that a stretch needs."""
STRETCHES = 16
"""Windows beside each other in a waterfall, where their length is not given; half as many between them again."""


class FoldedWarning(UserWarning):
    """A signal holds more than its output times show: what is too fast for them appears at lower frequencies."""


def is_between(t: np.ndarray, start: float | None, end: float | None) -> np.ndarray:
    """Which times lie in a stretch; None: from the first, to the last. Raises ValueError where it is empty."""
    first, last = t[0] if start is None else start, t[-1] if end is None else end
    inside = (t >= first) & (t <= last)
    if not inside.any():
        text = f"from {first:g} to {last:g} s there is no output: the result has {t[0]:g} to {t[-1]:g} s"
        raise ValueError(text)
    return inside


class EvenOutputs:
    """Part of a result, with outputs at equal steps of time."""

    def __init__(self, result: Result, start: float | None, end: float | None):
        t = result.t[is_between(result.t, start, end)]
        if len(t) < LEAST:
            raise ValueError(f"{len(t)} outputs are too few for a spectrum, which needs {LEAST}")
        steps = np.diff(t)
        self.even = bool(np.ptp(steps) < 1e-6 * steps.mean())
        self.t = np.linspace(t[0], t[-1], len(t))
        self._inside = np.isin(result.t, t)
        self._result = result if self.even else result.at(self.t)
        self.step = float(self.t[1] - self.t[0])

    def values(self, name: str, unit: str = "") -> tuple[np.ndarray, str]:
        """A signal that is one number, and its unit; `unit`: the one that is needed. Raises ValueError."""
        series = self._result.series(name)
        if series.components:
            raise ValueError(
                f"`{name}` is a vector: take a component, such as `{name}.{series.components[0]}`"
            )
        if unit and series.unit != unit:
            raise ValueError(f"`{name}` is in {series.unit}, and orders are those of an angle in {unit}")
        values = np.asarray(series.values, float)
        return (values[self._inside] if self.even else values), series.unit

    def watched(self, name: str) -> tuple[np.ndarray, str]:
        """The same, with a warning where the outputs are too few for it."""
        x, unit = self.values(name)
        between = (self.t[:-1] + self.t[1:]) / 2  # known by rates and accelerations at the outputs
        inside = np.asarray(self._result.at(between).series(name).values, float)
        missed = np.std(inside - interpolate.make_interp_spline(self.t, x, 5)(between))
        if is_folded(x) or missed > MISSED * np.std(inside) > 1e-9 * np.abs(inside).max():
            text = f"`{name}` changes faster than outputs {self.step:.3g} s apart show: what is above "
            text += f"{0.5 / self.step:.4g} Hz appears at lower frequencies and orders. Take more outputs"
            warnings.warn(text, FoldedWarning, stacklevel=users_level())
        return x, unit


def find_spectrum(result: Result, signal: str, start: float | None, end: float | None) -> xr.DataArray:
    """Amplitudes by frequency."""
    outputs = EvenOutputs(result, start, end)
    x, unit = outputs.watched(signal)
    f, amplitude = spectrum(x, outputs.step)
    return _labelled(signal, unit, amplitude, {"frequency": ("frequency", f, {"units": "Hz"})})


def find_result_orders(
    result: Result, signal: str, angle: str, most: float | None, start: float | None, end: float | None
) -> xr.DataArray:
    """Amplitudes by order of an angle."""
    outputs = EvenOutputs(result, start, end)
    phi, _ = outputs.values(angle, "rad")
    x, unit = outputs.watched(signal)
    orders, found = find_orders(x, phi, most)
    coordinates = {
        "order": ("order", orders, {"units": "1", "long_name": f"multiples of {angle}"}),
        "phase": ("order", np.angle(found), {"units": "rad"}),
    }
    return _labelled(signal, unit, np.abs(found), coordinates)


def find_waterfall(
    result: Result,
    signal: str,
    angle: str | None,
    by: Literal["frequency", "order"],
    most: float | None,
    window: float | None,
    start: float | None,
    end: float | None,
) -> xr.DataArray:
    """Amplitudes by frequency or order over time."""
    if by not in ("frequency", "order"):
        raise ValueError(f"`by` must be 'frequency' or 'order', but is {by!r}")
    if by == "order" and angle is None:
        raise ValueError("orders are those of an angle: name it, such as angle='shaft.angle'")
    outputs = EvenOutputs(result, start, end)
    t, phi = outputs.t, None if angle is None else outputs.values(angle, "rad")[0]
    x, unit = outputs.watched(signal)
    if by == "frequency":
        count = len(x) // STRETCHES if window is None else round(window / outputs.step)
        lines, amplitude, middle = _windows(x, count, outputs.step, "seconds")
        at = t[0] + middle * outputs.step
        coordinates = {"frequency": ("frequency", lines, {"units": "Hz"})}
    else:
        assert phi is not None
        take = find_turning(phi)
        turns = np.floor(abs(phi[-1] - phi[0]) / (2 * np.pi) * (1 + 1e-9))
        if turns < 4:
            raise NoOrders(
                f"the angle makes {turns:g} whole turns, and a waterfall of orders needs at least 4"
            )
        most = limit_order(phi, most)
        each = int(np.ceil(max(2 * len(x) / turns, 8 * most)))
        angles, values = resample(x, phi, turns, int(turns) * each)
        size = max(2.0, turns // STRETCHES) if window is None else window
        lines, amplitude, middle = _windows(values, round(size * each), 1 / each, "turns")
        way = np.sign(phi[-1] - phi[0])
        here = np.interp(middle, np.arange(len(angles)), angles)
        at = np.interp(way * here, way * phi[take], t[take])
        coordinates = {"order": ("order", lines, {"units": "1", "long_name": f"multiples of {angle}"})}
    kept = slice(None) if most is None else lines <= most * (1 + 1e-9)
    coordinates[by] = (by, lines[kept], coordinates[by][2])
    coordinates["time"] = ("time", at, {"units": "s"})
    if phi is not None:
        speed = np.interp(at, t, np.gradient(phi, t))
        coordinates["speed"] = ("time", speed, {"units": "rad/s", "long_name": f"rate of {angle}"})
    return _labelled(signal, unit, amplitude[:, kept], coordinates, ("time", by))


def _windows(x: np.ndarray, count: int, step: float, words: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lines, amplitudes (windows, lines) and places of the middles of windows that overlap by a half."""
    if not LEAST <= count <= len(x):
        text = f"a window of {count * step:.3g} {words} has {count} samples of {len(x)}"
        raise ValueError(
            f"{text}, and needs at least {LEAST}: choose `window` between {LEAST * step:.3g} and all"
        )
    starts = np.arange(0, len(x) - count + 1, max(count // 2, 1))
    lines, amplitude = spectrum(np.array([x[k : k + count] for k in starts]).T, step)
    return lines, amplitude.T, starts + (count - 1) / 2


def _labelled(
    name: str, unit: str, amplitude: np.ndarray, coordinates: dict, dims: tuple[str, ...] | None = None
) -> xr.DataArray:
    attributes = {"units": unit, "long_name": f"amplitude of {name}"}
    return xr.DataArray(amplitude, coordinates, dims or (next(iter(coordinates)),), name, attributes)
