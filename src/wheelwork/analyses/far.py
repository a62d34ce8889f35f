"""From a rough sketch to a position that closes: the way along which all misfits shrink together.

The residuals g of all joints and drivers fall along dq/ds = -M^-1 G^T (G M^-1 G^T)^+ g, of all motions with that effect
the one with the least kinetic energy (Davidenko's continuation of Newton's method): g(s) = e^-s g(0). The way is
followed in steps short enough to stay on the branch that it leads to, which is the one nearest along it. Where it ends
before the misfits do, at a position from which no small motion makes them less, no position is found.
"""

from __future__ import annotations

import numpy as np

from wheelwork.system.matrices import TOLERANCE, bilateral_rows, full_jacobian, inverse_root_mass

from .prepare import Prepared

STEP = 0.05
"""Of the mechanism's size, and rad: how far bodies move at a time."""
CLOSE = 1e-6
"""Of the first residuals: from here on Newton's method does the rest."""
MOST_STEPS = 2000


def drawn_together(prepared: Prepared, t: float, given: np.ndarray, size: float) -> np.ndarray:
    """The position at the end of that way, with the speeds that were given; `size` of the mechanism [m]."""
    program, numbers, engine = prepared.program, prepared.numbers, prepared.engine
    rows = bilateral_rows(program)
    y, first = np.array(given), None
    for _ in range(MOST_STEPS):
        g, G, _, _ = engine.constraints(t, y)
        left = float(np.linalg.norm(g[rows]))
        first = left if first is None else first
        if left <= CLOSE * max(first, 1e-9):
            break
        root = inverse_root_mass(program, numbers, y)
        J = full_jacobian(program, G)[rows] @ root
        step = -root @ (np.linalg.pinv(J, rcond=TOLERANCE) @ g[rows])
        moves = step.reshape(len(program.bodies), program.space.V)[:, program.space.linear]
        far = max(
            program.largest_turn(step), float(np.max(np.linalg.norm(moves, axis=1), initial=0.0)) / size
        )
        if far <= 1e-12:
            break
        y = program.displaced(y, step * min(1.0, STEP / far))
    return y
