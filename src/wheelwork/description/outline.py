"""Outlines: plane curves, such as the profile of a cam or the centre line of a slot.

A curve lies in the x-y plane of the frame in which its element places it. Its parameter is called `s`. It must be
smooth: a follower cannot follow a corner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, Part, Value
from wheelwork.description.formula import Formula
from wheelwork.description.union import ByType
from wheelwork.description.values import CURVE_PARAMETER, CurveLength, CurveParameter, Length

TURN = 2 * math.pi
Pair = tuple[float, float]

# Number of points at which curves given by formulas are looked at.
_SAMPLES = 360
# Ends of a closed curve may differ by this share of its size: formulas are rounded, and so are constants in them.
_CLOSED = 1e-9
# Share of the interval, and turn of the tangent [rad], by which the two ends of a closed curve are compared.
_NEAR, _KINK = 1e-6, 1e-3


class Outline(Part):
    """A plane curve."""

    own_names: ClassVar[frozenset[str]] = frozenset({CURVE_PARAMETER})


class FormulaOutline(Outline):
    """A curve given by formulas of its parameter `s`.

    Fields:
        x [m]: formula of `s` and parameters
        y [m]: formula of `s` and parameters
        interval [1]: `s` at the beginning and at the end of the curve
        closed: whether the end meets the beginning
    """

    type: Literal["formula"] = "formula"
    x: CurveLength
    y: CurveLength
    interval: tuple[CurveParameter, CurveParameter] = (0.0, TURN)
    closed: bool = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        first, last = (value(end) for end in self.interval)
        if first is None or last is None:
            return
        if last <= first:
            yield Issue("interval.1", f"must be more than the beginning {first:g}, but is {last:g}")
            return

        def at(s: float) -> Pair | None:
            x, y = _at(self.x, s, value), _at(self.y, s, value)
            return None if x is None or y is None else (x, y)

        yield from _curve_issues(at, first, last, self.closed, "x")


class PolarOutline(Outline):
    """A closed curve around the origin, given by its radius in every direction.

    Fields:
        radius [m]: formula of the polar angle `s` (in rad, from x towards y) and parameters; repeats after a turn
    """

    type: Literal["polar"] = "polar"
    radius: CurveLength
    closed: ClassVar[bool] = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        def at(s: float) -> Pair | None:
            r = _at(self.radius, s, value)
            return None if r is None else (r * math.cos(s), r * math.sin(s))

        for i in range(_SAMPLES):
            s = i * TURN / _SAMPLES
            radius = _at(self.radius, s, value)
            if radius is not None and radius <= 0:
                yield Issue("radius", f"must be greater than zero, but is {radius:g} m at s = {s:.4g} rad")
                return
        yield from _curve_issues(at, 0.0, TURN, True, "radius")


class PointsOutline(Outline):
    """A curve through points: a cubic spline over the length of the chords, periodic where the curve is closed.

    Fields:
        points [m]: x and y of each point, in order along the curve; numbers only
        closed: whether the curve is closed from the last point to the first, which is not repeated
    """

    type: Literal["points"] = "points"
    points: tuple[tuple[Length, Length], ...]
    closed: bool = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        fewest = 4 if self.closed else 3
        if len(self.points) < fewest:
            kind = "closed" if self.closed else "open"
            yield Issue("points", f"a {kind} curve needs {fewest} points or more, but has {len(self.points)}")
            return
        for i, point in enumerate(self.points):
            for k in range(2):
                if isinstance(point[k], Formula):
                    text = f"a table of points is made of numbers, but `{point[k]}` is a formula"
                    yield Issue(f"points.{i}.{k}", text, "use an outline of `type: formula`")
                    return
        known = [(value(x) or 0.0, value(y) or 0.0) for x, y in self.points]
        if self.closed and known[0] == known[-1]:
            text = "repeats the first point; a closed curve continues to it by itself"
            yield Issue(f"points.{len(known) - 1}", text, "leave the last point out")
            return
        for i in range(1, len(known)):
            if known[i] == known[i - 1]:
                yield Issue(f"points.{i}", "is the same as the point before it")
                return
        if self.closed and abs(_area(known)) < 1e-12 * _size(known) ** 2:
            yield Issue("points", "all lie on a line: a closed curve has an area")


AnyOutline = Annotated[FormulaOutline | PolarOutline | PointsOutline, ByType()]


def _at(given: Value, s: float, value: Evaluate) -> float | None:
    """The number of a formula of `s` at one `s`, or None while a parameter is unknown."""
    return value(given.with_number(CURVE_PARAMETER, s) if isinstance(given, Formula) else given)


def _curve_issues(
    at: Callable[[float], Pair | None], first: float, last: float, closed: bool, field: str
) -> Iterator[Issue]:
    """Faults of a curve: values that are not numbers, ends that do not meet, a point without a tangent."""
    length = last - first
    points: list[Pair] = []
    for i in range(_SAMPLES + 1):
        s = first + length * i / _SAMPLES
        point = at(s)
        if point is None:
            return
        if not all(math.isfinite(x) for x in point):
            yield Issue(field, f"the curve has no finite value at s = {s:.4g}")
            return
        points.append(point)
    size = _size(points)
    for i in range(_SAMPLES):
        if _distance(points[i], points[i + 1]) <= 1e-9 * size:
            where = f"at s = {first + length * i / _SAMPLES:.4g}"
            yield Issue(field, f"the curve has no tangent {where}: it needs a tangent everywhere")
            return
    if not closed:
        return
    gap = _distance(points[0], points[-1])
    if gap > _CLOSED * size:
        text = f"the curve is not closed: its ends are {gap:.4g} m apart"
        yield Issue(
            field, text, "" if field == "radius" else "give the `interval` of one turn, or `closed: false`"
        )
        return
    after, before = at(first + _NEAR * length), at(last - _NEAR * length)
    if after is not None and before is not None:
        turn = _turn(points[0], after, before)
        if abs(turn) > _KINK:
            text = f"the curve has a corner of {math.degrees(turn):.4g} deg where its ends meet"
            yield Issue(field, text, "a follower needs a smooth curve")


def _turn(middle: Pair, after: Pair, before: Pair) -> float:
    """Angle [rad] from the direction before -> middle to the direction middle -> after."""
    a = (middle[0] - before[0], middle[1] - before[1])
    b = (after[0] - middle[0], after[1] - middle[1])
    return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def _distance(a: Pair, b: Pair) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _size(points: list[Pair]) -> float:
    return max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(2))


def _area(points: list[Pair]) -> float:
    """Signed area of the polygon: positive for points in the sense from x to y."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2
