"""Harmonic balance of one oscillator with play, by another route than time integration.

    m u'' + c u' + k s(u) = F - m e''      s(u) = u - b for u > b, u + b for u < -b, else 0;   e = E sin(w t)

u is a mean and H harmonics; s(u) is sampled over a period and transformed back. Curves over w are followed by their
length, through the folds at which steady motions end: there a mechanism jumps. (A. Kahraman, R. Singh, Non-linear
dynamics of a spur gear pair, J. Sound Vib. 142, 1990, do it with one harmonic and describing functions.)
"""

from dataclasses import dataclass

import numpy as np

SAMPLES = 1024


@dataclass(frozen=True)
class Oscillator:
    """Mass, damping, stiffness, half the play, load and amplitude of the error, SI."""

    mass: float
    damping: float
    stiffness: float
    half: float
    load: float
    error: float
    harmonics: int = 12

    def __post_init__(self) -> None:
        angle = 2 * np.pi * np.arange(SAMPLES) / SAMPLES
        n = np.arange(1, self.harmonics + 1)
        waves = [np.ones(SAMPLES), *(f(k * angle) for k in n for f in (np.cos, np.sin))]
        object.__setattr__(self, "waves", np.array(waves).T)
        weights = np.full(2 * self.harmonics + 1, 2.0)
        weights[0] = 1.0
        object.__setattr__(self, "back", weights[:, None] * np.array(waves) / SAMPLES)

    @property
    def frequency(self) -> float:
        """Natural frequency while the flanks touch [rad/s]."""
        return float(np.sqrt(self.stiffness / self.mass))

    def balance(self, x: np.ndarray, w: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residual in units of the load's deflection, and its derivatives by x and by w; x: harmonics of u."""
        waves, back = self.waves, self.back  # type: ignore[attr-defined]
        u = waves @ x
        spring = np.where(u > self.half, u - self.half, np.where(u < -self.half, u + self.half, 0.0))
        slope = np.where(np.abs(u) > self.half, 1.0, 0.0)
        linear, by_w = np.zeros((len(x), len(x))), np.zeros((len(x), len(x)))
        for n in range(1, self.harmonics + 1):
            c, s = 2 * n - 1, 2 * n
            linear[[c, s], [c, s]] = -self.mass * (n * w) ** 2
            by_w[[c, s], [c, s]] = -2 * self.mass * n**2 * w
            linear[c, s], linear[s, c] = self.damping * n * w, -self.damping * n * w
            by_w[c, s], by_w[s, c] = self.damping * n, -self.damping * n
        out = linear @ x + self.stiffness * (back @ spring)
        out[0] -= self.load
        out[2] -= self.mass * w**2 * self.error
        d_w = by_w @ x
        d_w[2] -= 2 * self.mass * w * self.error
        d_x = linear + self.stiffness * (back * slope) @ waves
        return out / self.load, d_x / self.load, d_w / self.load

    def curve(self, start: float, stop: float, step: float = 0.02) -> tuple[np.ndarray, np.ndarray]:
        """Frequencies [rad/s] and steady motions (points, 2 H + 1) from `start` to `stop`, folds and all."""
        size = self.load / self.stiffness
        x = np.zeros(2 * self.harmonics + 1)
        x[0] = self.half + size
        y = np.append(self._solved(x, start) / size, start / self.frequency)
        # scaled unknowns: motion in deflections by the load, frequency in natural frequencies
        direction = np.zeros_like(y)
        direction[-1] = np.sign(stop - start)
        found = [y]
        while (stop - found[-1][-1] * self.frequency) * (stop - start) > 0:
            y = found[-1] + step * direction
            for _ in range(20):
                residual, d_x, d_w = self.balance(y[:-1] * size, y[-1] * self.frequency)
                matrix = np.vstack([np.column_stack([d_x * size, d_w * self.frequency]), direction])
                change = np.linalg.solve(matrix, np.append(residual, (y - found[-1]) @ direction - step))
                y = y - change
                if np.abs(change).max() < 1e-10:
                    break
            else:
                raise RuntimeError(f"no steady motion found near {y[-1]:.4g} natural frequencies")
            direction = np.linalg.solve(matrix, np.append(np.zeros(len(residual)), 1.0))
            direction /= np.linalg.norm(direction)
            found.append(y)
            if len(found) > 20_000:
                raise RuntimeError("the curve does not end")
        curve = np.array(found)
        return curve[:, -1] * self.frequency, curve[:, :-1] * size

    def _solved(self, x: np.ndarray, w: float) -> np.ndarray:
        for _ in range(30):
            residual, d_x, _ = self.balance(x, w)
            x = x - np.linalg.solve(d_x, residual)
        return x

    def rms(self, motions: np.ndarray) -> np.ndarray:
        """Of u + e about its mean."""
        whole = np.array(motions[:, 1:])
        whole[:, 1] += self.error
        return np.sqrt(np.sum(whole**2, axis=1) / 2)


def folds(frequencies: np.ndarray) -> np.ndarray:
    """Frequencies at which the curve turns back, in the order in which it comes to them."""
    turns = np.flatnonzero(np.diff(np.sign(np.diff(frequencies))) != 0) + 1
    return frequencies[turns]
