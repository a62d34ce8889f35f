"""Signals of ratios and couplers: efforts along their coordinates, the torque on the support, power lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .program import PER_TERM

if TYPE_CHECKING:
    from .motion import Motion
    from .program import Program, RelationUse


def relation_signals(
    program: Program, use: RelationUse
) -> Iterator[tuple[str, str, str, Callable[[Motion], np.ndarray]]]:
    """Name, unit, meaning and values of each."""
    kernel: Any = program.constraints[use.constraint].kernel
    for k, (label, unit) in enumerate(use.efforts):
        effort = "torque" if unit == "N m" else "force"
        meaning = f"{effort} along this coordinate, positive where it drives it up"
        yield f"{use.name}.{label}", unit, meaning, lambda m, k=k: efforts(m, use)[k]
    if use.closes:
        meaning = "torque on the support about the axis of the shafts; its size where they have two axes"
        yield f"{use.name}.{use.support}", "N m", meaning, lambda m: on_support(m, use)
        yield f"{use.name}.loss", "W", "power lost", lambda m: lost(m, use)
    if kernel.orders:
        meaning = "what the last coordinate is ahead by, as a function of the first"
        yield f"{use.name}.error", "rad", meaning, lambda m: _state(m, use)[2][0]
    if kernel.holonomic:
        unit = "rad" if kernel.terms[0].coordinate == "angle" else "m"
        yield f"{use.name}.residual", unit, "constraint residual", lambda m: np.abs(_full(m, use)[0][0])
    else:
        yield f"{use.name}.ratio", "1", "ratio at present", lambda m: _state(m, use)[0][1]


def efforts(m: Motion, use: RelationUse) -> np.ndarray:
    """Along the coordinates (terms, N), with the friction of a ratio."""
    out = _state(m, use)[0] * m.multipliers[:, m.program.constraints[use.constraint].first_row]
    if use.friction >= 0:
        out[0] += m.friction[:, use.friction]
    return out


def lost(m: Motion, use: RelationUse) -> np.ndarray:
    """What the efforts take from the coordinates: friction, and nothing else."""
    return -np.sum(efforts(m, use) * _state(m, use)[1], axis=0)


def on_support(m: Motion, use: RelationUse) -> np.ndarray:
    """Torque on the body from which the angles are measured."""
    constraint = m.program.constraints[use.constraint]
    kernel: Any = constraint.kernel
    axes = []
    for k, term in enumerate(kernel.terms):
        axis = m.numbers.data[constraint.data + PER_TERM * k + 3 :][:9].reshape(3, 3)[:, 2]
        axes.append(m.frames[:, constraint.bodies[term.a], 3:12].reshape(-1, 3, 3) @ axis)
    total = -np.sum(efforts(m, use)[:, :, None] * np.array(axes), axis=0)
    if np.allclose(axes[0], axes[1], rtol=0, atol=1e-9):
        return np.sum(total * axes[0], axis=1)
    return np.linalg.norm(total, axis=1)


def _state(m: Motion, use: RelationUse) -> list[np.ndarray]:
    """Efforts for a unit multiplier and rates of the coordinates, (terms, N) each; error (1, N)."""
    kernel: Any = m.program.constraints[use.constraint].kernel
    return m.once(
        ("relation", use.name), lambda: m.evaluate(kernel.state, m.constraint_arguments(use.constraint))
    )


def _full(m: Motion, use: RelationUse) -> list[np.ndarray]:
    return m.evaluate(
        m.program.constraints[use.constraint].kernel.full, m.constraint_arguments(use.constraint)
    )
