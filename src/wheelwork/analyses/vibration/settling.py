"""Whether a vibration has settled: three windows of whole periods, the last two being those that are measured.

    |-- settling, part of it --|--- A ---|---- lag ----|--- B ---|--- C ---|

mean, rms and peak of each; d = |C - B| and D = |B - A| of one of them. What decays as exp(-t/tau) has
d/D = (1 - e^-u)/(e^(u l) - 1), with u = window/tau and l = lag/window (from A to B), which gives u, and with it
what is left of the decay in the measured span, d (1 + e^-u)/2/(1 - e^-u): more than d where tau is long, at most twenty
times. What does not fall (d/D > 1/l) counts as it is: d.

Mean and rms are taken with a Hann window, so that parts of cycles at their ends do not count. A slow beat may stand
still in one span: where one was not enough, the last two have to agree as well. Where there is a period, what vibrates
with it counts by its amplitude and phase (the complex amplitude of a window): what swings up beside what dies away has
an envelope that stands still for a while, but no phase. That counts by a root of two less than rms, as parts of cycles
of other vibrations leak into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

SETTLED = 0.02
"""What is left of a decay may be this part of the vibration, and a tenth of it of the largest value in the mean."""
SMALL = 0.01
"""Of the largest value: a vibration smaller than this counts as if it were so large."""
PROGRESS = 0.8
"""To which part changes from span to span have to fall from the first two to the last two: what falls by less, such as
chaos, does not settle."""


@dataclass(frozen=True)
class Windows:
    """Which samples are taken: numbered from where measuring begins.

    count: samples that are measured; part: in each window; lag: from A to B; 0: there is no room for A;
    unit: samples to a period, 1: there is none
    """

    count: int
    part: int
    lag: int
    unit: int = 1

    @classmethod
    def of(cls, count: int, before: int, unit: int) -> Windows:
        """For `count` samples, `unit` of them to a period, after `before` of settling."""
        part = max(count // 2 // unit, 1) * unit
        room = before + count - 2 * part
        return cls(count, part if room >= 0 else 0, max(room // 2 // unit, 0) * unit, unit)

    @property
    def numbers(self) -> np.ndarray:
        """Of the samples of all windows, in order."""
        first = self.count - 2 * self.part
        early = np.arange(first - self.lag, first - self.lag + self.part)
        return np.union1d(early, np.arange(min(first, 0), self.count))

    def find_left(self, x: np.ndarray) -> np.ndarray:
        """What is left of decays in samples (numbers, signals), as a part of the vibration of each signal, 1 at most;
        nan where the span is too short to tell."""
        if not self.part:
            return np.full(x.shape[1], np.nan)
        early = np.searchsorted(self.numbers, self.count - 2 * self.part - self.lag)
        windows = x[early : early + self.part], x[-2 * self.part : -self.part], x[-self.part :]
        a, b, c = (_measures(x, self.unit) for x in windows)
        scale = _scale(b, c, np.abs(x).max(axis=0))
        last, before = np.abs(c - b) / scale, np.abs(b - a) / scale
        if not self.lag:
            return np.minimum(last.max(axis=0), 1.0)
        lags = self.lag / self.part
        u = np.geomspace(20.0, 0.05, 200)
        ratio = -np.expm1(-u) / np.expm1(np.minimum(u * lags, 600.0))
        found = last / np.maximum(before, 1e-300)
        u = np.interp(found, ratio, u)
        more = np.where(found < 1 / lags, (1 + np.exp(-u)) / (-2 * np.expm1(-u)), 1.0)
        return np.minimum(np.max(last * np.maximum(more, 1.0), axis=0), 1.0)


def _measures(x: np.ndarray, unit: int) -> np.ndarray:
    """Mean, rms about it, and peak of samples (n, signals); real and imaginary part of what goes with the period."""
    window = ((1 - np.cos(2 * np.pi * (np.arange(len(x)) + 0.5) / len(x))) / len(x))[:, None]
    mean = np.sum(window * x, axis=0)
    rms = np.sqrt(np.sum(window * (x - mean) ** 2, axis=0))
    wave = np.exp(-2j * np.pi * np.arange(len(x)) / unit) if unit > 1 else np.zeros(len(x))
    first = np.sum(window * wave[:, None] * (x - mean), axis=0)
    return np.array([mean, rms, (x.max(axis=0) - x.min(axis=0)) / 2, first.real, first.imag])


def _scale(one: np.ndarray, other: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """What changes of mean, rms and peak are measured by."""
    _, rms, peak = np.maximum(np.abs(one), np.abs(other))[:3]
    least = SMALL * largest
    scale = np.array(
        [np.maximum(peak, 0.1 * largest), *(np.maximum(x, least) for x in (rms, peak, rms, rms))]
    )
    scale = scale[: len(one)]
    return np.where(scale > 0, scale, 1.0)


def find_changes(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> np.ndarray:
    """By how much statistics (:func:`.measures.statistics`) of two spans differ, as part of the vibration (signals)."""
    names = ("mean", "rms", "peak")
    a, b = (np.array([of[name] for name in names]) for of in (one, other))
    largest = np.max(np.abs([of[name] for of in (one, other) for name in ("least", "greatest")]), axis=0)
    return np.max(np.abs(b - a) / _scale(a, b, largest), axis=0)


def is_falling(changes: Sequence[float]) -> bool:
    """Whether changes from span to span become smaller; of fewer than four that is not known."""
    return len(changes) < 4 or sum(changes[-2:]) < PROGRESS * sum(changes[:2])
