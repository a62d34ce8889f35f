"""Followed parameters along a driven motion: whether contacts go on from step to step, or jump to another place.

Where a contact ends, because a hollow closes over it, Newton's method may find another contact some way off. In short
steps the curve parameters s go where their rates say; one that does not has jumped."""

from __future__ import annotations

import numpy as np

from wheelwork.system.program import Program

NEAR = 1 / 64
"""Part of an outline within which no jump is suspected."""


def spans(program: Program, data: np.ndarray) -> np.ndarray:
    """How far each followed parameter goes from one end of its outline to the other, or once around."""
    out = []
    for follow in program.follows:
        cam = follow.kernel.cam
        place = program.constraints[follow.constraint].data + 24 + cam.own_numbers
        for outline in cam.outlines:
            out.append(data[place + 1])
            place += outline.numbers
    return np.array(out)


def _part(program: Program, y: np.ndarray) -> np.ndarray:
    return y[..., program.nq + program.nv + len(program.turns) :]


def jumps(program: Program, data: np.ndarray, states: np.ndarray) -> bool:
    """Whether a step between states (N, n) one after the other is much larger than those beside it."""
    if not program.follows or len(states) < 3:
        return False
    steps = np.abs(np.diff(_part(program, states), axis=0))
    beside = np.maximum(np.vstack([steps[1:2], steps[:-1]]), np.vstack([steps[1:], steps[-2:-1]]))
    return bool(np.any(steps > 3 * beside + NEAR * spans(program, data)))


def goes_on(
    program: Program, data: np.ndarray, before: np.ndarray, guess: np.ndarray, after: np.ndarray
) -> bool:
    """Whether the parameters after a step are near to where their rates led."""
    if not program.follows:
        return True
    start, led, found = (_part(program, y) for y in (before, guess, after))
    return bool(np.all(np.abs(found - led) <= 0.5 * np.abs(led - start) + NEAR * spans(program, data)))
