"""Rank of the constraints: degrees of freedom, redundant constraints by name, singular positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wheelwork.equations.attitude import rotation_matrices
from wheelwork.equations.program import Kind, Numbers, Program
from wheelwork.kernel.engine import Engine

TOLERANCE = 1e-8
"""Singular values below this, relative to the largest, count as zero."""


def full_jacobian(program: Program, G: np.ndarray) -> np.ndarray:
    """(rows, 6 bodies) from the rows of the two bodies of each constraint."""
    out = np.zeros((program.rows, program.nv))
    for use in program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        for body, block in ((use.a, G[rows, :6]), (use.b, G[rows, 6:])):
            if body >= 0:
                out[rows, 6 * body : 6 * body + 6] += block
    return out


def bilateral_rows(program: Program) -> np.ndarray:
    """Rows of joints and drivers: those that always hold."""
    rows = [
        np.arange(u.first_row, u.first_row + u.rows) for u in program.constraints if u.kind is Kind.BILATERAL
    ]
    return np.concatenate([np.zeros(0, int), *rows])


def scaled_jacobian(engine: Engine, t: float, y: np.ndarray) -> np.ndarray:
    """The rows that always hold, in the metric of the kinetic energy and each of length 1: free of units."""
    program, numbers = engine.program, engine.numbers
    _, G, _, _ = engine.constraints(t, y)
    full = full_jacobian(program, G)[bilateral_rows(program)]
    full = full @ inverse_root_mass(program, numbers, y)
    length = np.linalg.norm(full, axis=1)
    return full / np.where(length > 0, length, 1.0)[:, None]


def inverse_root_mass(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    """M^(-1/2), block by block."""
    out = np.zeros((program.nv, program.nv))
    for k in range(len(program.bodies)):
        R = rotation_matrices(y[7 * k + 3 : 7 * k + 7])
        values, vectors = np.linalg.eigh(numbers.inertia[k])
        root = R @ (vectors / np.sqrt(values)) @ vectors.T @ R.T
        out[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = np.eye(3) / np.sqrt(numbers.mass[k])
        out[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = root
    return out


def rank_of(matrix: np.ndarray) -> int:
    if not matrix.size:
        return 0
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > TOLERANCE * max(values[0], 1e-300)))


@dataclass(frozen=True)
class RankReport:
    """What the constraints leave free at one position."""

    rows: int
    rank: int
    freedoms: int
    """Degrees of freedom, 6 bodies - rank."""
    redundant: tuple[str, ...]
    """Names of rows that depend on those before them, as `joint.row`."""
    singular: bool
    """The rank is larger at positions nearby: the mechanism is at a singular (branching or dead) position."""


def analyse_rank(engine: Engine, t: float, y: np.ndarray) -> RankReport:
    """Rank at a state on the constraints, and which rows are redundant; compared with a position nearby."""
    program = engine.program
    G = scaled_jacobian(engine, t, y)
    rank = rank_of(G)
    singular = False
    if rank < len(G):
        nearby = _moved(engine, t, y, G)
        if nearby is not None:
            other = scaled_jacobian(engine, t, nearby)
            if rank_of(other) > rank:
                singular, G = True, other
    dependent = dependent_rows(G)
    labels = [
        use.row_label(r) for use in program.constraints if use.kind is Kind.BILATERAL for r in range(use.rows)
    ]
    return RankReport(len(G), rank, program.nv - rank, tuple(labels[k] for k in dependent), singular)


def dependent_rows(G: np.ndarray) -> list[int]:
    """Rows that lie in the span of those before them (Gram-Schmidt, twice for round-off)."""
    basis = np.zeros((0, G.shape[1]))
    dependent = []
    for k, row in enumerate(G):
        rest = row - basis.T @ (basis @ row)
        rest -= basis.T @ (basis @ rest)
        size = np.linalg.norm(rest)
        if size < 1e-7:
            dependent.append(k)
        else:
            basis = np.vstack([basis, rest / size])
    return dependent


def _moved(engine: Engine, t: float, y: np.ndarray, G: np.ndarray) -> np.ndarray | None:
    """A state a little way along the free motions; None if it cannot be brought back onto the constraints."""
    program = engine.program
    _, values, vectors = np.linalg.svd(G, full_matrices=True)
    rank = int(np.sum(values > TOLERANCE * max(values[0], 1e-300)))
    free = vectors[rank:]
    if not len(free):
        return None
    weights = np.random.default_rng(0).normal(size=len(free))
    step = inverse_root_mass(program, engine.numbers, y) @ (weights @ free)
    size = max((np.linalg.norm(step[6 * k + 3 : 6 * k + 6]) for k in range(len(program.bodies))), default=0.0)
    largest = max(size, np.linalg.norm(step) / max(1.0, np.sqrt(len(program.bodies))))
    moved = displaced(program, y, step * (0.02 / max(largest, 1e-12)))
    moved[program.nq : program.nq + program.nv] = 0.0
    result, done = engine.project(t, moved, 1e-10, 50)
    return result if done else None


def displaced(program: Program, y: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The state after a small motion: displacement and rotation vector (world axes) of each body."""
    out = np.array(y)
    for k in range(len(program.bodies)):
        out[7 * k : 7 * k + 3] += step[6 * k : 6 * k + 3]
        w, x, y_, z = out[7 * k + 3 : 7 * k + 7]
        a, b, c = step[6 * k + 3 : 6 * k + 6] / 2
        turned = np.array(
            [
                w - a * x - b * y_ - c * z,
                x + a * w + b * z - c * y_,
                y_ + b * w + c * x - a * z,
                z + c * w + a * y_ - b * x,
            ]
        )
        out[7 * k + 3 : 7 * k + 7] = turned / np.linalg.norm(turned)
    return out
