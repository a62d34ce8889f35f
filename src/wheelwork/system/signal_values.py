"""What signals are computed from: motion and multipliers, constraint by constraint, and sums over the mechanism."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .motion import Motion
from .space import PLANAR
from .uses import ConstraintKind

Side = Literal["a", "b"]
Axes = Literal["world", "body", "joint"]


def slide(m: Motion, constraint: int) -> tuple[np.ndarray, np.ndarray]:
    """Displacement of b along the joint's axis in a, and its rate: z of the joint frame, x in the plane."""
    use = m.program.constraints[constraint]
    markers = m.numbers.data[use.data : use.data + 24]
    a, b = m.frames[:, use.a], m.frames[:, use.b]
    Ra, Rb = a[:, 3:12].reshape(-1, 3, 3), b[:, 3:12].reshape(-1, 3, 3)
    sa, sb = Ra @ markers[0:3], Rb @ markers[12:15]
    z = (Ra @ markers[3:12].reshape(3, 3))[:, :, 0 if m.program.space is PLANAR else 2]
    d = b[:, :3] + sb - a[:, :3] - sa
    rate = b[:, 12:15] + np.cross(b[:, 15:18], sb) - a[:, 12:15] - np.cross(a[:, 15:18], sa)
    return np.sum(z * d, axis=1), np.sum(z * rate + np.cross(a[:, 15:18], z) * d, axis=1)


def jacobian(m: Motion, constraint: int) -> list[np.ndarray]:
    """g, G of each body, gamma, nu over time."""
    return m.once(
        ("jacobian", constraint),
        lambda: m.evaluate(m.program.constraints[constraint].kernel.full, m.constraint_arguments(constraint)),
    )


def speed_along(m: Motion, constraint: int) -> np.ndarray:
    """Rate of what the first row of a constraint holds."""
    use = m.program.constraints[constraint]
    twist = m.records[:, :, m.program.space.twist :]
    parts = (np.einsum("cn,nc->n", G[0], twist[:, body]) for body, G in use.by_body(jacobian(m, constraint)))
    return sum(parts, np.zeros(m.count))


def reaction(
    m: Motion, constraint: int, side: Side = "b", axes: Axes = "world"
) -> tuple[np.ndarray, np.ndarray]:
    """Force [N] and torque [N m] of a joint on one of its bodies, (N, 3) each; the torque about the joint point there.

    The wrench of the constraint on the body is -G^T lambda, about the centre of mass; -s x F moves it to the point at s
    from there.
    """
    use = m.program.constraints[constraint]
    _, Ga, Gb, *_ = jacobian(m, constraint)
    G, body, marker = (Ga, use.a, use.data) if side == "a" else (Gb, use.b, use.data + 12)
    multipliers = m.multipliers[:, use.first_row : use.first_row + use.rows]
    wrench = m.program.space.raised(-np.einsum("rcn,nr->nc", G[: use.rows], multipliers))
    R = m.frames[:, body, 3:12].reshape(-1, 3, 3)
    point, own = m.numbers.marker(marker)
    arm = R @ point
    force, torque = wrench[:, :3], wrench[:, 3:] - np.cross(arm, wrench[:, :3])
    if axes == "joint":
        R = R @ own
    if axes != "world":
        force, torque = (np.einsum("nij,ni->nj", R, vector) for vector in (force, torque))
    return force, torque


def residual(m: Motion, constraint: int) -> np.ndarray:
    return m.largest(jacobian(m, constraint)[0])


def residual_rates(m: Motion, constraint: int) -> np.ndarray:
    """G v - nu of each row."""
    use, twist = m.program.constraints[constraint], m.program.space.twist
    full = jacobian(m, constraint)
    return sum(
        (np.einsum("rcn,nc->rn", G, m.records[:, body, twist:]) for body, G in use.by_body(full)), -full[-1]
    )


def driver_power(m: Motion, constraint: int) -> np.ndarray:
    use = m.program.constraints[constraint]
    return -m.multipliers[:, use.first_row] * m.inputs[:, use.input, 1]


def force_signals(m: Motion, force: int) -> np.ndarray:
    """Potential energy and signals of a force, one row each."""
    return m.once(
        ("force", force),
        lambda: m.evaluate(m.program.forces[force].kernel.signals, m.force_arguments(force))[0],
    )


def mesh_signals(m: Motion, mesh: int) -> np.ndarray:
    """Tooth forces and speeds of a mesh, one row each."""
    use = m.program.meshes[mesh]
    a, b, data, *_ = m.constraint_arguments(use.constraint)
    force = m.multipliers[:, m.program.constraints[use.constraint].first_row]
    losses = [k for k, f in enumerate(m.program.frictions) if f.load is None and f.joint == use.constraint]
    friction = m.friction[:, losses[0]] if losses else np.zeros_like(force)
    arguments = [a, b, data, force[None, :], friction[None, :]]
    return m.once(("mesh", mesh), lambda: m.evaluate(use.kernel.signals, arguments)[0])


def kinetic_energy(m: Motion) -> np.ndarray:
    w = np.einsum("nkji,nkj->nki", m.R, m.v[:, :, 3:])
    turning = np.einsum("nki,kij,nkj->n", w, m.numbers.inertia, w)
    return 0.5 * (np.einsum("k,nki,nki->n", m.numbers.mass, m.v[:, :, :3], m.v[:, :, :3]) + turning)


def potential_energy(m: Motion) -> np.ndarray:
    weight = -np.einsum("k,ki,nki->n", m.numbers.mass, m.numbers.gravity, m.x)
    return weight + sum((force_signals(m, k)[0] for k in range(len(m.program.forces))), np.zeros(m.count))


def momentum(m: Motion) -> tuple[np.ndarray, np.ndarray]:
    linear = m.numbers.mass[:, None] * m.v[:, :, :3]
    w = np.einsum("nkji,nkj->nki", m.R, m.v[:, :, 3:])
    spin = np.einsum("nkab,kbc,nkc->nka", m.R, m.numbers.inertia, w)
    return linear.sum(axis=1), (np.cross(m.x, linear) + spin).sum(axis=1)


def rms(m: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Root mean square residuals of joints and drivers, at position and velocity level."""
    return m.once("rms", lambda: _rms(m))


def _rms(m: Motion) -> tuple[np.ndarray, np.ndarray]:
    position, velocity = np.zeros((2, m.count), m.state.dtype)
    rows = 0
    for c, use in enumerate(m.program.constraints):
        if use.kind is not ConstraintKind.BILATERAL:
            continue
        position += np.sum(jacobian(m, c)[0] ** 2, axis=0)
        velocity += np.sum(residual_rates(m, c) ** 2, axis=0)
        rows += use.rows
    if not rows:
        return position, velocity
    return np.sqrt(position / rows), np.sqrt(velocity / rows)
