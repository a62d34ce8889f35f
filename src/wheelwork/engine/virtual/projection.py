"""Onto the constraints by the shortest way in the metric of the kinetic energy: along M^-1 G^T."""

from __future__ import annotations

import numpy as np

from .system import System

ROUND_OFF = 1e-15


def largest_residual(system: System) -> tuple[float, int]:
    """Largest residual of the position constraints that hold, and the constraint it is in (-1: all are met)."""
    counted = np.where(system.active & system.of_position, np.abs(system.g), 0.0)
    if not counted.any():
        return 0.0, -1
    row = int(np.argmax(counted))  # the first NaN, if there is one
    return float(counted[row]), int(system.constraint_of_row[row])


def project_position(
    system: System, t: float, y: np.ndarray, tolerance: float, iterations: int, renew: bool
) -> tuple[np.ndarray, bool]:
    """Newton's method for g = 0, with the inverse of S at hand or, if `renew`, a new one in every round."""
    system.inputs.evaluate(t)
    for round_ in range(iterations):
        system.place(y)
        y = system.settled(y)
        if renew:
            system.evaluate_constraints("full")
            system.assemble()
        else:
            system.evaluate_constraints("residual")
        size, _ = largest_residual(system)
        # one correction in any case: what is left below the tolerance would add up over steps
        if size <= (tolerance if round_ else ROUND_OFF):
            return y, True
        if not size < 1e300:
            return y, False
        right = np.where(system.active & system.of_position, system.g, 0.0)
        # as ``runtime/system.hpp`` does it: where rows contradict each other, which way it goes depends on it
        y = system.moved(y, -system.over_mass(system.transposed(system.factor.solve(right, once=True))))
    system.place(y)
    system.evaluate_constraints("residual")
    return y, largest_residual(system)[0] <= tolerance


def correct_velocity(system: System, y: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Take `change` from G v of the active rows; the new state, and the impulses that do it.

    Needs the system prepared at y, and leaves the frames with the new velocities.
    """
    if system.penalised:  # the balance of momentum is exact, whatever the accelerations are made with
        system.penalised = False
        system.factor.factorise()
    impulses = system.factor.solve(np.where(system.active, change, 0.0))
    y = y.copy()
    y[system.nq : system.nq + system.nv] -= system.over_mass(system.transposed(impulses))[:-1].ravel()
    system.place(y)
    return y, impulses


def project_velocity(system: System, y: np.ndarray) -> np.ndarray:
    """The velocities brought onto G v = nu; needs the system prepared at y."""
    return correct_velocity(system, y, system.speeds())[0]


def derivative_on_manifold(system: System, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The state with its velocities on G v = nu, and its derivative."""
    system.prepare(t, y)
    y = project_velocity(system, y)
    system.evaluate_constraints("gamma")
    if system.stabilisation.method == "augmented_lagrangian":
        system.assemble()
    return system.settled(y), system.finish(t, y)
