"""Loops of joints that no gear closes, such as a crank and its rod: their closing conditions at the given position.

At a joint that closes a loop, the link has been reached on two ways. Both must give it the same angular velocity and
the same velocity of a point: 6 equations in the rates. They hold for the given position only, so that ratios which
depend on a loop are those of that position. So do shafts that are coupled (:mod:`wheelwork.trains.shaft_couplings`) and
turn in links that move against each other, with one equation, (w_b - w_a) . (u_a + u_b) = 0.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .canonical import Canonical, twist_along, twist_of
from .exact import Reduced, Row, null_space
from .train import GearEdge

RANK = 1e-9
"""Singular values below this part of the largest are zero."""


def loop_rows(graph: Canonical, gears: Reduced) -> list[Row]:
    """Independent equations in the rates that the circuits leave free; none where there are no loops.

    gears: the circuit equations, solved
    """
    closing = [k for k, rate in enumerate(graph.rates) if rate.closing]
    if not closing and not graph.train.swinging:
        return []
    columns = len(graph.rates)
    equations = []
    for k in closing:
        rate = graph.rates[k]
        way = twist_of(graph, rate.parent)
        way[:, k] += twist_along(graph, k)
        equations.append(twist_of(graph, rate.link) - way)
    free = null_space(gears, columns)
    basis = np.zeros((columns, len(free)))
    for j, solution in enumerate(free.values()):
        for column, entry in solution.items():
            basis[column, j] = float(entry)
    # Lengths in units of the train's size, so that the two halves of a twist weigh alike.
    scale = np.array([1, 1, 1, *[1 / graph.links.size] * 3])
    rows = [scale[:, None] * e for e in equations] + [_coupled(graph, gear) for gear in graph.train.swinging]
    matrix = np.vstack(rows) @ basis
    return [
        {column: Fraction(float(x)) for column, x in zip(free, row, strict=True) if x}
        for row in _independent(matrix)
    ]


def _coupled(graph: Canonical, gear: GearEdge) -> np.ndarray:
    """The rates of two shafts against each other, about both their axes (1 x rates)."""
    assert gear.axes is not None
    u, v = (np.array(axis.direction) for axis in gear.axes)
    a, b = (twist_of(graph, graph.links.of[body])[:3] for body in gear.links)
    return (u + v)[None] @ (b - a) / (1 + u @ v)


def _independent(matrix: np.ndarray) -> np.ndarray:
    """Rows that say the same as those of a matrix, each solved for one column, without the noise of rounding."""
    rows = matrix.copy()
    limit = RANK * max(1.0, float(np.abs(matrix).max(initial=0.0)))
    solved: list[int] = []
    for _ in range(min(rows.shape)):
        rest = rows[len(solved) :]
        if not rest.size or np.abs(rest).max() <= limit:
            break
        i, j = np.unravel_index(np.argmax(np.abs(rest)), rest.shape)
        k = len(solved)
        rows[[k, k + i]] = rows[[k + i, k]]
        rows[k] /= rows[k, j]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
        solved.append(int(j))
    out = rows[: len(solved)]
    out[np.abs(out) <= limit] = 0.0
    return out
