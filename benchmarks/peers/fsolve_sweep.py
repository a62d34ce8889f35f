"""Positions of driven linkages by SciPy's fsolve on equations written by hand: the peer side of the sweep benchmark.

Three ways in which people write them:

- `loop`: the closed polygon, two equations in two unknowns (a third of ours: no coordinates of bodies);
- `bodies`: x, y, angle of all three bodies, nine equations, as a course on planar kinematics has them, with the
  Jacobian by hand;
- `plain`: the same nine in NumPy, without a Jacobian.

`loop` and `bodies` are fsolve at its best: plain floats and tuples and the math module (NumPy is several times slower
for so few numbers), the Jacobian given, one array for it used again and again where it is large, each position the
guess of the next. An extrapolated guess makes no difference for `loop` and gains 5 % for `bodies`, which has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import fsolve

from ..linkages import BASE, COUPLER, CRANK, RADIUS, ROCKER, ROD, four_bar_start

cos, sin = math.cos, math.sin
Sweep = Callable[[np.ndarray], np.ndarray]
"""Angles of the crank -> for each the place of the output: angle of the rocker, or way of the slider."""


def four_bar_loop(angles: np.ndarray) -> np.ndarray:
    """Unknown: angles of coupler and rocker."""

    def equations(x: Any, a: float) -> tuple[float, float]:
        p, s = x
        return (
            CRANK * cos(a) + COUPLER * cos(p) - ROCKER * cos(s) - BASE,
            CRANK * sin(a) + COUPLER * sin(p) - ROCKER * sin(s),
        )

    def jacobian(x: Any, a: float) -> tuple[tuple[float, float], tuple[float, float]]:
        p, s = x
        return (-COUPLER * sin(p), ROCKER * sin(s)), (COUPLER * cos(p), -ROCKER * cos(s))

    return _warm(equations, jacobian, np.array(four_bar_start()), angles)[:, 1]


def slider_crank_loop(angles: np.ndarray) -> np.ndarray:
    """Unknown: angle of the rod, way of the slider."""

    def equations(x: Any, a: float) -> tuple[float, float]:
        p, way = x
        return RADIUS * cos(a) + ROD * cos(p) - way, RADIUS * sin(a) + ROD * sin(p)

    def jacobian(x: Any, a: float) -> tuple[tuple[float, float], tuple[float, float]]:
        p = x[0]
        return (-ROD * sin(p), -1.0), (ROD * cos(p), 0.0)

    return _warm(equations, jacobian, np.array([0.0, RADIUS + ROD]), angles)[:, 1]


def four_bar_bodies(angles: np.ndarray) -> np.ndarray:
    """Unknown: x, y, angle of crank, coupler, rocker, about their middles."""
    h, k, l = CRANK / 2, COUPLER / 2, ROCKER / 2
    J = np.zeros((9, 9))
    for row, column, value in (
        (0, 0, 1), (1, 1, 1), (2, 0, 1), (2, 3, -1), (3, 1, 1), (3, 4, -1), (4, 3, 1), (4, 6, -1), (5, 4, 1),
        (5, 7, -1), (6, 6, 1), (7, 7, 1), (8, 2, 1),
    ):  # fmt: skip
        J[row, column] = value

    def equations(q: Any, a: float) -> tuple[float, ...]:
        x1, y1, p1, x2, y2, p2, x3, y3, p3 = q
        c1, s1, c2, s2, c3, s3 = cos(p1), sin(p1), cos(p2), sin(p2), cos(p3), sin(p3)
        return (
            x1 - h * c1, y1 - h * s1,
            x1 + h * c1 - x2 + k * c2, y1 + h * s1 - y2 + k * s2,
            x2 + k * c2 - x3 - l * c3, y2 + k * s2 - y3 - l * s3,
            x3 - l * c3 - BASE, y3 - l * s3,
            p1 - a,
        )  # fmt: skip

    def jacobian(q: Any, a: float) -> np.ndarray:
        p1, p2, p3 = q[2], q[5], q[8]
        c1, s1, c2, s2, c3, s3 = h * cos(p1), h * sin(p1), k * cos(p2), k * sin(p2), l * cos(p3), l * sin(p3)
        J[0, 2], J[1, 2], J[2, 2], J[3, 2] = s1, -c1, -s1, c1
        J[2, 5], J[3, 5], J[4, 5], J[5, 5] = -s2, c2, -s2, c2
        J[4, 8], J[5, 8], J[6, 8], J[7, 8] = s3, -c3, s3, -c3
        return J

    return _extrapolated(equations, jacobian, _four_bar_middles(), angles)[:, 8]


def slider_crank_bodies(angles: np.ndarray) -> np.ndarray:
    """Unknown: x, y, angle of crank, rod, slider."""
    h, k = RADIUS / 2, ROD / 2
    J = np.zeros((9, 9))
    for row, column, value in (
        (0, 0, 1), (1, 1, 1), (2, 0, 1), (2, 3, -1), (3, 1, 1), (3, 4, -1), (4, 3, 1), (4, 6, -1), (5, 4, 1),
        (5, 7, -1), (6, 7, 1), (7, 8, 1), (8, 2, 1),
    ):  # fmt: skip
        J[row, column] = value

    def equations(q: Any, a: float) -> tuple[float, ...]:
        x1, y1, p1, x2, y2, p2, x3, y3, p3 = q
        c1, s1, c2, s2 = cos(p1), sin(p1), cos(p2), sin(p2)
        return (
            x1 - h * c1, y1 - h * s1,
            x1 + h * c1 - x2 + k * c2, y1 + h * s1 - y2 + k * s2,
            x2 + k * c2 - x3, y2 + k * s2 - y3,
            y3, p3,
            p1 - a,
        )  # fmt: skip

    def jacobian(q: Any, a: float) -> np.ndarray:
        p1, p2 = q[2], q[5]
        c1, s1, c2, s2 = h * cos(p1), h * sin(p1), k * cos(p2), k * sin(p2)
        J[0, 2], J[1, 2], J[2, 2], J[3, 2] = s1, -c1, -s1, c1
        J[2, 5], J[3, 5], J[4, 5], J[5, 5] = -s2, c2, -s2, c2
        return J

    return _extrapolated(equations, jacobian, _slider_crank_middles(), angles)[:, 6]


def four_bar_plain(angles: np.ndarray) -> np.ndarray:
    """`four_bar_bodies` as one writes it down first: vectors, no Jacobian."""
    base = np.array([BASE, 0.0])

    def equations(q: Any, a: float) -> np.ndarray:
        crank, coupler, rocker = q[0:2], q[3:5], q[6:8]
        along = [
            length / 2 * np.array([np.cos(p), np.sin(p)])
            for length, p in zip((CRANK, COUPLER, ROCKER), q[2::3], strict=True)
        ]
        return np.concatenate([
            crank - along[0],
            crank + along[0] - (coupler - along[1]),
            coupler + along[1] - (rocker + along[2]),
            rocker - along[2] - base,
            [q[2] - a],
        ])  # fmt: skip

    return _warm(equations, None, _four_bar_middles(), angles)[:, 8]


def slider_crank_plain(angles: np.ndarray) -> np.ndarray:
    """`slider_crank_bodies` as one writes it down first: vectors, no Jacobian."""

    def equations(q: Any, a: float) -> np.ndarray:
        crank, rod, slider = q[0:2], q[3:5], q[6:8]
        along = [length / 2 * np.array([np.cos(p), np.sin(p)]) for length, p in ((RADIUS, q[2]), (ROD, q[5]))]
        return np.concatenate([
            crank - along[0],
            crank + along[0] - (rod - along[1]),
            rod + along[1] - slider,
            [slider[1], q[8], q[2] - a],
        ])  # fmt: skip

    return _warm(equations, None, _slider_crank_middles(), angles)[:, 6]


def _four_bar_middles() -> np.ndarray:
    p, s = four_bar_start()
    B, D, C = (
        np.array([CRANK, 0.0]),
        np.array([BASE, 0.0]),
        np.array([CRANK + COUPLER * cos(p), COUPLER * sin(p)]),
    )
    return np.array([*(B / 2), 0.0, *((B + C) / 2), p, *((D + C) / 2), s])


def _slider_crank_middles() -> np.ndarray:
    return np.array([RADIUS / 2, 0, 0, RADIUS + ROD / 2, 0, 0, RADIUS + ROD, 0, 0])


def _warm(equations: Any, jacobian: Any, x: np.ndarray, angles: np.ndarray) -> np.ndarray:
    out = np.empty((len(angles), len(x)))
    for k, a in enumerate(angles.tolist()):
        x = fsolve(equations, x, args=(a,), fprime=jacobian)
        out[k] = x
    return out


def _extrapolated(equations: Any, jacobian: Any, x: np.ndarray, angles: np.ndarray) -> np.ndarray:
    out = np.empty((len(angles), len(x)))
    before = x
    for k, a in enumerate(angles.tolist()):
        guess, before = 2 * x - before, x
        x = fsolve(equations, guess, args=(a,), fprime=jacobian)
        out[k] = x
    return out


SWEEPS: dict[str, dict[str, Sweep]] = {
    "four-bar": {"loop": four_bar_loop, "bodies": four_bar_bodies, "plain": four_bar_plain},
    "slider-crank": {"loop": slider_crank_loop, "bodies": slider_crank_bodies, "plain": slider_crank_plain},
}
