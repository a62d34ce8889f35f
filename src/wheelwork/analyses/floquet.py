r"""Floquet's theory of x' = A(t) x with A(t + T) = A(t): multipliers, exponents, and which modes a resonance joins.

    X' = A X, X(0) = 1      the monodromy X(T), step by step by Magnus' series of order 4 with two points of Gauss
    mu = eig X(T),  lambda = log(mu)/T + 2 pi i n/T

A motion is p(t) exp(lambda t) with p of the period T. Of the many n the one is taken whose harmonic of p is the
largest: lambda is then what one would see. Steps are halved until the multipliers stay as they are.

First order (C. S. Hsu, Journal of Applied Mechanics 30, 1963): with A(t) = sum of A_n exp(i n w t), eigenvalues l_i and
left and right vectors of A_0, two modes grow together where w_i + w_j is near n w, by up to

    (l_i + l_j)/2 + Re sqrt(l_i A_n r_j* . l_j* A_-n r_i)

which tells where to look for zones that are narrower than the steps of a chart.

Sources: W. Magnus, Communications on Pure and Applied Mathematics 7, 1954; A. Iserles, S. P. Nørsett, Philosophical
Transactions A 357, 1999.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import partial

import numpy as np
import scipy  # which loads its parts when they are used

from wheelwork.description import ModelError
from wheelwork.lazy import dataclass

from .state_matrix import spectrum

Coefficients = Callable[[np.ndarray], np.ndarray]
"""A at some times: (times, states, states)."""

FEWEST, MOST = 16, 512
"""Steps in a period, or four times those of the beginning: where coefficients jump, halving helps little."""
NO_WAVE, MOST_SAMPLES = 1e-10, 1024
"""Part of the largest harmonic of coefficients that counts as none, and samples of a period where some stay larger."""
BETWEEN = np.sort(np.sqrt([2.0, 3.0, 5.0, 6.0, 7.0, 11.0]) % 1)
"""Of a period: where it is looked at whether samples tell what happens between them."""
SEEN = 1e-3
"""Of the coefficients: what they do not tell, at most."""
PER_STEP = 0.7
"""rad of the fastest frequency in a step, for a beginning."""
EXACT = 1e-7
"""Multipliers that change by less when steps are halved are taken; those of the halved steps are 16 times better."""
ZERO = 1e-6
"""Growth in a period that counts as none: round-off of rigid motions, whose multipliers are 1 twice."""
TERMS = 18
"""Of a series of exp(1), to the last digit."""
GUESS = 5.0
"""Of the growth in order n, over w (growth of order 1/w)^n."""
ORDERS = 6
"""Harmonics of the coefficients in which resonances are sought."""


@dataclass(frozen=True)
class Resonance:
    """Two modes of the mean equations, w_i + w_j near n w."""

    frequencies: tuple[float, float]
    """w_i and w_j of the mean equations, rad/s."""
    order: int
    """n."""
    off: float
    """w_i + w_j - n w of the multipliers, rad/s: a zone begins where it is zero."""
    growth: float
    """Where it is met, 1/s: that of first order, or a guess at the size of those of higher order, if that is more."""


@dataclass(frozen=True)
class Floquet:
    """Exponents of equations whose coefficients are periodic or constant."""

    period: float
    """s; infinite: the coefficients are constant."""
    exponents: np.ndarray
    """1/s, that with the largest growth first."""
    vectors: np.ndarray = field(repr=False)
    """(states, exponents): the largest harmonic of each periodic part; eigenvectors where coefficients are constant."""
    shares: np.ndarray
    """Of this harmonic in the whole periodic part."""
    resonances: tuple[Resonance, ...] = field(repr=False)

    @property
    def multipliers(self) -> np.ndarray:
        """By what a motion has grown after a period; none where coefficients are constant."""
        return np.exp(self.exponents * self.period) if np.isfinite(self.period) else np.zeros(0)

    @property
    def growth(self) -> float:
        """Of what grows fastest, 1/s; zero where nothing does, and what is left of round-off is zero too."""
        largest = float(np.max(np.real(self.exponents))) if len(self.exponents) else 0.0
        span = self.period
        if not np.isfinite(span):
            span = 100 / max(1.0, float(np.max(np.abs(self.exponents), initial=0.0)))
        return 0.0 if abs(largest) * span < ZERO else largest

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        return self.growth <= 0

    @property
    def frequencies(self) -> np.ndarray:
        """Hz, ascending; one of each two conjugates."""
        return np.sort(np.abs(np.imag(self.exponents)))[::2] / (2 * np.pi)


def constant(A: np.ndarray) -> Floquet:
    """Of constant coefficients: eigenvalues."""
    found, vectors = np.linalg.eig(A)
    order, values = np.argsort(-np.real(found), kind="stable"), spectrum(A)
    values = values[np.argsort(-np.real(values), kind="stable")]
    return Floquet(np.inf, values, vectors[:, order], np.ones(len(values)), ())


def periodic(A: Coefficients, period: float, freedoms: int) -> Floquet:
    """Of coefficients that repeat after a period [s]; the states are so many positions, their rates, and others."""
    first = A(np.array([0.0]))[0]
    fastest = float(np.max(np.abs(np.linalg.eigvals(first)), initial=0.0))
    scale = np.ones(len(first))
    scale[freedoms : 2 * freedoms] = max(fastest, 1.0)  # rates are so much larger than positions
    steps = max(FEWEST, int(2 ** np.ceil(np.log2(max(fastest * period / PER_STEP, 1)))))
    most, before = max(MOST, 4 * steps), None
    while True:
        times, X, middle = _monodromy(A, period, steps, scale)
        mu = np.sort_complex(np.linalg.eigvals(X[-1]))
        if before is not None and np.abs(mu - before).max(initial=0.0) <= EXACT * np.abs(mu).max(initial=1.0):
            break
        if steps >= most:
            break
        before, steps = mu, 2 * steps
    mu, vectors = np.linalg.eig(X[-1])
    rate = np.where(np.abs(mu - 1) < ZERO, 0.0, np.log(mu + 0j) / period)  # rigid motions
    t = period * np.arange(steps) / steps
    parts = np.fft.fft((X[:-1] @ vectors) * np.exp(-rate * t[:, None])[:, None, :], axis=0)
    energy = np.sum(np.abs(parts) ** 2, axis=1)
    largest = np.argmax(energy, axis=0)
    exponents = rate + 2j * np.pi * np.fft.fftfreq(steps, period / steps)[largest]
    order = np.argsort(-np.real(exponents), kind="stable")
    shapes = parts[largest, :, np.arange(len(mu))].T * scale[:, None]
    shares = energy.max(axis=0) / energy.sum(axis=0)
    found = _resonances(times, middle, period, mu)
    return Floquet(period, exponents[order], shapes[:, order], shares[order], found)


def smooth(A: Coefficients, period: float) -> Coefficients:
    """The same from a few equal times, by trigonometric interpolation: as many as its harmonics need. What goes round
    many times between these is seen at other times; a ModelError where it is too fast."""
    count = FEWEST
    samples, between = A(period * np.arange(count) / count), A(period * BETWEEN)
    while True:
        waves = np.fft.rfft(samples, axis=0) / count
        size = np.abs(waves).max(axis=(1, 2))
        waves[1 : (count + 1) // 2] *= 2
        of = partial(_interpolated, waves, period)
        off = np.median(np.abs(of(period * BETWEEN) - between).max(axis=(1, 2)))
        if off <= SEEN * size.max() and (
            size[count // 3 :].max() <= NO_WAVE * size.max() or count >= MOST_SAMPLES
        ):
            return of
        if count >= MOST_SAMPLES:
            why = f"linear equations change too often in a period of {period:.6g} s to be followed"
            raise ModelError(
                why, path="period", hint="give a shorter one, after which they are the same again"
            )
        both = np.empty((2 * count, *samples.shape[1:]))
        both[::2], both[1::2] = samples, A(period * (np.arange(count) + 0.5) / count)
        samples, count = both, 2 * count


def _interpolated(waves: np.ndarray, period: float, times: np.ndarray) -> np.ndarray:
    orders = 2j * np.pi * np.arange(len(waves)) / period
    return np.real(np.tensordot(np.exp(np.outer(times, orders)), waves, (1, 0)))


def _monodromy(
    A: Coefficients, period: float, steps: int, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times of Gauss, X after 0, 1 .. steps, and A at these times, for states over `scale`."""
    h = period / steps
    times = h * (np.arange(steps)[:, None] + 0.5 + np.array([-1, 1]) * np.sqrt(3) / 6).ravel()
    at = A(times) * scale / scale[:, None]
    a, b = at[::2], at[1::2]
    growth = _exponentials(h / 2 * (a + b) - np.sqrt(3) / 12 * h * h * (a @ b - b @ a))
    X = [np.eye(len(scale))]
    for step in growth:
        X.append(step @ X[-1])
    return times, np.array(X), at


def _exponentials(A: np.ndarray) -> np.ndarray:
    """Of many matrices at once, by Taylor's series of parts that are small, squared."""
    size = float(np.abs(A).sum(axis=2).max(initial=0.0))
    halvings = max(0, int(np.ceil(np.log2(max(size, 1e-300)))))
    A, one = A / 2**halvings, np.eye(A.shape[1])
    out = one + A / TERMS
    for k in range(TERMS - 1, 0, -1):
        out = one + A @ out / k
    for _ in range(halvings):
        out = out @ out
    return out


def _resonances(times: np.ndarray, A: np.ndarray, period: float, mu: np.ndarray) -> tuple[Resonance, ...]:
    """Of all pairs of modes, in all orders."""
    w = 2 * np.pi / period
    values, right = np.linalg.eig(A.mean(axis=0))
    left = np.linalg.pinv(right)
    up = np.flatnonzero(np.imag(values) > 1e-6 * max(float(np.abs(values).max(initial=0.0)), 1e-300))
    up = up[np.argsort(np.imag(values[up]))]
    omega, damping = np.imag(values[up]), np.real(values[up][:, None] + values[up]) / 2
    joined = []
    for n in range(1, ORDERS + 1):
        wave = np.tensordot(np.exp(-1j * n * w * times), A, (0, 0)) / len(times)
        both = left[up] @ wave @ right[:, up].conj()
        joined.append(both * both.conj().T)
    most, found = np.sqrt(np.abs(joined).max(initial=0.0)), []
    true = _nearest(omega, np.sort(np.abs(np.angle(mu)))[::2], period)
    for n, square in enumerate(joined, 1):
        for i, j in zip(*np.triu_indices(len(up)), strict=True):
            total = float(omega[i] + omega[j])
            guess = GUESS * total * (most / total) ** n
            growth = max(float(np.real(np.sqrt(square[i, j] + 0j))), guess) + float(damping[i, j])
            off = float(true[i] + true[j]) - n * w
            found.append(Resonance((float(omega[i]), float(omega[j])), n, off, growth))
    return tuple(found)


def _nearest(omega: np.ndarray, angles: np.ndarray, period: float) -> np.ndarray:
    """The frequencies that multipliers at these angles may have, nearest to those of the mean equations."""
    turns = omega[:, None, None] * period
    signed = angles[:, None] * np.array([1.0, -1.0])
    choices = signed + 2 * np.pi * np.round((turns - signed) / (2 * np.pi))
    off = np.abs(choices - turns)
    rows, columns = scipy.optimize.linear_sum_assignment(off.min(axis=2))
    out = np.array(omega)
    out[rows] = choices[rows, columns, off[rows, columns].argmin(axis=1)] / period
    return out
