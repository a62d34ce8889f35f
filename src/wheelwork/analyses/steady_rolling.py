"""Small motions about steady rolling: where rows hold speeds without positions (nonholonomic).

Small changes x of the positions obey the rows of positions alone, those of the speeds all rows, which x turns:

    G_p x = 0,        G dv + d(G v)/dx x = 0

With N = (N_s, N_r) of unit mass, N_s the motions that all rows leave free, and N_r what else the rows of positions do
(ways that rolling leads to in the end: sideways, by steering), x = N_s eta + N_r zeta. Where the rows turn off the
speeds, P x is the least change of these that brings them back (N_s^T M P = 0), so that dv = N_s sigma + P x. A body
that turns at w has theta' = dw + w x theta (W, see `linearise`). Seen from a frame in which the motion is steady, which
turns at Omega (R = diag(Omega~) for all vectors), everything but eta, sigma, zeta stays as it is:

    eta'  = sigma + E_s (eta, zeta),    zeta' = E_r (eta, zeta),    E = N^T M (P + W - R) N
    Z^T (M (dv)' + C dv + K x) = 0,     (dv)' = R dv + N_s sigma' + P N (eta', zeta')

sigma is eliminated, so that these are  eta'' + C' eta' + K' eta = B zeta,  zeta' = F_eta eta + F_zeta zeta. Omega
follows from the accelerations, a = Omega x v for every body; for straight rolling it is zero. Whether the motion is
steady is seen in the equations themselves: when the fastest body has turned by 1 rad they must be the same, turned by
Omega.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wheelwork.description import ModelError
from wheelwork.problems import warn
from wheelwork.system.attitude import skew
from wheelwork.system.matrices import bilateral_rows, full_jacobian, inverse_root_mass

from .assemble import Assembled
from .free_motions import RANK, free_motions, ways
from .kinks import OperatingPointWarning
from .mesh_cycle import mesh_cycle
from .small_motions import SmallMotions, of_bodies, turned
from .state_matrix import state_matrix
from .tangents import speeds_by_position, tangent_matrices, turning_frame

STEADY = 1e-4
"""Part by which the equations may change while the fastest body turns by 1 rad: a motion that has settled."""
NEARLY = 0.01
"""Up to which they are taken as they are, with a warning: a cage that is not quite a body of revolution."""


def rolls_on(at: Assembled) -> bool:
    """Whether rows of speeds hold, and something moves."""
    program = at.prepared.program
    v = at.state[program.nq : program.nq + program.nv]
    held = all(use.holonomic for use in program.constraints)
    return not held and bool(np.max(np.abs(v), initial=0.0) > 1e-9)


def about_steady_rolling(at: Assembled, point: Assembled, at_phase: float | None = None) -> SmallMotions:
    """The equations about a state; ModelError where its motion is not steady.

    point: the same as it moves on, where `at` has what is closed as joints
    """
    end, tau = run_on(point)
    later = replace(end, prepared=at.prepared)
    found: list[tuple[float, SmallMotions]] = []
    for Omega in turning_with(at):
        now, then = _small_motions(at, Omega, at_phase), _small_motions(later, Omega, at_phase)
        T = np.kron(np.eye(2), turned(at, now.turning, tau))
        before, after = _whole(at, now, tau), T.T @ _whole(later, then, tau) @ T
        found.append((float(np.linalg.norm(after - before) / max(np.linalg.norm(before), 1.0)), now))
        if found[-1][0] <= STEADY:
            return now
    change, nearest = min(found, key=lambda one: one[0])
    text = f"change by {100 * change:.2g} % while the fastest body turns by 1 rad"
    if change > NEARLY:
        raise _unsteady(at, text)
    warn(
        f"the linear equations about this rolling motion {text}; they are taken as they are now, and motions that are "
        "as slow as that change are not valid",
        OperatingPointWarning,
    )
    return nearest


def seen_later(at: Assembled, turning: np.ndarray) -> tuple[Assembled, np.ndarray]:
    """A steady motion after its fastest body has turned by 1 rad, and how the frame that turns with it has turned
    all vectors of the bodies until then.
    """
    later, tau = run_on(at)
    return later, turned(at, turning, tau)


def _small_motions(at: Assembled, Omega: np.ndarray, at_phase: float | None) -> SmallMotions:
    """Omega: of the frame from which the motion is steady."""
    turning = np.tile(Omega, (len(at.prepared.program.bodies), 1))
    R = of_bodies(at, [skew(w) for w in turning])
    Ns, Z = free_motions(at)
    M, W, _ = turning_frame(at)
    C, K = tangent_matrices(at.motion, mesh_cycle(at, at_phase))
    Nr = ways(at, Ns)
    N, n = np.hstack([Ns, Nr]), Ns.shape[1]
    P = _back_on_rows(at)
    E = N.T @ M @ (P + W - R) @ N
    Es, F = E[:n], E[n:]
    U = P @ N - Ns @ Es  # change of the speeds by (eta, zeta), eta' held
    drag = Z.T @ (M @ R + C)
    stiff = drag @ U + Z.T @ K @ N + (Z.T @ M @ P @ Nr - Es[:, n:]) @ F
    damping = drag @ Ns + Z.T @ M @ P @ Ns - Es[:, :n]
    parts = damping, stiff[:, :n], -stiff[:, n:], F[:, :n], F[:, n:]
    return SmallMotions(Ns, Z, *parts, U[:, :n], Nr, U[:, n:], turning)


def _back_on_rows(at: Assembled) -> np.ndarray:
    """P: the least change of speeds, in the metric of the mass, that brings them back onto the rows."""
    program = at.prepared.program
    root = inverse_root_mass(program, at.prepared.numbers, at.state)
    rows = bilateral_rows(program)
    G = full_jacobian(program, at.prepared.engine.constraints(at.t, at.state)[1])[rows]
    scaled = G @ root
    length = np.linalg.norm(scaled, axis=1)
    length = np.where(length > 0, length, 1.0)[:, None]
    moved = speeds_by_position(at.motion)[rows] / length
    return -root @ np.linalg.pinv(scaled / length, rcond=RANK) @ moved


# -- whether the motion is steady


def turning_with(at: Assembled) -> Iterator[np.ndarray]:
    """Angular velocities of frames from which the motion may be steady: a = Omega x v of every body.

    Where this leaves Omega open along some direction, it may turn as one of the bodies does.
    """
    motion, numbers = at.motion, at.prepared.numbers
    v, a, R = motion.v[0], motion.a[0], motion.R[0]
    J = R @ numbers.inertia @ R.swapaxes(1, 2)
    rows, right = [], []
    for k in range(len(v)):
        values, vectors = np.linalg.eigh(J[k])
        turning = (vectors * np.sqrt(values)) @ vectors.T
        for weight, part in ((np.sqrt(numbers.mass[k]) * np.eye(3), slice(3)), (turning, slice(3, 6))):
            rows.append(-weight @ skew(v[k, part]))
            right.append(weight @ a[k, part])
    matrix = np.vstack(rows)
    if at.prepared.program.space.V == 3:  # in the plane
        matrix[:, :2] = 0.0
    least = np.linalg.lstsq(matrix, np.concatenate(right), rcond=RANK)[0]
    if np.linalg.norm(least) < RANK * np.linalg.norm(v[:, 3:], axis=1).max(initial=0.0):
        least[:] = 0.0
    yield least
    _, values, vectors = np.linalg.svd(matrix)
    padded = np.concatenate([values, np.zeros(3 - len(values))])
    open_ = vectors[padded <= RANK * max(values[0], 1e-300)]
    for w in v[:, 3:]:
        along = open_.T @ (open_ @ (w - least))
        if np.linalg.norm(along) > 1e-9 * np.linalg.norm(w):
            yield least + along


def run_on(at: Assembled) -> tuple[Assembled, float]:
    """The motion after the fastest body has turned by 1 rad; 1 s later where none turns."""
    w = float(np.linalg.norm(at.motion.v[0, :, 3:], axis=1).max(initial=0.0))
    tau = 1 / w if w > 1e-9 else 1.0
    fault = "what follows the operating point cannot be simulated, so that it is not steady"
    (state,) = at.run_on(np.array([at.t + tau]), fault, rtol=1e-10, atol=1e-12)
    return replace(at, state=state, t=at.t + tau), tau


def _whole(at: Assembled, small: SmallMotions, tau: float) -> np.ndarray:
    """The state matrix as what it does to positions and speeds of all bodies, which no basis is part of: in the metric
    of the mass, with times in units of tau.
    """
    root = inverse_root_mass(at.prepared.program, at.prepared.numbers, at.state)
    parts = small.basis, small.ways, small.speeds, small.way_speeds
    Ns, Nr, U, V = (np.linalg.solve(root, part) for part in parts)
    A = state_matrix(small.C, small.K, (small.B, small.by_eta, np.zeros_like(small.by_eta), small.own))
    T = np.block([[Ns, np.zeros_like(Ns), Nr], [tau * U, tau * Ns, tau * V]])
    return tau * T @ A @ np.linalg.pinv(T)


def _unsteady(at: Assembled, change: str) -> ModelError:
    use = next(use for use in at.prepared.program.constraints if not use.holonomic)
    text = (
        "constrains speeds, not positions (nonholonomic), and the motion about which linear equations are asked is not "
        f"steady: they {change}"
    )
    hint = "linearise about rest, a motion that is steady in a turning frame, or `settle`; `simulate` has any motion"
    return ModelError(text, use.where, use.path or use.name, hint)
