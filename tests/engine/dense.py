"""The equations of motion written out once more: kernels by CasADi itself, dense matrices by NumPy."""

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.program import Numbers, Program
from wheelwork.system.space import PLANAR
from wheelwork.system.uses import ConstraintKind


def motion_at(program: Program, numbers: Numbers, t: float, y: np.ndarray) -> Motion:
    nothing = np.zeros((1, 0))
    return Motion(program, numbers, np.array([t]), y[None], nothing, nothing, nothing)


def dense_constraints(program: Program, numbers: Numbers, t: float, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """g, G (rows x V for each body that a constraint touches), gamma, nu by CasADi."""
    motion = motion_at(program, numbers, t, y)
    width = program.space.V * max((len(use.bodies) for use in program.constraints), default=2)
    parts = [(np.zeros(0), np.zeros((0, width)), np.zeros(0), np.zeros(0))]
    for k, use in enumerate(program.constraints):
        g, *sides, gamma, nu = (
            np.array(p)[: use.rows] for p in use.kernel.full.call(motion.constraint_arguments(k))
        )
        rows = np.hstack(sides)
        rows = np.pad(rows, ((0, 0), (0, width - rows.shape[1])))
        parts.append((g[:, 0], rows, gamma[:, 0], nu[:, 0]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def dense_system(program: Program, numbers: Numbers, t: float, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """M, f, G, gamma of [M G^T; G 0][a; lambda] = [f; gamma]."""
    motion, planar = motion_at(program, numbers, t, y), program.space is PLANAR
    count, V = len(program.bodies), program.space.V
    M, f = np.zeros((V * count, V * count)), np.zeros(V * count)
    for k in range(count):
        own, R, w = slice(V * k, V * k + V), motion.R[0, k], motion.v[0, k, 3:]
        J, weight = R @ numbers.inertia[k] @ R.T, numbers.mass[k] * numbers.gravity[k]
        if planar:
            M[own, own], f[own] = np.diag([numbers.mass[k]] * 2 + [J[2, 2]]), [*weight[:2], 0.0]
        else:
            M[own, own] = np.block([[numbers.mass[k] * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), J]])
            f[own] = [*weight, *-np.cross(w, J @ w)]
    for k, use in enumerate(program.forces):
        wrenches = np.array(use.kernel.wrench.call(motion.force_arguments(k))[0]).reshape(-1, V)
        for body, wrench in zip(use.bodies, wrenches, strict=False):
            if body >= 0:
                f[V * body : V * body + V] += wrench
    _, rows, gamma, _ = dense_constraints(program, numbers, t, y)
    jacobian = np.zeros((program.rows, V * count))
    for use in program.constraints:
        assert use.kind is ConstraintKind.BILATERAL
        span = slice(use.first_row, use.first_row + use.rows)
        for side, body in enumerate(use.bodies):
            if body >= 0:
                jacobian[span, V * body : V * body + V] += rows[span, V * side : V * side + V]
    return M, f, jacobian, gamma


def dense_solution(program: Program, numbers: Numbers, t: float, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """a and the multipliers of least norm."""
    M, f, G, gamma = dense_system(program, numbers, t, y)
    inverse = np.linalg.inv(M)
    multipliers, *_ = np.linalg.lstsq(G @ inverse @ G.T, G @ inverse @ f - gamma, rcond=1e-10)
    return inverse @ (f - G.T @ multipliers), multipliers
