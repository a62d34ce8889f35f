"""Signals of ratios and couplers: efforts along their coordinates, the torque on the support, power lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.forces import DAMPED, ELASTIC, LOST, ON_SUPPORT
from wheelwork.equations.frames import MARKER_RECORD

from .signal_values import force_signals, speed_along
from .uses import PER_TERM

if TYPE_CHECKING:
    from .motion import Motion
    from .program import Program
    from .uses import RelationUse


Told = tuple[str, str, str, Callable[["Motion"], np.ndarray]]


def relation_signals(program: Program, use: RelationUse) -> Iterator[Told]:
    """Name, unit, meaning and values of each."""
    kernel: Any = program.constraints[use.constraint].kernel
    for k, (label, unit) in enumerate(use.efforts):
        effort = "torque" if unit == "N m" else "force"
        meaning = f"{effort} along this coordinate, positive where it drives it up"
        yield f"{use.name}.{label}", unit, meaning, lambda m, k=k: efforts(m, use)[k]
    for label in use.support:
        yield f"{use.name}.{label}", "N m", ON_SUPPORT, lambda m: on_support(m, use)
    if use.support:
        yield f"{use.name}.loss", "W", LOST, lambda m: lost(m, use)
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
    markers = [
        (constraint.bodies[term.a], constraint.data + PER_TERM * k) for k, term in enumerate(kernel.terms)
    ]
    return _reaction(m, efforts(m, use), markers)


def _reaction(m: Motion, efforts: np.ndarray, markers: list[tuple[int, int]]) -> np.ndarray:
    """Of torques (2, N) about the z axes of two markers: bodies, and where their records begin in the data."""
    axes = [
        m.frames[:, body, 3:12].reshape(-1, 3, 3) @ m.numbers.data[first + 3 :][:9].reshape(3, 3)[:, 2]
        for body, first in markers
    ]
    return m.about(-np.sum(efforts[:, :, None] * np.array(axes), axis=0), axes[0], axes[1])


def elastic_ratio_signals(program: Program, friction: int) -> Iterator[Told]:
    """The same of an elastic ratio with losses, whose friction acts on shaft a against the support."""
    rubs = program.frictions[friction]
    name = rubs.name.removesuffix(".friction")
    index = next(k for k, force in enumerate(program.forces) if force.name == name)
    use = program.forces[index]
    *_, (name_a, name_b), of_support = use.kernel.options
    places = {label: k for k, label in enumerate(use.kernel.signal_names, 1)}

    def own(m: Motion, label: str) -> np.ndarray:
        return force_signals(m, index)[places[label]]

    def on_a(m: Motion) -> np.ndarray:
        return own(m, ELASTIC) + m.friction[:, friction]

    def reaction(m: Motion) -> np.ndarray:
        markers = [(use.bodies[0], use.data + k * MARKER_RECORD) for k in (0, 2)]
        return _reaction(m, np.array([on_a(m), own(m, f"torque_{name_b}")]), markers)

    yield f"{name}.torque_{name_a}", "N m", f"torque on {name_a} about its axis", on_a
    for label in of_support:
        yield f"{name}.{label}", "N m", ON_SUPPORT, reaction
    rubbed = lambda m: own(m, DAMPED) - m.friction[:, friction] * speed_along(m, rubs.row)  # noqa: E731
    yield f"{name}.loss", "W", LOST, rubbed


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
