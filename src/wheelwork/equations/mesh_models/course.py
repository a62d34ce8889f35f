r"""A stiffness over the mesh cycle, in numbers and as expressions: mean and harmonics, or a table.

A kind says what the data of a course are, for the phase tau of the front flanks:

    ("series", orders)     c_n, s_n of the front flank for each order, then c_n', s_n' of the back flank
    ("table", n, jumps)    tau_0, k(0+), slope there, then p_i, J_i, D_i of each of n points; `jumps` are those points
                           where the table has two values, or comes back to another one

    series   k = k_0 + sum over n of c_n cos(2 pi n tau) + s_n sin(2 pi n tau)
    table    k = k(0+) + slope x + sum over i of (J_i for x >= p_i) + D_i max(x - p_i, 0),   x = tau modulo 1

The back flank sees the table at 2 tau_0 - tau (:mod:`.tooth_numbers`). At a jump the force of teeth that are pressed
jumps, so that integrators have to stop there: `jumps` of :class:`Course` change sign at each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

Kind = tuple[Any, ...]


@dataclass(frozen=True)
class StiffnessSeries:
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
class StiffnessTable:
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

    def series(self, count: int) -> StiffnessSeries:
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
        return StiffnessSeries(
            self.mean, tuple(orders.tolist()), np.stack([np.real(waves), -np.imag(waves)], axis=1)
        )


@dataclass(frozen=True)
class Course:
    """Of front and back flanks: stiffness [N/m] and its rate [N/(m s)]; and what changes sign at jumps, if any."""

    front: tuple[ca.SX, ca.SX]
    back: tuple[ca.SX, ca.SX]
    jumps: tuple[ca.SX, ...] = ()


def size(kind: Kind) -> int:
    """How many numbers a course has besides its mean."""
    return 4 * len(kind[1]) if kind[0] == "series" else 3 + 3 * kind[1]


def course(kind: Kind, mean: ca.SX, data: ca.SX, tau: ca.SX, rate: ca.SX) -> Course:
    """rate: of tau [1/s]"""
    if kind[0] == "series":
        of, half = _waves(2 * ca.pi * tau, kind[1]), data.numel() // 2
        front, back = (_sum(mean, part, of, 2 * ca.pi * rate) for part in (data[:half], data[half:]))
        return Course(front, back)
    mirrored = 2 * data[0] - tau
    front, back = _lines(data, tau, rate), _lines(data, mirrored, -rate)
    if not kind[2]:
        return Course(front, back)
    places = [data[3 + 3 * i] for i in kind[2]]
    jumps = []
    for phase in (tau, mirrored):
        signed = ca.SX(1)
        for place in places:
            signed *= ca.sin(ca.pi * (phase - place))
        jumps.append(signed)
    return Course(front, back, tuple(jumps))


def _waves(angle: ca.SX, orders: tuple[int, ...]) -> list[tuple[int, ca.SX, ca.SX]]:
    """n, cos(n angle), sin(n angle) for each order; by the addition theorem where they go on from 1."""
    if orders != tuple(range(1, len(orders) + 1)):
        return [(n, ca.cos(n * angle), ca.sin(n * angle)) for n in orders]
    out: list[tuple[int, ca.SX, ca.SX]] = []
    c, s = ca.cos(angle), ca.sin(angle)
    for n in orders:
        if n == 1:
            out.append((1, c, s))
        else:
            _, last_c, last_s = out[-1]
            out.append((n, last_c * c - last_s * s, last_s * c + last_c * s))
    return out


def _sum(k_0: ca.SX, parts: ca.SX, of: list[tuple[int, ca.SX, ca.SX]], rate: ca.SX) -> tuple[ca.SX, ca.SX]:
    """k_0 + sum of c_n cos + s_n sin, and its time derivative; rate: that of the angle"""
    value, change = k_0, ca.SX(0)
    for i, (n, c, s) in enumerate(of):
        c_n, s_n = parts[2 * i], parts[2 * i + 1]
        value += c_n * c + s_n * s
        change += n * (s_n * c - c_n * s) * rate
    return value, change


def _lines(data: ca.SX, phase: ca.SX, rate: ca.SX) -> tuple[ca.SX, ca.SX]:
    x = phase - ca.floor(phase)
    value, slope = data[1] + data[2] * x, data[2]
    for i in range(3, data.numel(), 3):
        past = x >= data[i]
        value += past * (data[i + 1] + data[i + 2] * (x - data[i]))
        slope += past * data[i + 2]
    return value, slope * rate
