"""Linear equations of small motions at a moment, each body seen from axes that turn steadily.

With x the small motions of all bodies in world axes, exact at each moment (C, K: `tangent_matrices`; W = diag(0, w~)):

    M x'' + D x' + S x + G^T dlambda = 0,    G x = 0,    D = C - M W,    S = K - M W' - C W

Body k is seen from axes that turn at Omega_k: x = T z with T' = R T, T'' = R^2 T and R = diag(Omega_k~, Omega_k~). Only
the directions of these axes matter, not what they turn about. With z = N eta, G T N = 0, Z as in :mod:`.free_motions`,
and all of it at a moment at which T = 1:

    eta'' + Z^T (D + 2 M R) N eta' + Z^T (S + D R + M R^2) N eta = 0
    change of the velocities by eta, with eta' = 0:    (R - W) N eta

These have constant coefficients, and are then the whole truth, where T^T (M, D, S) T and the row space of G T do not
change (:mod:`.frames`). Where they do, they are those of the moment, with its T as 1 again and the turned basis T N.
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np
import scipy  # which loads its parts when they are used

from wheelwork.engine.engine import Engine
from wheelwork.lazy import dataclass
from wheelwork.system.attitude import exponential, rotation_matrices, skew

from .assemble import Assembled
from .far import with_turns
from .free_motions import free_motions
from .mesh_cycle import MeanTeeth, varying_meshes
from .prepare import Prepared
from .tangents import tangent_matrices, turning_frame

PARTS = 4
"""Steps of a turn: a small motion by |step| turns by 2 atan(|step|/2), which ends at half a turn."""


@dataclass(frozen=True)
class SmallMotions:
    """eta'' + C eta' + K eta = B z, z' = by_eta eta + own z in coordinates of unit mass, and what they are to the
    bodies."""

    basis: np.ndarray = field(repr=False)
    """N (V bodies, freedoms): displacement and rotation (world axes) of every body for each coordinate."""
    left: np.ndarray = field(repr=False)
    """Z, (V bodies, freedoms): what forces on the bodies do to eta'' is Z^T f."""
    C: np.ndarray
    """Damping and gyroscopic terms, (freedoms, freedoms), 1/s."""
    K: np.ndarray
    """Stiffness, (freedoms, freedoms), 1/s^2."""
    B: np.ndarray = field(repr=False)
    """d eta''/dz, (freedoms, states)."""
    by_eta: np.ndarray = field(repr=False)
    """dz'/d eta, (states, freedoms)."""
    own: np.ndarray = field(repr=False)
    """dz'/dz, (states, states)."""
    speeds: np.ndarray = field(repr=False)
    """(V bodies, freedoms): change of all velocities by eta while eta' is zero."""
    ways: np.ndarray = field(repr=False)
    """(V bodies, ways): as `basis`, for the path coordinates of rolling bodies (:mod:`.steady_rolling`); they are the
    last of the states z."""
    way_speeds: np.ndarray = field(repr=False)
    """(V bodies, ways): as `speeds`."""
    turning: np.ndarray = field(repr=False)
    """Angular velocity Omega (bodies, 3) of the axes from which each body is seen, rad/s; zero: axes of the world.
    Seen from axes that turn, what stays in the world turns: eigenvalues are then +- i times this speed."""


def small_motions(
    at: Assembled,
    turning: np.ndarray | None = None,
    basis: np.ndarray | None = None,
    teeth: MeanTeeth | None = None,
) -> SmallMotions:
    """The equations at a state, bodies seen from axes that turn at `turning` (bodies, 3); the world where left out.

    basis: the motions to use, where these are to be the same at several moments: `turned(at, turning, span) @ basis`.
    They have no unit mass then, if the masses change as seen from these axes. teeth: over their mesh cycle; None: as
    they stand.
    """
    C, K = tangent_matrices(at.motion, teeth)
    N, Z = free_motions(at, basis)
    M, W, W_rate = turning_frame(at)
    damping, stiffness, speeds = C - M @ W, K - M @ W_rate - C @ W, -W @ N
    if turning is None or not np.any(turning):
        turning = np.zeros((len(at.prepared.program.bodies), 3))
    else:
        R = of_bodies(at, [skew(w) for w in turning])
        stiffness = stiffness + damping @ R + M @ R @ R
        damping, speeds = damping + 2 * M @ R, R @ N + speeds
    if basis is not None:
        Z = np.linalg.solve(Z.T @ M @ N, Z.T).T
    size, n = N.shape
    none = np.zeros((size, 0))
    return SmallMotions(
        N,
        Z,
        Z.T @ damping @ N,
        Z.T @ stiffness @ N,
        np.zeros((n, 0)),
        np.zeros((0, n)),
        np.zeros((0, 0)),
        speeds,
        none,
        none,
        turning,
    )


def of_bodies(at: Assembled, blocks: list[np.ndarray]) -> np.ndarray:
    """For the velocities of all bodies: a block (3, 3) for each, that acts on displacements and rotations alike."""
    keep = list(at.prepared.program.space.velocities)
    return scipy.linalg.block_diag(*(np.kron(np.eye(2), block)[np.ix_(keep, keep)] for block in blocks))


def turned(at: Assembled, turning: np.ndarray, span: float) -> np.ndarray:
    """T (V bodies square) after a span [s] in which the axes of each body turn at `turning` (bodies, 3)."""
    return of_bodies(at, list(rotation_matrices(exponential(np.asarray(turning) * span))))


def carried(at: Assembled, span: float, turning: np.ndarray) -> Assembled:
    """The state of a steady motion after a span, without a run: as seen from its axes, a body stands, or turns on the
    spot at w - Omega.

    Teeth whose stiffness or error varies stand as they do now, so that those of another phase do not count as a change:
    of the mesh cycle there is the mean. Parameters that the engine follows are left as they are.
    """
    program, (v, w) = at.prepared.program, np.split(at.motion.v[0], 2, axis=1)
    state, keep = np.array(at.state), list(program.space.velocities)
    turn = rotation_matrices(exponential(turning * span))
    shift = np.array([_shift(*each, span) for each in zip(turn, turning, v, strict=True)])
    for rate, move in ((w - turning, np.zeros_like(v)), (turning, shift)):
        angle = rate * span / PARTS
        size = np.linalg.norm(angle, axis=1, keepdims=True)
        if program.space.V == 6:
            angle = angle * np.tan(size / 2) / np.maximum(size / 2, 1e-300)
        for _ in range(PARTS):
            state = program.displaced(state, np.hstack([move / PARTS, angle])[:, keep].ravel())
            state = with_turns(program, at.prepared.numbers.data, state)
    velocities = np.hstack([np.einsum("kij,kj->ki", turn, one) for one in (v, w)])
    state[program.nq : program.nq + program.nv] = velocities[:, keep].ravel()
    return Assembled(_with_same_teeth(at, span), state, at.misfits, at.t + span)


def _with_same_teeth(at: Assembled, span: float) -> Prepared:
    """With the phases of meshes set back by what they go on in a span."""
    prepared, meshes = at.prepared, list(varying_meshes(at.motion, errors=True))
    if not meshes:
        return prepared
    data = np.array(prepared.numbers.data)
    for mesh in meshes:
        data[mesh.use.data + mesh.place] -= mesh.rate * span
    numbers = replace(prepared.numbers, data=data)
    engine = Engine(prepared.program, numbers, prepared.engine.implicit)
    return replace(prepared, numbers=numbers, engine=engine)


def _shift(turn: np.ndarray, w: np.ndarray, v: np.ndarray, span: float) -> np.ndarray:
    """Way of a point that has the velocity v on a circle, or a screw, about an axis that turns at w."""
    square = float(w @ w)
    if not square:
        return v * span
    return ((turn - np.eye(3)) @ np.cross(v, w) + w * (w @ v) * span) / square
