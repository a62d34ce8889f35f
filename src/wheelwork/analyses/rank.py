"""Rank of the constraints: degrees of freedom, redundant constraints by name, singular positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.engine.engine import Engine
from wheelwork.system.program import Kind, Numbers, Program

TOLERANCE = 1e-8
"""Singular values below this, relative to the largest, count as zero."""


def full_jacobian(program: Program, G: np.ndarray) -> np.ndarray:
    """(rows, V bodies) from the rows of the two bodies of each constraint."""
    out, V = np.zeros((program.rows, program.nv)), program.space.V
    for use in program.constraints:
        rows = slice(use.first_row, use.first_row + use.rows)
        for body, block in ((use.a, G[rows, :V]), (use.b, G[rows, V:])):
            if body >= 0:
                out[rows, V * body : V * (body + 1)] += block
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
    for use in program.constraints:
        if not np.isfinite(G[use.first_row : use.first_row + use.rows]).all():
            why = f"its equations have no finite values at t = {t:g} s"
            hint = "are lengths, or positions of its bodies, far too large?"
            raise ModelError([Problem(why, use.where, use.path or use.name, hint)])
    full = full_jacobian(program, G)[bilateral_rows(program)]
    blocks = _inverse_root_blocks(program, numbers, y)
    full = (full.reshape(len(full), *blocks.shape[:2], 1).swapaxes(2, 3) @ blocks).reshape(full.shape)
    length = np.linalg.norm(full, axis=1)
    return full / np.where(length > 0, length, 1.0)[:, None]


def mass_matrix(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    """M, block by block, in world axes."""
    R = _rotations(program, y)
    return _diagonal(_blocks(program, numbers.mass, R @ numbers.inertia @ R.swapaxes(1, 2)))


def inverse_root_mass(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    """M^(-1/2), block by block."""
    return _diagonal(_inverse_root_blocks(program, numbers, y))


def _inverse_root_blocks(program: Program, numbers: Numbers, y: np.ndarray) -> np.ndarray:
    R = _rotations(program, y)
    values, vectors = np.linalg.eigh(numbers.inertia)
    turning = (vectors / np.sqrt(values)[:, None, :]) @ vectors.swapaxes(1, 2)
    return _blocks(program, 1 / np.sqrt(numbers.mass), R @ turning @ R.swapaxes(1, 2))


def _rotations(program: Program, y: np.ndarray) -> np.ndarray:
    return program.space.poses(program.coordinates(y))[1]


def _blocks(program: Program, moving: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """One (V, V) block for each body, from a number for its translation and a (3, 3) matrix for its rotation."""
    blocks = np.zeros((len(program.bodies), 6, 6))
    blocks[:, range(3), range(3)] = moving[:, None]
    blocks[:, 3:, 3:] = turning
    keep = program.space.velocities
    return blocks[:, keep][:, :, keep]


def _diagonal(blocks: np.ndarray) -> np.ndarray:
    """The matrix with these blocks on its diagonal."""
    n, V = blocks.shape[:2]
    out = np.zeros((n, V, n, V))
    out[range(n), :, range(n), :] = blocks
    return out.reshape(n * V, n * V)


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
    """Degrees of freedom: velocities of all bodies, less the rank."""
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
    largest = max(
        program.largest_turn(step), float(np.linalg.norm(step)) / max(1.0, np.sqrt(len(program.bodies)))
    )
    moved = program.displaced(y, step * (0.02 / max(largest, 1e-12)))
    moved[program.nq : program.nq + program.nv] = 0.0
    result, done = engine.project(t, moved, 1e-10, 50)
    return result if done else None
