"""Small vector arithmetic for checks on plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from wheelwork.description.base import Evaluate, Value

Vector = tuple[float, ...]


def numbers(values: Sequence[Value], value: Evaluate) -> Vector | None:
    """The numbers behind some values, or None while one of them is unknown."""
    found = [value(v) for v in values]
    return None if any(x is None for x in found) else tuple(x for x in found if x is not None)


def norm(vector: Sequence[float]) -> float:
    return math.sqrt(sum(x * x for x in vector))


def is_zero(vector: Vector | None) -> bool:
    return vector is not None and norm(vector) < 1e-12


def directions(
    given: tuple[Sequence[Value] | None, Sequence[Value] | None], value: Evaluate
) -> tuple[Vector, Vector] | None:
    """The numbers of two directions; None while one is not given, not known or zero."""
    if given[0] is None or given[1] is None:
        return None
    first, second = numbers(given[0], value), numbers(given[1], value)
    if first is None or second is None or is_zero(first) or is_zero(second):
        return None
    return first, second


def angle_between(a: Vector, b: Vector) -> float:
    """Angle between two directions regardless of sense, 0 to pi/2 rad."""
    cosine = abs(sum(x * y for x, y in zip(a, b, strict=True))) / (norm(a) * norm(b))
    return math.acos(min(1.0, cosine))


def principal_moments(tensor: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Eigenvalues of a symmetric 3x3 matrix in ascending order, by Jacobi rotations."""
    a = [list(map(float, row)) for row in tensor]
    for _ in range(30):
        size, p, q = max((abs(a[i][j]), i, j) for i, j in ((0, 1), (0, 2), (1, 2)))
        if size <= 1e-15 * max(abs(a[i][i]) for i in range(3)) or size == 0:
            break
        theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
        t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
        c = 1 / math.hypot(t, 1)
        s = t * c
        for k in range(3):
            a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
        for k in range(3):
            a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
    low, middle, high = sorted(a[i][i] for i in range(3))
    return low, middle, high
