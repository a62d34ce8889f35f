"""Outlines of cams: plane curves c(s) in the x-y plane of a marker, by formula or through given points.

Symbols::

    s     curve parameter, any unit; for a closed curve any number of times around
    c(s)  point of the curve in the marker's x and y axes      m      (2)
    c'    its derivative by s; the tangent                     m/[s]  (2)
    c''   the second derivative; the bend                      m/[s]^2

A closed formula is evaluated at s brought into its range [start, start + period), so that a law written piece by
piece over one turn of the cam holds for every turn. Given points are joined by a cubic spline (:mod:`.spline`), of
which a kernel sees one piece, c = c0 + c1 (s - s0) + c2 (s - s0)^2 + c3 (s - s0)^3: the runtime looks it up for the
present s.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.lazy import numpy as np

from ..frames import Marker
from ..values import SYMBOLIC
from .spline import Spline, cubic

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place

PIECE = 9
"""Numbers of a cubic piece: s0, then four coefficients for x and four for y."""


@dataclass(frozen=True)
class OnCurve:
    """A point of a curve that is fixed in a body, in world axes: position, first and second derivative by s."""

    point: ca.SX
    tangent: ca.SX
    bend: ca.SX
    ez: ca.SX

    @property
    def length(self) -> ca.SX:
        """|c'|."""
        return ca.norm_2(self.tangent)

    @property
    def normal(self) -> ca.SX:
        """Unit normal on the right-hand side of the tangent: out of a closed curve that runs counterclockwise."""
        return ca.cross(self.tangent, self.ez) / self.length

    @property
    def normal_by_s(self) -> ca.SX:
        """dn/ds = K t, with t the unit tangent and K = ez . (c' x c'')/|c'|^2 the turning of the tangent by s."""
        turning = ca.dot(self.ez, ca.cross(self.tangent, self.bend)) / ca.dot(self.tangent, self.tangent)
        return turning * self.tangent / self.length


class OutlineCurve(ABC):
    """A curve as an element's kernel sees it."""

    key: str
    """Says which expressions a kernel with this curve has in it."""
    numbers: int = 2
    """Numbers of its own among the element's data: where s starts, how far it goes, and more."""
    inputs: int = 0
    """Input slots (of three numbers) that the runtime fills for it."""
    closed: bool
    spline: Spline | None = None

    @abstractmethod
    def values(self, s: ca.SX, numbers: ca.SX, inputs: ca.SX) -> list[ca.SX]:
        """c, c', c'' at s; `numbers` as in `number_values`, `inputs` what the runtime filled in."""

    @abstractmethod
    def number_values(self, place: Place) -> list[Any]:
        """The curve's numbers, as expressions in the model's parameters."""

    @abstractmethod
    def samples(self, place: Place, count: int) -> tuple[ca.SX, ca.SX, ca.SX]:
        """s (count), c (count x 2) and c' (count x 2) at points spread over the curve."""

    def spread(self, numbers: np.ndarray, count: int) -> np.ndarray:
        """Values of s over the curve, for its numbers."""
        return numbers[0] + numbers[1] * np.linspace(0, 1, count, endpoint=not self.closed)

    def at(self, s: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c, c', c'' in numbers (each (n, 2))."""
        raise NotImplementedError

    def on(self, marker: Marker, s: ca.SX, numbers: ca.SX, inputs: ca.SX) -> OnCurve:
        """The point at s of the curve on a body."""
        c, first, second = self.values(s, numbers, inputs)
        plane = marker.axes[:, :2]
        return OnCurve(
            marker.p + ca.mtimes(plane, c), ca.mtimes(plane, first), ca.mtimes(plane, second), marker.ez
        )


class FormulaCurve(OutlineCurve):
    """Formulas of `s` and of the model's parameters, over a range of s: x and y, or the radius in the direction s."""

    def __init__(self, formulas: Sequence[Any], start: Any, end: Any, closed: bool):
        self._formulas = formulas
        self._range = (start, end)
        self.closed = closed
        names = {name for formula in formulas if hasattr(formula, "names") for name in formula.names()}
        self._names = sorted(names - {"s"})
        self.numbers = 2 + len(self._names)
        roles = {name: f"p{k}" for k, name in enumerate(self._names)} | {"s": "s"}
        texts = [
            str(f.rename(lambda name: roles[name]).canonical) if hasattr(f, "names") else repr(float(f))
            for f in formulas
        ]
        self.key = f"{'closed' if closed else 'open'}({';'.join(texts)})"

    @cached_property
    def _function(self) -> ca.Function:
        s, numbers = ca.SX.sym("s"), ca.SX.sym("n", self.numbers)
        place = {name: numbers[2 + k] for k, name in enumerate(self._names)}
        # floor has no slope, so that derivatives pass through
        place["s"] = s - numbers[1] * ca.floor((s - numbers[0]) / numbers[1]) if self.closed else s
        parts = [
            ca.SX(f.evaluate(place.__getitem__, SYMBOLIC)) if hasattr(f, "names") else ca.SX(float(f))
            for f in self._formulas
        ]
        c = ca.vertcat(*parts) if len(parts) == 2 else parts[0] * ca.vertcat(ca.cos(s), ca.sin(s))
        first = ca.jacobian(c, s)
        return ca.Function("curve", [s, numbers], [ca.densify(x) for x in (c, first, ca.jacobian(first, s))])

    def values(self, s: ca.SX, numbers: ca.SX, inputs: ca.SX) -> list[ca.SX]:
        return self._function.call([s, numbers])

    def number_values(self, place: Place) -> list[Any]:
        start, end = (place.value(x) for x in self._range)
        return [start, end - start, *(place.parameters[name] for name in self._names)]

    def samples(self, place: Place, count: int) -> tuple[ca.SX, ca.SX, ca.SX]:
        numbers = ca.vertcat(*self.number_values(place))
        steps = np.arange(count) / (count if self.closed else count - 1)
        s = numbers[0] + numbers[1] * ca.SX(steps)
        c, first, _ = self._function.call([s.T, ca.repmat(numbers, 1, count)])
        return s, ca.SX(c.T), ca.SX(first.T)

    def at(self, s: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        repeated = np.repeat(np.asarray(numbers)[:, None], len(s), axis=1)
        c, first, second = (np.array(x).T for x in self._function.call([ca.DM(s).T, ca.DM(repeated)]))
        return c, first, second


class SplineCurve(OutlineCurve):
    """A cubic spline through given points."""

    inputs = PIECE // 3

    def __init__(
        self, points: Sequence[Sequence[float]], closed: bool, parameters: Sequence[float] | None = None
    ):
        self.spline = self._curve = Spline.through(points, closed, parameters)
        self.closed = closed
        self.key = "spline"

    def values(self, s: ca.SX, numbers: ca.SX, inputs: ca.SX) -> list[ca.SX]:
        u = s - inputs[0]
        x, y = ca.vertsplit(inputs[1:5]), ca.vertsplit(inputs[5:9])
        return [ca.vertcat(*part) for part in zip(*(cubic(p, u) for p in (x, y)), strict=True)]

    def number_values(self, place: Place) -> list[Any]:
        start = float(self._curve.knots[0])
        return [start, self._curve.end - start]

    def samples(self, place: Place, count: int) -> tuple[ca.SX, ca.SX, ca.SX]:
        numbers = np.array(self.number_values(place))
        s = self.spread(numbers, count)
        c, first, _ = self.at(s, numbers)
        return ca.SX(s), ca.SX(c), ca.SX(first)

    def at(self, s: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._curve.at(s)


def outline_of(described: Any) -> OutlineCurve:
    """The curve of a description."""
    if described.type == "formula":
        start, end = described.interval
        return FormulaCurve((described.x, described.y), start, end, described.closed)
    if described.type == "polar":
        return FormulaCurve((described.radius,), 0.0, 2 * math.pi, True)
    points = [[float(x) for x in point] for point in described.points]
    return SplineCurve(points, described.closed)
