"""How forces, inertia and loaded constraints change with small motions of the bodies, element by element.

    C = -df/dv,    K = d(M a + G^T lambda - f)/dx        with a, v and lambda held, x small motions in world axes

All derivatives are exact (differentiated expressions). Linear equations and equilibria are made of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.attitude import skew
from wheelwork.system.matrices import mass_matrix
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintKind, MeshUse

from .assemble import Assembled
from .mesh_cycle import MeanTeeth


def separating_gains(motion: Motion) -> np.ndarray:
    """ds/dlambda (V bodies, rows): by how much teeth push their wheels apart for a unit of their multipliers."""
    program = motion.program
    V, out = program.space.V, np.zeros((program.nv, program.rows))
    for mesh in program.meshes:
        use = program.constraints[mesh.constraint]
        _, by_force = _separating(motion, mesh)
        for side, body in enumerate((use.a, use.b)):
            if body >= 0:
                out[V * body : V * (body + 1), use.first_row] += by_force[V * side : V * (side + 1), 0]
    return out


def _separating(motion: Motion, mesh: MeshUse) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the separating wrenches of a mesh by small motions of its wheels and by the tooth force."""
    use = motion.program.constraints[mesh.constraint]
    arguments = [
        *motion.constraint_arguments(mesh.constraint)[:3],
        motion.multipliers[:1, use.first_row, None].T,
    ]
    found = evaluate(mesh.kernel.separating_jacobian, arguments)
    return found[0][:, :, 0], found[1].reshape(-1, 1)


def turning_frame(at: Assembled) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, and W = diag(0, w~) with its rate diag(0, alpha~) for each body.

    A small rotation theta of a body that turns at w changes its angular velocity by theta' - w x theta, not by
    theta' alone.
    """
    program, numbers, motion = at.prepared.program, at.prepared.numbers, at.motion
    W, W_rate = np.zeros((program.nv, program.nv)), np.zeros((program.nv, program.nv))
    for k in range(len(program.bodies)):
        _add_turning(program, W, k, skew(motion.v[0, k, 3:]))
        _add_turning(program, W_rate, k, skew(motion.a[0, k, 3:]))
    return mass_matrix(program, numbers, at.state), W, W_rate


def _add_turning(program: Program, matrix: np.ndarray, body: int, block: np.ndarray) -> None:
    """Add a block (3, 3) that acts on a body's rotation; in the plane only its zz entry counts."""
    V, angular = program.space.V, [k - 3 for k in program.space.velocities if k >= 3]
    last = slice(V * (body + 1) - len(angular), V * (body + 1))
    matrix[last, last] += block[np.ix_(angular, angular)]


@dataclass(frozen=True)
class TangentPart:
    """What one element adds to C and K: entries at `rows` and `columns` of the velocities of all bodies."""

    element: str
    """Name of the force, joint, mesh or driver; empty for the inertia of bodies that turn."""
    load: bool
    """Stiffness that comes from the load alone: of joints under reactions, of bodies in motion."""
    rows: np.ndarray
    columns: np.ndarray
    C: np.ndarray
    K: np.ndarray


def tangent_matrices(motion: Motion, teeth: MeanTeeth | None = None) -> tuple[np.ndarray, np.ndarray]:
    """C = -df/dv and K = d(M a + G^T lambda - f)/d(small motion), for all bodies (V bodies square), at a
    motion of one moment; teeth: over their mesh cycle, else as they stand.
    """
    size = motion.program.nv
    C, K = np.zeros((size, size)), np.zeros((size, size))
    for part in tangent_parts(motion, teeth):
        where = np.ix_(part.rows, part.columns)
        np.add.at(C, where, part.C)  # a body may occur twice in one element
        np.add.at(K, where, part.K)
    return C, K


def tangent_parts(motion: Motion, teeth: MeanTeeth | None = None) -> Iterator[TangentPart]:
    """The same, element by element."""
    program, numbers = motion.program, motion.numbers
    V, teeth = program.space.V, teeth or MeanTeeth()

    for k in range(len(program.bodies)):
        R = motion.R[0, k]
        J, w, alpha = R @ numbers.inertia[k] @ R.T, motion.v[0, k, 3:], motion.a[0, k, 3:]
        W, turning = skew(w), J @ skew(w) - skew(J @ w)
        C, K, own = np.zeros((V, V)), np.zeros((V, V)), _entries(V, [k])
        _add_turning(program, C, 0, W @ J - skew(J @ w))
        _add_turning(program, K, 0, J @ skew(alpha) - skew(J @ alpha) + W @ turning)
        yield TangentPart("", True, own, own, C, K)
    for index, use in enumerate(program.forces):
        acting, seen, by_x, by_v = force_blocks(program, index, teeth.jacobian(motion, index))
        if len(acting) and len(seen):
            yield TangentPart(use.name, False, acting, seen, -by_v, -by_x)
    for index, use in enumerate(program.constraints):
        if use.kind is not ConstraintKind.BILATERAL:
            continue
        stiffness = _of_rows(motion, index, motion.multipliers[0, use.first_row : use.first_row + use.rows])
        sides = [i for i, body in enumerate(use.bodies) if body >= 0]
        if sides:
            inner, outer = _entries(V, sides), _entries(V, [use.bodies[i] for i in sides])
            K = stiffness[np.ix_(inner, inner)]
            yield TangentPart(use.name, True, outer, outer, np.zeros_like(K), K)

    for mesh in program.meshes:
        use = program.constraints[mesh.constraint]
        sides = [i for i, body in enumerate(use.bodies) if body >= 0]
        moved, _ = _separating(motion, mesh)
        if sides and np.any(moved):
            inner, outer = _entries(V, sides), _entries(V, [use.bodies[i] for i in sides])
            K = -moved[np.ix_(inner, inner)]
            yield TangentPart(use.name, True, outer, outer, np.zeros_like(K), K)


def _entries(V: int, bodies: Sequence[int]) -> np.ndarray:
    """Of the velocities of some bodies among those of all."""
    return np.concatenate([np.zeros(0, int), *(np.arange(V * body, V * (body + 1)) for body in bodies)])


def force_blocks(
    program: Program, index: int, derivative: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where in the velocities of all bodies a force acts, where it looks, and the derivatives of the one by small
    motions and by twists of the other, (acting, seen, ...), from those of its kernel."""
    use, V = program.forces[index], program.space.V
    acting = [i for i in range(use.kernel.acting) if use.bodies[i] >= 0]
    seen = [j for j, body in enumerate(use.bodies) if body >= 0]
    columns = _entries(2 * V, seen).reshape(-1, 2, V)
    by_x, by_v = (derivative[np.ix_(_entries(V, acting), columns[:, k].ravel())] for k in (0, 1))
    rows, places = ([use.bodies[i] for i in own] for own in (acting, seen))
    return _entries(V, rows), _entries(V, places), by_x, by_v


def _of_rows(motion: Motion, index: int, multipliers: np.ndarray) -> np.ndarray:
    """d(G^T lambda)/dx of one constraint, for its bodies (V bodies square)."""
    program = motion.program
    use, size = program.constraints[index], program.space.V * len(program.constraints[index].bodies)
    padded = np.zeros((program.space.lanes, 1))
    padded[: use.rows, 0] = multipliers
    arguments = [*motion.constraint_arguments(index), padded, np.zeros((size, 1))]
    return evaluate(use.kernel.jacobian, arguments)[0][:, :, 0]


def speeds_by_position(motion: Motion) -> np.ndarray:
    """d(G v)/dx (rows, V bodies), v held: by how much small motions turn the rows off the speeds."""
    program, V = motion.program, motion.program.space.V
    out = np.zeros((program.rows, program.nv))
    v = motion.v[0][:, list(program.space.velocities)]
    for index, use in enumerate(program.constraints):
        if use.kind is not ConstraintKind.BILATERAL:
            continue
        own = np.concatenate([v[body] if body >= 0 else np.zeros(V) for body in use.bodies])
        for row in range(use.rows):
            moved = own @ _of_rows(motion, index, np.eye(use.rows)[row])
            for side, body in enumerate(use.bodies):
                if body >= 0:
                    out[use.first_row + row, V * body : V * (body + 1)] += moved[V * side : V * (side + 1)]
    return out
