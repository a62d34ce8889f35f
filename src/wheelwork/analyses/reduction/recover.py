"""Minimal coordinates of a motion that is given as poses, velocities and accelerations of the bodies.

Positions by Newton's method, from one time to the next: the small motion that brings the bodies from where the
coordinates put them to where they are is J B du in the coordinates' small change du. Rates and accelerations are
linear:

    J B u' = v,   J B u'' = a - (a at u'' = 0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wheelwork.system.attitude import euler_parameters, exponential, rotation_matrices, rotation_vectors
from wheelwork.system.motion import Motion

if TYPE_CHECKING:
    from .dynamics import MinimalCoordinates

TOLERANCE = 1e-9
"""Of a body's place or turning (m or rad) beside where the coordinates put it."""
ROUNDS = 60
LARGEST_STEP = 0.5
"""rad or m in one round of Newton's method."""


class Coordinates(NamedTuple):
    """Coordinates, rates and accelerations over time, a row each."""

    t: np.ndarray
    u: np.ndarray
    rates: np.ndarray
    accelerations: np.ndarray


def coordinates_of(minimal: MinimalCoordinates, motion: Motion) -> Coordinates:
    """Coordinates, rates and accelerations at every time of a motion; a motion of something else is a ValueError."""
    if tuple(motion.program.bodies) != minimal.bodies:
        raise ValueError("the result is one of another mechanism: its bodies are not the same")
    n = len(minimal.names)
    out = Coordinates(
        motion.t,
        np.zeros((motion.count, len(minimal.rest))),
        np.zeros((motion.count, n)),
        np.zeros((motion.count, n)),
    )
    u, rates = minimal.rest, np.zeros(n)
    for k, t in enumerate(motion.t):
        guess = _moved(minimal, u, rates * (t - motion.t[k - 1]) if k else rates)
        u = _positions(minimal, guess, motion.x[k], motion.R[k], t)
        J = np.concatenate([*minimal.jacobians(u)])
        rates = _solved(J, motion.v[k].reshape(-1))
        bias = minimal.motion(u, rates)
        left = motion.a[k] - np.hstack([bias.a, bias.alpha])
        out.u[k], out.rates[k], out.accelerations[k] = u, rates, _solved(J, left.reshape(-1))
    return out


def _positions(
    minimal: MinimalCoordinates, u: np.ndarray, x: np.ndarray, R: np.ndarray, t: float
) -> np.ndarray:
    size = max(1.0, float(np.max(np.abs(x), initial=0.0)))
    best = np.inf
    for _ in range(ROUNDS):
        at = minimal.motion(u)
        off = np.hstack([x - at.x, _turns_between(at.R, R)])
        error = float(np.max(np.abs(off), initial=0.0))
        if error <= 1e-14 * size or (error <= TOLERANCE * size and error >= 0.5 * best):
            return u
        best = min(best, error)
        step = _solved(np.concatenate([*minimal.jacobians(u)]), off.reshape(-1))
        u = _moved(minimal, u, step * min(1.0, LARGEST_STEP / max(float(np.max(np.abs(step))), 1e-300)))
    raise ValueError(
        f"the bodies are not where minimal coordinates could put them at t = {t:g} s: {best:.2g} m or rad remain"
    )


def _turns_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Rotation vectors (bodies, 3) from one set of axes (bodies, 3, 3) to another."""
    e = [euler_parameters(R) for R in second @ first.swapaxes(1, 2)]
    return rotation_vectors(np.array(e).reshape(-1, 4))


def _moved(minimal: MinimalCoordinates, u: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Coordinates after a small motion; ball joints turn in their carriers' axes."""
    scalars = minimal.reduction.scalars
    out = np.array(u)
    out[:scalars] += step[:scalars]
    for b, turn in enumerate(step[scalars:].reshape(-1, 3)):
        place = slice(scalars + 4 * b, scalars + 4 * b + 4)
        out[place] = euler_parameters(rotation_matrices(exponential(turn)) @ rotation_matrices(out[place]))
    return out


def _solved(J: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(J, right, rcond=None)[0]
