"""Where outlines touch at the given position: the best of many sampled points, as expressions in the parameters.

A sample is good where the gap is small and the conditions of contact nearly hold. Being an expression, the choice
is made again for other values of the parameters; Newton's method does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca

from .outline import OutlineCurve

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place

COUNT = 240
"""Points at which an outline is looked at."""


@dataclass(frozen=True)
class OutlineSamples:
    """Points of an outline: s, c (n x 2) and unit tangents (n x 2), and how large the outline is.

    `start` is the curve parameter of the contact where the user gives it: then only points next to it are taken.
    """

    s: ca.SX
    c: ca.SX
    tangent: ca.SX
    size: ca.SX
    closed: bool
    start: ca.SX | None = None

    @classmethod
    def of(cls, outline: OutlineCurve, place: Place, start: Any, count: int = COUNT) -> OutlineSamples:
        s, c, first = outline.samples(place, count)
        length = ca.sqrt(ca.sum2(first**2))
        middle = ca.sum1(c) / count
        size = ca.sqrt(ca.mmax(ca.sum2((c - ca.repmat(middle, count, 1)) ** 2)))
        given = None if start is None else place.value(start)
        return cls(s, c, first / ca.repmat(length, 1, 2), size, outline.closed, given)

    @property
    def count(self) -> int:
        return self.s.numel()

    @property
    def penalty(self) -> ca.SX:
        """Added to the costs of the points: high away from the given start (n)."""
        if self.start is None:
            return ca.SX(self.count, 1)
        step = self.s[1] - self.s[0]
        away = (self.s - self.start) / step
        if self.closed:
            away = away - self.count * ca.floor(away / self.count + 0.5)
        return 1e6 * (self.size * away) ** 2

    def s_at(self, k: ca.SX) -> ca.SX:
        """The curve parameter to start from: that given, or that of point k."""
        return _at(self.s, k)[0] if self.start is None else self.start

    def c_at(self, k: ca.SX) -> ca.SX:
        return _at(self.c, k)

    def normal_at(self, k: ca.SX) -> ca.SX:
        """On the right-hand side of the tangent."""
        t = _at(self.tangent, k)
        return ca.vertcat(t[1], -t[0])

    def seen_from_a(
        self, place: Place, bodies: list[str], markers: tuple[ca.SX, ca.SX]
    ) -> tuple[ca.SX, ca.SX]:
        """Origin (2) and axes (2 x 2) of b's marker in the x-y plane of a's, at the given position."""
        a, b = place.world_ends(bodies, markers)
        return ca.mtimes(a.axes.T, b.position - a.position)[:2], ca.mtimes(a.axes.T, b.axes)[:2, :2]


def _at(rows: ca.SX, k: ca.SX) -> ca.SX:
    """Row k of a matrix, as a column, with k an expression."""
    return ca.mtimes(rows.T, ca.SX(range(rows.shape[0])) == k)


def pick(costs: ca.SX) -> ca.SX:
    """Index of the least of many numbers: halves against each other, until one is left."""
    index = ca.SX(range(costs.numel()))
    while costs.numel() > 1:
        half = costs.numel() // 2
        second, rest = costs[half : 2 * half], costs[2 * half :]
        better = second < costs[:half]
        index = ca.vertcat(ca.if_else(better, index[half : 2 * half], index[:half]), index[2 * half :])
        costs = ca.vertcat(ca.fmin(second, costs[:half]), rest)
    return index


def area(samples: OutlineSamples) -> ca.SX:
    """Inside a closed outline, positive if it runs counterclockwise."""
    x, y = samples.c[:, 0], samples.c[:, 1]
    shift = [*range(1, samples.count), 0]
    return 0.5 * ca.sum1(x * y[shift] - x[shift] * y)


def orientation(outline: OutlineCurve, samples: OutlineSamples) -> ca.SX:
    """1 where the normal on the right of the tangent leads out of the outline, -1 where it leads in."""
    if not outline.closed:
        return ca.SX(1)
    return ca.if_else(area(samples) < 0, -1.0, 1.0)
