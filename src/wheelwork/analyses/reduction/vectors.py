"""Vectors, matrices and rotations as lists of numbers of any type: floats, or numbers that write a program.

Symmetric matrices are full lists of rows whose entries are the same objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Scalar = Any
Vector = list[Any]
Matrix = list[list[Any]]

ZERO: Vector = [0.0, 0.0, 0.0]
UNIT: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def plus(a: Vector, b: Vector) -> Vector:
    return [x + y for x, y in zip(a, b, strict=True)]


def minus(a: Vector, b: Vector) -> Vector:
    return [x - y for x, y in zip(a, b, strict=True)]


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def cross(a: Vector, b: Vector) -> Vector:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(M: Matrix, a: Vector) -> Vector:
    return [dot(row, a) for row in M]


def transposed(M: Matrix) -> Matrix:
    return [list(column) for column in zip(*M, strict=True)]


def product(M: Matrix, N: Matrix) -> Matrix:
    columns = transposed(N)
    return [[dot(row, column) for column in columns] for row in M]


def symmetric(lower: Matrix) -> Matrix:
    """A symmetric matrix from its rows up to the diagonal; what is beyond is not looked at."""
    return [[lower[max(r, c)][min(r, c)] for c in range(len(lower))] for r in range(len(lower))]


def added(M: Matrix, N: Matrix) -> Matrix:
    """The sum of two symmetric matrices."""
    return symmetric([[M[r][c] + N[r][c] for c in range(r + 1)] for r in range(len(M))])


def without(M: Matrix, a: Vector, b: Vector, gone: int = -1) -> Matrix:
    """M - a b^T, symmetric; nothing is left of the row and column `gone`."""
    return symmetric(
        [[0.0 if gone in (r, c) else M[r][c] - a[r] * b[c] for c in range(r + 1)] for r in range(3)]
    )


class NodeRotation:
    """Parent from node: a constant rotation A, then a turn about one of the node's axes (cosine c, sine s)."""

    def __init__(self, A: Matrix, k: int, c: Scalar, s: Scalar):
        self.A, self.k, self.c, self.s = A, k, c, s
        self.At = transposed(A)
        self.ss, self.cs = s * s, c * s

    def out(self, v: Vector) -> Vector:
        k, i, j = self.k, (self.k + 1) % 3, (self.k + 2) % 3
        turned: Vector = [0.0] * 3
        turned[i], turned[j], turned[k] = (
            self.c * v[i] - self.s * v[j], self.s * v[i] + self.c * v[j], v[k],
        )  # fmt: skip
        return times(self.A, turned)

    def into(self, v: Vector) -> Vector:
        k, i, j = self.k, (self.k + 1) % 3, (self.k + 2) % 3
        v = times(self.At, v)
        turned: Vector = [0.0] * 3
        turned[i], turned[j], turned[k] = (
            self.c * v[i] + self.s * v[j], self.c * v[j] - self.s * v[i], v[k],
        )  # fmt: skip
        return turned

    def after(self, R: Matrix) -> Matrix:
        """R (parent from node), by its columns."""
        columns = transposed(product(R, self.A))
        k, i, j = self.k, (self.k + 1) % 3, (self.k + 2) % 3
        turned: Matrix = [[], [], []]
        turned[k] = columns[k]
        turned[i] = [self.c * x + self.s * y for x, y in zip(columns[i], columns[j], strict=True)]
        turned[j] = [self.c * y - self.s * x for x, y in zip(columns[i], columns[j], strict=True)]
        return transposed(turned)

    def conjugate(self, M: Matrix) -> Matrix:
        """Q M Q^T. Trace and skew part of the turning block stay, the rest turns by twice the angle."""
        k, i, j = self.k, (self.k + 1) % 3, (self.k + 2) % 3
        d, e = M[i][i] - M[j][j], M[i][j] + M[j][i]
        along, across = self.ss * d + self.cs * e, self.cs * d - self.ss * e
        N: Matrix = [[0.0] * 3 for _ in range(3)]
        N[i][i], N[j][j], N[k][k] = M[i][i] - along, M[j][j] + along, M[k][k]
        N[i][j], N[j][i] = M[i][j] + across, M[j][i] + across
        N[k][i], N[k][j] = self.c * M[k][i] - self.s * M[k][j], self.s * M[k][i] + self.c * M[k][j]
        N[i][k], N[j][k] = self.c * M[i][k] - self.s * M[j][k], self.s * M[i][k] + self.c * M[j][k]
        return product(product(self.A, N), self.At)

    def conjugate_symmetric(self, M: Matrix) -> Matrix:
        return symmetric(self.conjugate(M))


class Rotated:
    """Parent from node: any rotation."""

    def __init__(self, R: Matrix):
        self.R, self.Rt = R, transposed(R)

    def out(self, v: Vector) -> Vector:
        return times(self.R, v)

    def into(self, v: Vector) -> Vector:
        return times(self.Rt, v)

    def after(self, R: Matrix) -> Matrix:
        return product(R, self.R)

    def conjugate(self, M: Matrix) -> Matrix:
        return product(product(self.R, M), self.Rt)

    def conjugate_symmetric(self, M: Matrix) -> Matrix:
        return symmetric(self.conjugate(M))


def about(axis: Vector, c: Scalar, s: Scalar) -> Matrix:
    """Rotation about a unit axis."""
    a, v = axis, 1.0 - c
    return [
        [c + v * a[0] * a[0], v * a[0] * a[1] - s * a[2], v * a[0] * a[2] + s * a[1]],
        [v * a[1] * a[0] + s * a[2], c + v * a[1] * a[1], v * a[1] * a[2] - s * a[0]],
        [v * a[2] * a[0] - s * a[1], v * a[2] * a[1] + s * a[0], c + v * a[2] * a[2]],
    ]


class Factor:
    """M = U^T D U from the last coordinate to the first, which keeps the zeros of branches."""

    def __init__(self, M: Matrix):
        n, M = len(M), [list(row) for row in M]
        self.rows: Matrix = [[0.0] * n for _ in range(n)]
        self.over: Vector = [0.0] * n
        """1/D."""
        for k in range(n - 1, -1, -1):
            self.over[k] = 1.0 / M[k][k]
            for i in range(k):
                self.rows[k][i] = M[k][i] * self.over[k]
            for i in range(k):
                for j in range(i + 1):
                    M[i][j] = M[i][j] - self.rows[k][i] * M[k][j]

    def solve(self, f: Vector) -> Vector:
        """x of M x = f."""
        x, n = list(f), len(f)
        for k in range(n - 1, -1, -1):
            for i in range(k):
                x[i] = x[i] - self.rows[k][i] * x[k]
        for k in range(n):
            x[k] = x[k] * self.over[k]
            for i in range(k):
                x[k] = x[k] - self.rows[k][i] * x[i]
        return x
