"""Linear equations of small motion about a state.

With a basis N of the motions that the constraints leave free (columns of length 1 in the metric of the mass
matrix), small motions N eta obey  M eta'' + C eta' + K eta = 0, where M = N^T M N = 1, C = -N^T (df/dv) N and K
= N^T (-df/dq + d(M a)/dq + d(G^T lambda)/dq) N: the last term is the stiffness that loaded joints have. All
derivatives are exact (differentiated expressions). Exact at rest, and in motion as long as the free directions
stay the same in the world (rotors on fixed axes); about other motions the coefficients would vary with time.

Ideal teeth press their wheels apart by a force s that grows with their multiplier, so that M a + G^T lambda = f +
s(lambda). Small changes of lambda follow from G a = 0: with B^T = G^T - ds/dlambda, forces act on eta through

    Z^T = N^T + N^T (ds/dlambda) (G M^-1 B^T)^+ G M^-1                                          (1)

in place of N^T. Z = N where bearings hold the wheels, as s then moves nothing.

States z of controllers and filters (:mod:`.control_states`) join the equations: eta'' has the further term
Z^T (df/dz) z, and z' = (dh/dq - dh/dv W) N eta + dh/dv N eta' + dh/dz z, with W of bodies that turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from wheelwork.description import Description
from wheelwork.lazy import dataclass
from wheelwork.system.matrices import bilateral_rows, full_jacobian, inverse_root_mass, mass_matrix
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.program import ConstraintKind, MeshUse, Program

from .assemble import Assembled, assembled
from .control_states import ControlStates, control_states
from .kinks import check_smooth
from .options import one_engine
from .prepare import prepare, refuse_speeds
from .rank import scaled_jacobian


@dataclass(frozen=True)
class Linearised:
    """Small motions about a state: eta'' + C eta' + K eta = 0 in coordinates of unit mass."""

    at: Assembled = field(repr=False)
    """The state about which it moves."""
    basis: np.ndarray = field(repr=False)
    """(V bodies, freedoms): displacement and rotation (world axes) of every body for each coordinate."""
    C: np.ndarray
    """Damping and gyroscopic terms, (freedoms, freedoms), 1/s."""
    K: np.ndarray
    """Stiffness, (freedoms, freedoms), 1/s^2."""
    left: np.ndarray = field(repr=False)
    """Z, (V bodies, freedoms): what forces on the bodies do to eta'' is Z^T f."""
    control: ControlStates = field(repr=False)
    """States z of integrators, controllers and filters."""
    B: np.ndarray = field(repr=False)
    """d eta''/dz, (freedoms, states)."""
    by_eta: np.ndarray = field(repr=False)
    """dz'/d eta, (states, freedoms)."""
    by_rate: np.ndarray = field(repr=False)
    """dz'/d eta', (states, freedoms)."""

    @property
    def states(self) -> tuple[str, ...]:
        """Names of z, in the order of `A` after (eta, eta')."""
        return self.control.names

    @property
    def A(self) -> np.ndarray:
        """State matrix of (eta, eta', z)."""
        return state_matrix(self.C, self.K, self.coupling)

    @property
    def coupling(self) -> Coupling:
        """Of the states with the motion, as `state_matrix` takes it."""
        return self.B, self.by_eta, self.by_rate, self.control.own

    @property
    def eigenvalues(self) -> np.ndarray:
        """1/s, sorted by size; positive real part: the motion grows."""
        values = np.linalg.eigvals(self.A)
        return values[np.argsort(np.abs(values) + 1e-9 * values.imag)]

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies without damping, states of a control held (Hz); unstable ones are left out."""
        squares = np.real(np.linalg.eigvals(self.K))
        squares = np.sort(squares[squares > 0])
        return np.sqrt(squares) / (2 * np.pi)

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        scale = max(1.0, float(np.max(np.abs(self.eigenvalues), initial=0.0)))
        return bool(np.all(np.real(self.eigenvalues) < 1e-8 * scale))


@one_engine
def linearise(
    description: Description,
    *,
    parameters: Mapping[str, Any] | None = None,
    at: Assembled | None = None,
    time: float = 0.0,
) -> Linearised:
    """Linearise about a state: the assembled one at `time` [s], or `at` (from `assemble` or `equilibrium`).

    `parameters` replaces values of parameters, by their full names, where `at` is not given. Where a force has a kink
    at the state (teeth whose flanks just touch) there are no linear equations, and a ModelError says so; and so where
    a controller is sampled or has modes.
    """
    if at is None:
        at = assembled(prepare(description, parameters), time)
    linear = linearised(at)
    check_smooth(linear)
    return linear


def linearised(at: Assembled) -> Linearised:
    _refuse_rolling(at)
    control = control_states(at.motion)
    C, K = tangent_matrices(at.motion)
    prepared = at.prepared
    scaled = scaled_jacobian(prepared.engine, at.t, at.state)
    root = inverse_root_mass(prepared.program, prepared.numbers, at.state)
    if scaled.size:
        _, values, vectors = np.linalg.svd(scaled, full_matrices=True)
        rank = int(np.sum(values > 1e-8 * max(values[0], 1e-300)))
        free = vectors[rank:].T
    else:
        free = np.eye(prepared.program.nv)
    basis = root @ free
    left = basis + _through_teeth(at, root, free)
    M, W, W_rate = turning_frame(at)
    damping, stiffness = C - M @ W, K - M @ W_rate - C @ W
    return Linearised(
        at,
        basis,
        left.T @ damping @ basis,
        left.T @ stiffness @ basis,
        left,
        control,
        left.T @ control.force,
        (control.by_position - control.by_velocity @ W) @ basis,
        control.by_velocity @ basis,
    )


Coupling = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Of states with a motion: d eta''/dz, dz'/d eta, dz'/d eta', dz'/dz."""


def state_matrix(C: np.ndarray, K: np.ndarray, coupling: Coupling) -> np.ndarray:
    """Of (eta, eta', z)."""
    n, (B, by_eta, by_rate, own) = len(K), coupling
    still = np.zeros((n, len(own)))
    return np.block([[np.zeros((n, n)), np.eye(n), still], [-K, -C, B], [by_eta, by_rate, own]])


def _refuse_rolling(at: Assembled) -> None:
    """About a motion with rows of speeds, small changes of direction move bodies off the free directions."""
    program = at.prepared.program
    v = at.state[program.nq : program.nq + program.nv]
    rolls = any(not program.constraints[view.constraint].holonomic for view in program.joints.values())
    if rolls and np.max(np.abs(v), initial=0.0) > 1e-9:
        refuse_speeds(program, "there are linear equations about rest, and none about this motion")


def _through_teeth(at: Assembled, root: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Z - N of (1)."""
    prepared = at.prepared
    gains = separating_gains(at.motion)
    if not np.any(gains):
        return np.zeros_like(free)
    rows = bilateral_rows(prepared.program)
    _, G, _, _ = prepared.engine.constraints(at.t, at.state)
    scaled = full_jacobian(prepared.program, G)[rows] @ root
    length = np.linalg.norm(scaled, axis=1)
    length = np.where(length > 0, length, 1.0)
    scaled, pressed = scaled / length[:, None], (root @ gains[:, rows]) / length
    change = np.linalg.pinv(scaled @ (scaled.T - pressed), rcond=1e-10) @ scaled
    return root @ (free.T @ pressed @ change).T


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
        _add_turning(program, W, k, _skew(motion.v[0, k, 3:]))
        _add_turning(program, W_rate, k, _skew(motion.a[0, k, 3:]))
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


def tangent_matrices(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """C = -df/dv and K = d(M a + G^T lambda - f)/d(small motion), for all bodies (V bodies square), at a
    motion of one moment.
    """
    size = motion.program.nv
    C, K = np.zeros((size, size)), np.zeros((size, size))
    for part in tangent_parts(motion):
        where = np.ix_(part.rows, part.columns)
        np.add.at(C, where, part.C)  # a body may occur twice in one element
        np.add.at(K, where, part.K)
    return C, K


def tangent_parts(motion: Motion) -> Iterator[TangentPart]:
    """The same, element by element."""
    program, numbers = motion.program, motion.numbers
    V = program.space.V

    def entries(bodies: Sequence[int]) -> np.ndarray:
        return np.concatenate([np.arange(V * body, V * (body + 1)) for body in bodies])

    for k in range(len(program.bodies)):
        R = motion.R[0, k]
        J, w, alpha = R @ numbers.inertia[k] @ R.T, motion.v[0, k, 3:], motion.a[0, k, 3:]
        W, turning = _skew(w), J @ _skew(w) - _skew(J @ w)
        C, K, own = np.zeros((V, V)), np.zeros((V, V)), entries([k])
        _add_turning(program, C, 0, W @ J - _skew(J @ w))
        _add_turning(program, K, 0, J @ _skew(alpha) - _skew(J @ alpha) + W @ turning)
        yield TangentPart("", True, own, own, C, K)
    for index, use in enumerate(program.forces):
        derivative = evaluate(use.kernel.jacobian, motion.force_arguments(index))[0][:, :, 0]
        acting = [i for i in range(use.kernel.acting) if use.bodies[i] >= 0]
        seen = [j for j in range(len(use.bodies)) if use.bodies[j] >= 0]
        if not acting or not seen:
            continue
        rows, columns = entries(acting), np.array([2 * V * j + c for j in seen for c in range(V)])
        yield TangentPart(
            use.name,
            False,
            entries([use.bodies[i] for i in acting]),
            entries([use.bodies[j] for j in seen]),
            -derivative[np.ix_(rows, columns + V)],
            -derivative[np.ix_(rows, columns)],
        )
    for index, use in enumerate(program.constraints):
        if use.kind is not ConstraintKind.BILATERAL:
            continue
        multipliers = np.zeros((program.space.lanes, 1))
        multipliers[: use.rows, 0] = motion.multipliers[0, use.first_row : use.first_row + use.rows]
        arguments = [*motion.constraint_arguments(index), multipliers, np.zeros((V * len(use.bodies), 1))]
        stiffness = evaluate(use.kernel.jacobian, arguments)[0][:, :, 0]
        sides = [i for i, body in enumerate(use.bodies) if body >= 0]
        if sides:
            inner, outer = entries(sides), entries([use.bodies[i] for i in sides])
            K = stiffness[np.ix_(inner, inner)]
            yield TangentPart(use.name, True, outer, outer, np.zeros_like(K), K)

    for mesh in program.meshes:
        use = program.constraints[mesh.constraint]
        sides = [i for i, body in enumerate(use.bodies) if body >= 0]
        moved, _ = _separating(motion, mesh)
        if sides and np.any(moved):
            inner, outer = entries(sides), entries([use.bodies[i] for i in sides])
            K = -moved[np.ix_(inner, inner)]
            yield TangentPart(use.name, True, outer, outer, np.zeros_like(K), K)


def _skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
