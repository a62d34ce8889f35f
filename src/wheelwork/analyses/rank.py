"""Rank of the constraints: degrees of freedom, redundant constraints by name, singular positions."""

from __future__ import annotations

import numpy as np

from wheelwork.description import ModelError
from wheelwork.engine.engine import Engine
from wheelwork.lazy import dataclass
from wheelwork.system.matrices import (
    TOLERANCE,
    bilateral_rows,
    dependent_rows,
    full_jacobian,
    inverse_root_blocks,
    inverse_root_mass,
    position_rows,
    rank_of,
)
from wheelwork.system.uses import ConstraintKind


def scaled_jacobian(engine: Engine, t: float, y: np.ndarray) -> np.ndarray:
    """The rows that always hold, in the metric of the kinetic energy and each of length 1: free of units."""
    program, numbers = engine.program, engine.numbers
    _, G, _, _ = engine.constraints(t, y)
    for use in program.constraints:
        if not np.isfinite(G[use.first_row : use.first_row + use.rows]).all():
            why = f"its equations have no finite values at t = {t:g} s"
            hint = "are lengths, or positions of its bodies, far too large?"
            raise ModelError(why, use.where, use.path or use.name, hint)
    full = full_jacobian(program, G)[bilateral_rows(program)]
    blocks = inverse_root_blocks(program, numbers, y)
    full = (full.reshape(len(full), *blocks.shape[:2], 1).swapaxes(2, 3) @ blocks).reshape(full.shape)
    length = np.linalg.norm(full, axis=1)
    return full / np.where(length > 0, length, 1.0)[:, None]


@dataclass(frozen=True)
class RankReport:
    """What the constraints leave free at one position."""

    rows: int
    rank: int
    freedoms: int
    """Degrees of freedom: velocities of all bodies, minus the rank."""
    of_positions: int
    """The same without rows that hold speeds alone: in how many directions positions can be changed in the end."""
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
        use.row_label(r)
        for use in program.constraints
        if use.kind is ConstraintKind.BILATERAL
        for r in range(use.rows)
    ]
    held = np.isin(bilateral_rows(program), position_rows(program))
    of_positions = rank if held.all() else rank_of(scaled_jacobian(engine, t, y)[held])
    return RankReport(
        len(G),
        rank,
        program.nv - rank,
        program.nv - of_positions,
        tuple(labels[k] for k in dependent),
        singular,
    )


def _moved(engine: Engine, t: float, y: np.ndarray, G: np.ndarray) -> np.ndarray | None:
    """A state a little further along the free motions; None if it cannot be brought back onto the constraints."""
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
