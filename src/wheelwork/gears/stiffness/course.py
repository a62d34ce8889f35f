r"""A stiffness over the mesh cycle, in numbers: mean and harmonics, or a table.

A kind says what the data of a course are, for the phase tau of the front flanks:

    ("series", orders)     c_n, s_n of the front flank for each order, then c_n', s_n' of the back flank
    ("table", n, jumps)    tau_0, k(0+), slope there, then p_i, J_i, D_i of each of n points; `jumps` are those points
                           where the table has two values, or comes back to another one

    series   k = k_0 + sum over n of c_n cos(2 pi n tau) + s_n sin(2 pi n tau)
    table    k = k(0+) + slope x + sum over i of (J_i for x >= p_i) + D_i max(x - p_i, 0),   x = tau modulo 1
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

Kind = tuple[Any, ...]


@dataclass(frozen=True)
class SeriesCourse:
    """k_0 [N/m], orders n, and c_n, s_n of the front flank: (n, 2)"""

    mean: float
    orders: tuple[int, ...]
    harmonics: np.ndarray

    @property
    def kind(self) -> Kind:
        return "series", self.orders

    def data(self, start: float) -> np.ndarray:
        """As the kind says; start: tau_0"""
        turn = 4 * np.pi * start * np.array(self.orders)
        c, s = self.harmonics.T
        back = np.stack([c * np.cos(turn) + s * np.sin(turn), c * np.sin(turn) - s * np.cos(turn)], axis=1)
        return np.concatenate([self.harmonics.ravel(), back.ravel()])

    @property
    def least(self) -> float:
        samples = max(512, 32 * max(self.orders, default=0))
        angle = 2 * np.pi * np.arange(samples) / samples
        total = np.full(samples, self.mean)
        for n, (c, s) in zip(self.orders, self.harmonics, strict=True):
            total += c * np.cos(n * angle) + s * np.sin(n * angle)
        return float(np.min(total))


@dataclass(frozen=True)
class TableCourse:
    """Straight lines between points: phases (n,) from 0 to 1 that do not fall, and values [N/m] there; a phase that
    comes twice is a jump, and so is another value at 1 than at 0."""

    phases: np.ndarray
    values: np.ndarray

    @property
    def closed(self) -> tuple[np.ndarray, np.ndarray]:
        """With points at 0 and 1."""
        p, v = self.phases, self.values
        span = p[0] + 1 - p[-1]
        edge = v[-1] + (v[0] - v[-1]) * (1 - p[-1]) / span if span > 0 else v[0]
        first = ([], []) if p[0] == 0 else ([0.0], [edge])
        last = ([], []) if p[-1] == 1 else ([1.0], [edge])
        return np.concatenate([first[0], p, last[0]]), np.concatenate([first[1], v, last[1]])

    @property
    def mean(self) -> float:
        p, v = self.closed
        return float(np.sum(np.diff(p) * (v[1:] + v[:-1]) / 2))

    @property
    def least(self) -> float:
        return float(np.min(self.values))

    @property
    def kind(self) -> Kind:
        p = self.phases.tolist()
        jumps = {p.index(here) for here, there in pairwise(p) if here == there}
        if (p[0], p[-1]) == (0, 1):
            jumps.add(0)
        return "table", len(p), tuple(sorted(jumps))

    def data(self, start: float) -> np.ndarray:
        """As the kind says; start: tau_0"""
        p, v = self.closed
        steps = np.diff(p)
        slopes = np.divide(np.diff(v), steps, out=np.zeros_like(steps), where=steps > 0)
        first = (
            int(np.searchsorted(p, 0.0, side="right")) - 1
        )  # the last point at 0: what holds from there on
        changes: dict[float, list[float]] = {}
        slope = slopes[first]
        for i in range(first + 1, len(p) - 1):
            at = changes.setdefault(float(p[i]), [0.0, 0.0])
            if steps[i - 1] == 0:
                at[0] += v[i] - v[i - 1]
            if steps[i] > 0:
                at[1] += slopes[i] - slope
                slope = slopes[i]
        # a phase that comes twice has its changes once
        points = [(phase, *changes.pop(float(phase), (0.0, 0.0))) for phase in self.phases]
        return np.concatenate([[start, v[first], slopes[first]], np.ravel(points)])

    def series(self, count: int) -> SeriesCourse:
        """Mean and `count` harmonics, of the straight lines themselves: integrals over each, without sampling."""
        p, v = self.closed
        keep = np.diff(p) > 0
        a, b, u, w = p[:-1][keep], p[1:][keep], v[:-1][keep], v[1:][keep]
        slope = (w - u) / (b - a)
        orders = np.arange(1, count + 1)
        omega = 2 * np.pi * orders[:, None]
        # of f exp(-i omega tau), f a straight line: f exp/(-i omega) + f' exp/omega^2
        ends = [(f / (-1j * omega) + slope / omega**2) * np.exp(-1j * omega * x) for x, f in ((a, u), (b, w))]
        waves = 2 * (ends[1] - ends[0]).sum(axis=1)
        return SeriesCourse(
            self.mean, tuple(orders.tolist()), np.stack([np.real(waves), -np.imag(waves)], axis=1)
        )
