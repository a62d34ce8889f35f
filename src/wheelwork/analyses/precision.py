"""Light bodies between heavy ones, and bodies with next to no inertia on long arms: where the equations in absolute
coordinates run out of digits, and a warning there.

Multipliers come from S = G M^-1 G^T. A light link held by several joints makes rows of S nearly equal, whatever the
joints: scaled to a unit diagonal, the least eigenvalue of S that the geometry does not make zero falls with the ratio
of the masses, or its square. So does a moment of inertia J that is small against m a^2, with the arm a of a joint: at
some positions the least eigenvalue is J / (m a^2). Round-off relative to it is what is wrong in accelerations and
reactions. The engine works with S as it is there (``engine/core/schur.hpp``) and has four digits at 1e-12.
"""

from __future__ import annotations

import numpy as np

from wheelwork.problems import warn
from wheelwork.system.matrices import bilateral_rows, full_jacobian, rank_of
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR

from .prepare import Prepared
from .rank import scaled_jacobian

SUSPICIOUS = 1e4  # ratio of masses from which on it is worth a look
LEAST = 1e-12  # eigenvalue


class PrecisionWarning(UserWarning):
    """Results have few right digits, or none."""


def warn_of_lost_precision(prepared: Prepared, t: float, state: np.ndarray) -> bool:
    """Warn where masses, or inertia and arms, are too far apart for absolute coordinates; whether it did."""
    program, engine, mass = prepared.program, prepared.engine, prepared.numbers.mass
    held = sorted({body for use in program.constraints for body in use.bodies if body >= 0})
    if not held:
        return False
    G = engine.constraints(t, state)[1]
    arm = _arms(program, G)
    inertia = np.linalg.eigvalsh(prepared.numbers.inertia)[:, 0]
    if program.space is PLANAR:
        inertia = prepared.numbers.inertia[:, 2, 2]
    thin = max(held, key=lambda k: mass[k] * arm[k] ** 2 / inertia[k])
    too_thin = bool(inertia[thin] < LEAST * mass[thin] * arm[thin] ** 2)
    if too_thin:
        warn(
            f"the inertia of `{program.bodies[thin]}` ({inertia[thin]:.3g} kg m^2) is so small beside its mass on the "
            f"arm of its joint ({mass[thin]:.3g} kg, {arm[thin]:.3g} m) that reactions may be wrong: give it a "
            f"realistic inertia, {LEAST * mass[thin] * arm[thin] ** 2:.1g} kg m^2 or more",
            PrecisionWarning,
        )
    if mass[held].max() < SUSPICIOUS * mass[held].min():
        return too_thin
    rows = full_jacobian(program, G)[bilateral_rows(program)]
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    rank = rank_of(rows / np.where(length > 0, length, 1.0))
    values = np.linalg.svd(scaled_jacobian(engine, t, state), compute_uv=False)
    if rank == 0 or values[rank - 1] ** 2 > LEAST:
        return too_thin
    lightest, heaviest = (min(held, key=lambda k: sign * mass[k]) for sign in (1, -1))
    light, heavy = (f"`{program.bodies[k]}` ({mass[k]:.3g} kg)" for k in (lightest, heaviest))
    warn(
        f"{light} is so light beside {heavy} that accelerations and reactions in absolute coordinates may be wrong: "
        "give it more mass, take a massless rod (`distance`, `revolute_revolute`), or `formulation: reduced`",
        PrecisionWarning,
    )
    return True


def _arms(program: Program, G: np.ndarray) -> np.ndarray:
    """(bodies,) The longest arm from each centre of mass at which a row holds the body, m."""
    space, arms = program.space, np.zeros(len(program.bodies))
    # a belt is a couple on its pulleys; what it pulls across the line of centres says nothing of an arm
    belts = {mesh.constraint for mesh in program.meshes if not mesh.geometry.mesh.wheels_touch}
    for index, use in enumerate(program.constraints):
        if index in belts:
            continue
        for body, block in use.blocks(G, space.V):
            if body < 0:
                continue
            linear, angular = np.split(space.raised(block), 2, axis=1)
            pull, turn = np.linalg.norm(linear, axis=1), np.linalg.norm(angular, axis=1)
            real = pull > 1e-9 * turn  # beyond that it is a couple, up to round-off
            arms[body] = max(arms[body], *(turn[real] / pull[real]), 0.0)
    return arms
