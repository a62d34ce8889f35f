"""Linear equations of small motion about a state.

With a basis N of the motions that the constraints leave free (columns of length 1 in the metric of the mass
matrix), small motions N eta obey  M eta'' + C eta' + K eta = 0, where M = N^T M N = 1, C = -N^T (df/dv) N and K
= N^T (-df/dq + d(M a)/dq + d(G^T lambda)/dq) N: the last term is the stiffness that loaded joints have. All
derivatives are exact (differentiated expressions). Exact at rest, and in motion as long as the free directions
stay the same in the world (rotors on fixed axes); about other motions the coefficients would vary with time.

Forces act on eta through Z^T in place of N^T where ideal teeth press their wheels apart (:mod:`.free_motions`).

What rolls (rows of speeds without positions) has further coordinates in motion, zeta: ways that it leaves only in the
end, as sideways by steering. They are states with rates of their own, :mod:`.steady_rolling`; at rest they stay.

States z of controllers and filters (:mod:`.control_states`) join the equations: eta'' has the further term
Z^T (df/dz) z, and z' = dh/dq x + dh/dv dv + dh/dz z with the changes x of positions and dv of speeds. A body that
turns at w has dv = N eta' - W N eta, W = diag(0, w~).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from wheelwork.description import Description
from wheelwork.lazy import dataclass

from .assemble import Assembled, assembled
from .control_states import ControlStates, control_states
from .free_motions import free_motions
from .kinks import check_smooth
from .options import one_engine
from .prepare import prepare
from .state_matrix import Coupling, spectrum, state_matrix
from .steady_rolling import SmallMotions, about_steady_rolling, rolls_on
from .tangents import tangent_matrices, turning_frame


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
    own: np.ndarray = field(repr=False)
    """dz'/dz, (states, states)."""
    speeds: np.ndarray = field(repr=False)
    """(V bodies, freedoms): change of all velocities by eta while eta' is zero."""
    ways: np.ndarray = field(repr=False)
    """(V bodies, ways): as `basis`, for the ways of what rolls; they are the last of the states."""
    way_speeds: np.ndarray = field(repr=False)
    """(V bodies, ways): as `speeds`."""
    turning: np.ndarray = field(repr=False)
    """Angular velocity (3) of the frame from which a motion that rolls is steady, rad/s; zero where it goes straight.
    Seen from there, what stays in the world turns: eigenvalues are then +- i times this speed."""

    @property
    def states(self) -> tuple[str, ...]:
        """Names of z, in the order of `A` after (eta, eta'); of the ways of what rolls too: `way.1`."""
        return *self.control.names, *(f"way.{k + 1}" for k in range(self.ways.shape[1]))

    @property
    def A(self) -> np.ndarray:
        """State matrix of (eta, eta', z)."""
        return state_matrix(self.C, self.K, self.coupling)

    @property
    def coupling(self) -> Coupling:
        """Of the states with the motion, as `state_matrix` takes it."""
        return self.B, self.by_eta, self.by_rate, self.own

    @property
    def eigenvalues(self) -> np.ndarray:
        """1/s, sorted by size; positive real part: the motion grows."""
        values = spectrum(self.A) if self.ways.shape[1] else np.linalg.eigvals(self.A)
        return values[np.argsort(np.abs(values) + 1e-9 * np.imag(values))]

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies without damping, states of a control held (Hz); unstable ones are left out. Of what rolls
        on, in which nothing can be held, those of the eigenvalues."""
        if self.ways.shape[1]:
            turning = np.imag(self.eigenvalues)
            return np.sort(turning[turning > 0]) / (2 * np.pi)
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
    control = control_states(at.motion)
    small = about_steady_rolling(at) if rolls_on(at) else _about_fixed_directions(at)
    by_way = control.by_position @ small.ways + control.by_velocity @ small.way_speeds
    still = np.zeros((small.ways.shape[1], len(control)))
    return Linearised(
        at,
        small.basis,
        small.C,
        small.K,
        small.left,
        control,
        np.hstack([small.left.T @ control.force, small.B]),
        np.vstack([control.by_position @ small.basis + control.by_velocity @ small.speeds, small.by_eta]),
        np.vstack([control.by_velocity @ small.basis, np.zeros_like(small.by_eta)]),
        np.block([[control.own, by_way], [still, small.own]]),
        small.speeds,
        small.ways,
        small.way_speeds,
        small.turning,
    )


def _about_fixed_directions(at: Assembled) -> SmallMotions:
    """At rest, and about motions whose free directions stay as they are in the world."""
    C, K = tangent_matrices(at.motion)
    basis, left = free_motions(at)
    M, W, W_rate = turning_frame(at)
    damping, stiffness = C - M @ W, K - M @ W_rate - C @ W
    size, n = basis.shape
    return SmallMotions(
        basis,
        left,
        left.T @ damping @ basis,
        left.T @ stiffness @ basis,
        np.zeros((n, 0)),
        np.zeros((0, n)),
        np.zeros((0, 0)),
        -W @ basis,
        np.zeros((size, 0)),
        np.zeros((size, 0)),
        np.zeros(3),
    )
