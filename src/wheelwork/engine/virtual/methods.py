"""Explicit Runge-Kutta methods as tableaux.

`first` is the derivative at the start of a step. `last`, the derivative at its end after projection, is the
first of the next one and takes the place of a last stage at the end (FSAL), so that no derivative is computed
twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

Derivative = Callable[[float, np.ndarray], np.ndarray]


@dataclass
class Step:
    """One step: from y0 at t to y1 at t + h."""

    t: float
    h: float
    y0: np.ndarray
    first: np.ndarray
    y1: np.ndarray
    last: np.ndarray
    cap: float | np.ndarray = np.inf
    """Sizes from which on entries count as no larger: angles over many turns."""


class Method(Protocol):
    """What :class:`~wheelwork.engine.virtual.run.Run` needs of a method.

    `newton_iterations` and `failed` are of interest for implicit methods only.
    """

    adaptive: ClassVar[bool]
    order: ClassVar[int]
    newton_iterations: int
    failed: bool

    def advance(self, step: Step) -> np.ndarray | None:
        """The state at the end of the step, before projection; None if it could not be found."""
        ...

    def error(self, step: Step, rtol: float, atol: float) -> float:
        """Size of the local error against what is tolerated (root mean square)."""
        ...

    def dense(self, step: Step, theta: float) -> np.ndarray:
        """The state at t + theta h."""
        ...


def hermite(step: Step, theta: float) -> np.ndarray:
    """Cubic through both ends of a step with their derivatives; error O(h^4)."""
    back = 1 - theta
    from_start = (1 + 2 * theta) * step.y0 + theta * step.h * step.first
    from_end = (1 + 2 * back) * step.y1 - back * step.h * step.last
    return back**2 * from_start + theta**2 * from_end


def size_of_error(step: Step, error: np.ndarray, rtol: float, atol: float) -> float:
    """Root mean square of error / (atol + rtol |y|), |y| no more than `cap`."""
    scale = atol + rtol * np.minimum(step.cap, np.maximum(np.abs(step.y0), np.abs(step.y1)))
    return float(np.sqrt(np.mean((error / scale) ** 2)))


class ExplicitMethod:
    """Stages of an explicit method; subclasses give the tableau and, if adaptive, the rest."""

    adaptive: ClassVar[bool]
    order: ClassVar[int]
    a: ClassVar[list[list[float]]]
    """Rows of the tableau from the second stage on."""
    b: ClassVar[list[float]]
    c: ClassVar[list[float]]

    newton_iterations = 0
    failed = False

    def __init__(self, derivative: Derivative):
        self._derivative = derivative
        self._rows = [np.array(row) for row in self.a]
        self._weights = np.array(self.b)

    def advance(self, step: Step) -> np.ndarray:
        self.k = np.empty((len(self.b), len(step.y0)))
        self.k[0] = step.first
        for i, (row, c) in enumerate(zip(self._rows, self.c, strict=True), start=1):
            self.k[i] = self._derivative(step.t + c * step.h, step.y0 + step.h * (row @ self.k[:i]))
        return step.y0 + step.h * (self._weights @ self.k)

    def error(self, step: Step, rtol: float, atol: float) -> float:
        return 0.0

    def dense(self, step: Step, theta: float) -> np.ndarray:
        return hermite(step, theta)


class Rk4(ExplicitMethod):
    """The classical method of order 4 (Kutta 1901), with a fixed step."""

    adaptive: ClassVar = False
    order: ClassVar = 4
    a: ClassVar = [[1 / 2], [0, 1 / 2], [0, 0, 1]]
    b: ClassVar = [1 / 6, 1 / 3, 1 / 3, 1 / 6]
    c: ClassVar = [1 / 2, 1 / 2, 1]
    stable_rate: ClassVar = 2.7
    """Bounded up to 2.78 along the real axis, 2.83 along the imaginary one."""

    def rate(self, step: Step, velocities: slice) -> tuple[float, float]:
        """Step times the fastest rate that the accelerations show, and their size; as in ``runtime/methods.hpp``."""
        change, size = (float(np.linalg.norm(x[velocities])) for x in (self.k[2] - self.k[1], step.first))
        return (2 * np.sqrt(change / size) if size > 0 else 0.0), size


class Dopri5(ExplicitMethod):
    """Dormand and Prince 5(4) (J. Comp. Appl. Math. 6, 1980).

    Continuous extension of order 4 from Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, sec. II.6.
    """

    adaptive: ClassVar = True
    order: ClassVar = 5
    a: ClassVar = [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    ]
    b: ClassVar = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]
    c: ClassVar = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1]

    difference: ClassVar = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525])
    """Weights of order 5 less those of order 4; the last one, for the derivative at the end, is -1/40."""
    interior: ClassVar = np.array(
        [
            -12715105075 / 11282082432,
            0,
            87487479700 / 32700410799,
            -10690763975 / 1880347072,
            701980252875 / 199316789632,
            -1453857185 / 822651844,
        ]
    )
    """Weights of the term that gives the continuous extension its order; the last one is 69997945/29380423."""

    def error(self, step: Step, rtol: float, atol: float) -> float:
        return size_of_error(step, step.h * (self.difference @ self.k - step.last / 40), rtol, atol)

    def dense(self, step: Step, theta: float) -> np.ndarray:
        bubble = step.h * (self.interior @ self.k + 69997945 / 29380423 * step.last)
        return hermite(step, theta) + (theta * (1 - theta)) ** 2 * bubble
