"""Light bodies between heavy ones: where the equations in absolute coordinates run out of digits, and a warning there.

Multipliers come from S = G M^-1 G^T. A light link held by several joints makes rows of S nearly equal, whatever the
joints: scaled to a unit diagonal, the least eigenvalue of S that the geometry does not make zero falls with the ratio
of the masses, or its square. Round-off relative to it is what is wrong in accelerations and reactions. Below 1e-8 the
runtime cannot tell such rows from redundant ones (``kernel/runtime/schur.hpp``).
"""

from __future__ import annotations

import warnings

import numpy as np

from .prepare import Prepared
from .rank import bilateral_rows, full_jacobian, rank_of, scaled_jacobian

SUSPICIOUS = 1e4  # ratio of masses from which on it is worth a look
LEAST = 1e-8  # eigenvalue


class PrecisionWarning(UserWarning):
    """Results have few right digits, or none."""


def warn_of_unlike_masses(prepared: Prepared, t: float, state: np.ndarray) -> None:
    """Say so where masses are too far apart for absolute coordinates."""
    program, engine, mass = prepared.program, prepared.engine, prepared.numbers.mass
    held = {body for use in program.constraints for body in (use.a, use.b) if body >= 0}
    if not held or mass[list(held)].max() < SUSPICIOUS * mass[list(held)].min():
        return
    rows = full_jacobian(program, engine.constraints(t, state)[1])[bilateral_rows(program)]
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    rank = rank_of(rows / np.where(length > 0, length, 1.0))
    values = np.linalg.svd(scaled_jacobian(engine, t, state), compute_uv=False)
    if rank == 0 or values[rank - 1] ** 2 > LEAST:
        return
    lightest, heaviest = (min(held, key=lambda k: sign * mass[k]) for sign in (1, -1))
    light, heavy = (f"`{program.bodies[k]}` ({mass[k]:.3g} kg)" for k in (lightest, heaviest))
    warnings.warn(
        f"{light} is so light beside {heavy} that accelerations and reactions in absolute coordinates may be wrong: "
        "give it more mass, take a massless rod (`distance`, `revolute_revolute`), or `formulation: reduced`",
        PrecisionWarning,
        stacklevel=4,
    )
