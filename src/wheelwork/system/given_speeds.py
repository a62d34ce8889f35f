"""Speeds at the start: those that were given are kept, the others follow. Needs NumPy only.

Given speeds are rows of D v = d beside the constraints G v = nu. Among the velocities that meet both, the one with the
least kinetic energy is taken. With P the projection onto the constraints that an engine has, and C = P M^-1 D^T,

    v = P(0) + C mu,        A mu = d - D P(0),        A = D C,

for which only k projections are needed, k being the number of given components. A is singular where given speeds
depend on each other; whether they then agree is decided in a metric of lengths alone, as ratios of masses may be of
any size, and lengths may not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wheelwork.lazy import dataclass

NEGLIGIBLE = 1e-10  # eigenvalues of A, whose diagonal is 1 where nothing constrains a body
AGREE = 1e-5  # relative to the largest speed: below, given speeds agree as well as their numbers were written

Project = Callable[[np.ndarray], np.ndarray]
"""Velocities (nv,) to the nearest ones that meet the constraints."""


@dataclass(frozen=True)
class GivenSpeed:
    """A speed at the start that was given for a body."""

    body: int
    field: str
    """`velocity` of its origin, or `angular_velocity`."""


@dataclass(frozen=True)
class GivenRate:
    """The rate of a joint coordinate at the start, as a row of all velocities."""

    joint: str
    coordinate: str
    row: np.ndarray
    value: float

    @property
    def field(self) -> str:
        """What it is like."""
        return "angular_velocity" if self.coordinate == "angle" else "velocity"


@dataclass(frozen=True)
class Contradiction:
    """A given speed that cannot be kept."""

    speed: int
    """Which of the given speeds."""
    given: np.ndarray
    """(3), world axes; m/s or rad/s."""
    needed: np.ndarray
    """What the constraints and the speeds given for `others` make it; without these the nearest that they allow."""
    others: tuple[int, ...]
    """Given speeds that it contradicts; none: the constraints alone do not allow it."""


@dataclass(frozen=True)
class Bodies:
    """The bodies of a mechanism at one position, as far as their speeds need them; world axes."""

    velocities: tuple[int, ...]
    """Which of a spatial body's six velocities they have."""
    rotations: np.ndarray
    """(bodies, 3, 3)."""
    center: np.ndarray
    """Of mass, in the body's axes (bodies, 3), m."""

    def rows(self, speed: GivenSpeed | GivenRate) -> np.ndarray:
        """The given speed of a body (3) from all velocities; of a rate the other two are zero."""
        if isinstance(speed, GivenRate):
            return np.vstack([speed.row, np.zeros((2, len(speed.row)))])
        block, n, V = np.zeros((3, 6)), len(self.center), len(self.velocities)
        if speed.field == "velocity":
            x, y, z = self.rotations[speed.body] @ self.center[speed.body]
            block[:, :3] = np.eye(3)
            block[:, 3:] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]  # v - w x arm
        else:
            block[:, 3:] = np.eye(3)
        out = np.zeros((3, n, V))
        out[:, speed.body] = block[:, self.velocities]
        return out.reshape(3, n * V)

    def inverse_masses(self, mass: np.ndarray, inertia: np.ndarray) -> np.ndarray:
        """M^-1, block by block (bodies, V, V); the inertia tensors in the bodies' axes."""
        blocks, R = np.zeros((len(mass), 6, 6)), self.rotations
        blocks[:, range(3), range(3)] = 1 / mass[:, None]
        blocks[:, 3:, 3:] = R @ np.linalg.inv(inertia) @ R.swapaxes(1, 2)
        return blocks[:, self.velocities][:, :, self.velocities]


class _SpeedResponse:
    """What given speeds do to all velocities, in one metric."""

    def __init__(self, project: Project, inverse_mass: np.ndarray, D: np.ndarray):
        n, V, _ = inverse_mass.shape
        self.base = project(np.zeros(n * V))
        pushes = (D.reshape(len(D), n, 1, V) @ inverse_mass).reshape(D.shape)
        self.size = np.sqrt(np.einsum("ij,ij->i", pushes, D))
        self.size[self.size == 0] = 1.0  # a component that the plane does not have
        self.D = D / self.size[:, None]
        self.C = np.array([project(push) - self.base for push in pushes / self.size[:, None]])
        self.A = self.C @ self.D.T
        self.A = (self.A + self.A.T) / 2

    def solved(self, rows: np.ndarray, right: np.ndarray) -> np.ndarray:
        """mu of some of the rows, of least size."""
        values, vectors = np.linalg.eigh(self.A[np.ix_(rows, rows)])
        keep = values > NEGLIGIBLE
        return vectors[:, keep] @ ((vectors[:, keep].T @ right) / values[keep])

    def corrected(self, v: np.ndarray, d: np.ndarray) -> np.ndarray:
        """The velocities with the given ones as near to d as they can be."""
        rows = np.arange(len(d))
        for _ in range(2):  # the second time for round-off
            v = v + self.solved(rows, d / self.size - self.D @ v) @ self.C
        return v

    def predicted(self, known: np.ndarray, of: np.ndarray, d: np.ndarray) -> np.ndarray:
        """What rows `of` come to where rows `known` are as given and all others follow."""
        start = self.D @ self.base
        mu = self.solved(known, d[known] / self.size[known] - start[known])
        return (start[of] + self.A[np.ix_(of, known)] @ mu) * self.size[of]


def keep_given(
    speeds: Sequence[GivenSpeed | GivenRate],
    given: np.ndarray,
    v: np.ndarray,
    bodies: Bodies,
    masses: tuple[np.ndarray, np.ndarray],
    length: float,
    misfit: float,
    project: Project,
    set_masses: Callable[[np.ndarray, np.ndarray], None],
) -> tuple[np.ndarray, list[Contradiction]]:
    """The velocities v on the constraints with the given ones kept, and what cannot be kept.

    given: what each speed was given as (speeds, 3)
    masses: of the bodies, and their inertia tensors in their own axes
    length: of the mechanism
    misfit: of the given position, relative to that length or rad: speeds cannot agree better than positions do
    set_masses: other masses and inertia tensors for `project`
    """
    D, d = np.vstack([bodies.rows(speed) for speed in speeds]), given.ravel()
    linear = np.repeat([speed.field == "velocity" for speed in speeds], 3)
    turning = np.tile([k > 2 for k in bodies.velocities], len(bodies.center))
    scale = np.empty(len(d))
    for rows, velocities in ((linear, ~turning), (~linear, turning)):
        largest = max(np.max(np.abs(d[rows]), initial=0.0), np.max(np.abs(v[velocities]), initial=0.0))
        scale[rows] = max(largest, 1e-9)
    if np.all(np.abs(d - D @ v) <= 1e-10 * scale):
        return v, []
    v = _SpeedResponse(project, bodies.inverse_masses(*masses), D).corrected(v, d)
    count = len(bodies.center)
    alike = np.ones(count), np.tile(length**2 * np.eye(3), (count, 1, 1))
    set_masses(*alike)
    try:
        response = _SpeedResponse(project, bodies.inverse_masses(*alike), D)
    finally:
        set_masses(*masses)
    v = response.corrected(v, d)

    def agree(values: np.ndarray, rows: np.ndarray) -> bool:
        return bool(np.all(np.abs(values - d[rows]) <= max(AGREE, 3 * misfit) * scale[rows]))

    if agree(D @ v, np.arange(len(d))):
        return v, []
    found, kept = [], []
    places = np.arange(len(d)).reshape(-1, 3)
    for k, rows in enumerate(places):
        for others in dict.fromkeys([(), *((j,) for j in kept), tuple(kept)]):
            known = places[list(others)].ravel()
            both = np.append(known, rows)
            if not agree(response.predicted(both, both, d), both):
                # what the constraints alone allow of it, as they may leave parts of it free, or what the others make it
                needed = response.predicted(known if others else rows, rows, d)
                found.append(Contradiction(k, given[k], needed, others))
                break
        else:
            kept.append(k)
    return v, found
