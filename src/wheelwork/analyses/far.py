"""From a rough sketch to a position that closes: the path along which all misfits shrink together.

The residuals g of all joints and drivers fall along dq/ds = -M^-1 G^T (G M^-1 G^T)^+ g, of all motions with that effect
the one with the least kinetic energy (Davidenko's continuation of Newton's method): g(s) = e^-s g(0). The path is
followed in steps short enough to stay on the branch that it leads to, which is the one nearest along it. Where it ends
before the misfits do, at a position from which no small motion makes them less, no position is found.

Where coordinates go to given values, the mechanism is closed from the first and stays so: misfits of joints, which
steps of finite length leave, go at once, and those of the coordinates in short steps.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from wheelwork.system.matrices import TOLERANCE, full_jacobian, inverse_root_mass, position_rows
from wheelwork.system.program import Program

from .prepare import Prepared

STEP = 0.05
"""Of the mechanism's size, and rad: how far bodies move at a time."""
CLOSE = 1e-6
"""Of the first residuals: from here on Newton's method does the rest."""
MOST_STEPS = 2000
IDLE_STEPS = 100
"""A path to given coordinates has ended where misfits have not fallen for so many steps: it is at a limit."""
FALLS = 1e-9
"""Of the first residuals: what falls by less does not fall. A step of a path over a thousand turns is 1e-5."""


class ExtraRows(Protocol):
    """Rows beside the constraints, and how far they are from where they are to go."""

    def left(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(n), and (n, nv)."""
        ...


def drawn_together(
    prepared: Prepared, t: float, given: np.ndarray, size: float, besides: ExtraRows | None = None
) -> np.ndarray:
    """The position at the end of that path, with the speeds that were given; `size` of the mechanism [m].

    With `besides` the constraints hold from the first, and along a path that may be long, over many turns.
    """
    program, numbers, engine = prepared.program, prepared.numbers, prepared.engine
    rows = position_rows(program)
    y, first = np.array(given), None
    least, idle = np.inf, 0
    for _ in range(MOST_STEPS if besides is None else 20 * MOST_STEPS):
        g, G, _, _ = engine.constraints(t, y)
        residual, J = g[rows], full_jacobian(program, G)[rows]
        more = np.zeros(0)
        if besides is not None:
            more, own = besides.left(y)
            residual, J = np.append(residual, more), np.vstack([J, own])
        left = float(np.linalg.norm(residual))
        first = left if first is None else first
        idle = 0 if besides is None or left < least - FALLS * first else idle + 1
        least = min(least, left)
        if left <= CLOSE * max(first, 1e-9) or idle > IDLE_STEPS:
            break
        root = inverse_root_mass(program, numbers, y)
        back = -root @ np.linalg.pinv(J @ root, rcond=TOLERANCE)
        if besides is None:
            step, far = _short(program, size, back @ residual)
        else:
            step, far = _short(program, size, back[:, len(rows) :] @ more)
            step = step + _short(program, size, back[:, : len(rows)] @ g[rows])[0]
        if far <= 1e-12:
            break
        y = with_turns(program, numbers.data, program.displaced(y, step))
    return y


def _short(program: Program, size: float, step: np.ndarray) -> tuple[np.ndarray, float]:
    """A step no longer than `STEP`, and how far it would have moved bodies, over the size of the mechanism, or rad."""
    moves = step.reshape(len(program.bodies), program.space.V)[:, program.space.linear]
    far = max(program.largest_turn(step), float(np.max(np.linalg.norm(moves, axis=1), initial=0.0)) / size)
    return step * min(1.0, STEP / max(far, STEP)), far


def with_turns(program: Program, data: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The state with its counted angles brought to the orientation of the bodies (same number of turns).

    Followed parameters are the engine's own business.
    """
    out = np.array(y)
    if not program.turns:
        return out
    rotations = np.concatenate(
        [program.space.poses(program.coordinates(out))[1], np.eye(3)[None]]
    )  # ground last
    for k, use in enumerate(program.turns):
        A, B = (
            rotations[body] @ data[start : start + 9].reshape(3, 3)
            for body, start in ((use.a, use.data + 3), (use.b, use.data + 15))
        )
        sine = A[:, 1] @ B[:, 0] - A[:, 0] @ B[:, 1]
        cosine = A[:, 0] @ B[:, 0] + A[:, 1] @ B[:, 1]
        angle = np.arctan2(sine, cosine)
        place = program.nq + program.nv + k
        out[place] = angle + 2 * np.pi * np.round((out[place] - angle) / (2 * np.pi))
    return out
