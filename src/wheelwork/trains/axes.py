"""Axes of joints in the world, and which of them are one line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Vector = tuple[float, float, float]

SAME_DIRECTION = 1e-6
"""[rad] Directions that differ by less are one direction."""
SAME_PLACE = 1e-6
"""Lines that are closer to each other than this part of the train's size are one line."""


@dataclass(frozen=True)
class Axis:
    """A directed line.

    point [m]: on the line, in the world at the given position
    direction [1]: of length 1
    """

    point: Vector
    direction: Vector

    @staticmethod
    def through(point: Sequence[float], direction: Sequence[float]) -> Axis:
        """The line through a point along a direction of any length but zero; two numbers lie in the x-y plane."""
        px, py, pz = (*map(float, point), 0.0)[:3]
        dx, dy, dz = (*map(float, direction), 0.0)[:3]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if length == 0:
            raise ValueError("the direction of an axis must not be zero")
        return Axis((px, py, pz), (dx / length, dy / length, dz / length))


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def norm(a: Vector) -> float:
    return math.sqrt(dot(a, a))


def sense(a: Axis, b: Axis) -> int:
    """+1 where two parallel axes point the same way, -1 where they point against each other."""
    return 1 if dot(a.direction, b.direction) > 0 else -1


def parallel(a: Axis, b: Axis) -> bool:
    return norm(cross(a.direction, b.direction)) < SAME_DIRECTION


def same_line(a: Axis, b: Axis, size: float) -> bool:
    """Whether two axes are one line in space, whatever their sense; `size` [m] is that of the whole train."""
    return parallel(a, b) and norm(cross(a.direction, minus(b.point, a.point))) < SAME_PLACE * size


def size_of(axes: Iterable[Axis]) -> float:
    """[m] Largest distance of a point from the first one; 1 where all are in one place."""
    points = [axis.point for axis in axes]
    return max((norm(minus(p, points[0])) for p in points), default=0.0) or 1.0
