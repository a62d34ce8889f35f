"""Cubic splines through points of a plane curve, with continuous second derivative; periodic where the curve is closed.

The parameter s is the length of the chords between the points, in metres, unless it is given. Source: de Boor, A
Practical Guide to Splines (1978), ch. IV (periodic and not-a-knot end conditions), as SciPy has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wheelwork.lazy import dataclass, interpolate
from wheelwork.lazy import numpy as np


@dataclass(frozen=True)
class Spline:
    """Pieces c(s) = c0 + c1 (s - knot) + c2 (s - knot)^2 + c3 (s - knot)^3 from each knot on."""

    knots: np.ndarray
    """(n): where each piece starts."""
    pieces: np.ndarray
    """(n, 8): c0..c3 of x, then of y."""
    end: float
    """Of the last piece."""
    period: float
    """Of a closed curve; 0 for an open one."""

    @classmethod
    def through(
        cls, points: Sequence[Sequence[float]], closed: bool, parameters: Sequence[float] | None = None
    ) -> Spline:
        """A curve through points (x, y); a closed one returns to the first point, which is not repeated.

        `parameters`: s at each point, and for a closed curve one more, where it is back at the first.
        """
        c = np.array([point[:2] for point in points], float)
        if closed:
            c = np.vstack([c, c[:1]])
        if parameters is None:
            s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(c, axis=0), axis=1))])
        else:
            s = np.array(parameters, float)
        made = interpolate.CubicSpline(s, c, bc_type="periodic" if closed else "not-a-knot")
        pieces = np.concatenate([made.c[::-1, :, k] for k in (0, 1)]).T
        return cls(s[:-1], pieces, float(s[-1]), float(s[-1] - s[0]) if closed else 0.0)

    def piece(self, s: np.ndarray) -> np.ndarray:
        """Nine numbers for each s: where the piece starts (as many times around as s), and its coefficients."""
        s = np.asarray(s, float)
        around = np.floor((s - self.knots[0]) / self.period) * self.period if self.period else 0.0 * s
        k = np.clip(np.searchsorted(self.knots, s - around, side="right") - 1, 0, len(self.knots) - 1)
        return np.concatenate([(self.knots[k] + around)[..., None], self.pieces[k]], axis=-1)

    def at(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c, c', c'' (each (..., 2)) at s."""
        given = self.piece(s)
        u = (np.asarray(s, float) - given[..., 0])[..., None]
        return cubic([given[..., [1 + k, 5 + k]] for k in range(4)], u)


def cubic(coefficients: Iterable[Any], s: Any) -> tuple[Any, Any, Any]:
    """Value, first and second derivative at s of a cubic with these coefficients, that of s^0 first."""
    c0, c1, c2, c3 = coefficients
    return c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2.0 * c2 + s * (3.0 * c3)), 2.0 * c2 + 6.0 * s * c3
