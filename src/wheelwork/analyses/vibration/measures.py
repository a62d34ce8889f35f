"""What is measured of a steady vibration: x sampled at equal steps.

mean, rms of what is left about it, least, greatest, peak (half of greatest less least);
amplitude of order k of a period T: |2/N sum x_n exp(-i k 2 pi t_n/T)| over whole periods;
spectrum: amplitude by frequency, with a Hann window (w_n = 1 - cos(2 pi n/N), mean 1) against leakage;
Poincare section: one sample a period, at the same phase;
share of time at zero: of a contact force, how long the contact is open.
"""

from __future__ import annotations

import numpy as np

STATISTICS = {
    "mean": "mean value",
    "rms": "root mean square about the mean",
    "peak": "half of the greatest less the least value",
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
    """Complex amplitudes (orders, ...) of samples (n, ...), `samples` to a period, n whole periods of them.

    x = mean + Re sum a_k exp(i k 2 pi t/T). Orders such as 1/2 need as many periods as their denominator.
    """
    phase = 2 * np.pi * np.arange(len(x)) / samples
    kernel = np.exp(-1j * np.outer(orders, phase)) * 2 / len(x)
    return np.tensordot(kernel, x, axes=1)


def spectrum(x: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (Hz) and amplitudes of samples (n, ...) that are `step` seconds apart; the mean is taken away."""
    n = len(x)
    window = (1 - np.cos(2 * np.pi * np.arange(n) / n)).reshape(-1, *[1] * (x.ndim - 1))
    amplitude = 2 / n * np.abs(np.fft.rfft((x - x.mean(axis=0)) * window, axis=0))
    return np.fft.rfftfreq(n, step), amplitude


def drift(x: np.ndarray, samples: int) -> np.ndarray:
    """By how much the mean of samples (n, ...) still moves: second half less first, over the largest size; in whole
    periods of `samples` where there are two or more.
    """
    half = len(x) // 2
    if half >= samples:
        half -= half % samples
    largest = np.max(np.abs(x), axis=0)
    moved = np.abs(x[-half:].mean(axis=0) - x[:half].mean(axis=0)) if half else np.zeros(x.shape[1:])
    return moved / np.where(largest > 0, largest, 1.0)


def section(x: np.ndarray, samples: int) -> np.ndarray:
    """One sample a period: (periods, ...)."""
    return x[::samples]


def open_share(force: np.ndarray) -> np.ndarray:
    """Share of the samples (n, ...) at which a force is zero, to 1e-9 of its largest size there."""
    largest = np.max(np.abs(force), axis=0)
    return np.mean(np.abs(force) <= 1e-9 * largest, axis=0)
