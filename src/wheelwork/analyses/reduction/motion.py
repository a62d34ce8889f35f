"""Motion of all bodies from minimal coordinates, in NumPy.

Poses, velocities and accelerations at u'' = 0 are those of :class:`.tree_equations.TreeEquations`, with plain numbers
in place of those that write a program; J u'' is added to the accelerations, J being the velocities by the rates u'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.results.provenance import Provenance
from wheelwork.system.frame_motion import FrameMotion
from wheelwork.system.motion import Motion

from .local_frames import LocalTree
from .tree_equations import TreeEquations

if TYPE_CHECKING:
    from .dynamics import MinimalCoordinates


def body_motion(
    tree: LocalTree, u: np.ndarray, rates: np.ndarray, J: np.ndarray, accelerations: np.ndarray
) -> FrameMotion:
    """Motion of all bodies, a row each, in world axes: that of their centres of mass.

    u: coordinates, Euler parameters of ball joints last; J (bodies, 6, coordinates): velocities by their rates
    """
    numbers = {name: values.tolist() for name, values in tree.numbers.items()}
    balls = u[tree.scalars :].reshape(-1, 4).tolist()
    sincos = lambda angle: (math.sin(angle), math.cos(angle))  # noqa: E731
    equations = TreeEquations(tree, numbers, u[: tree.scalars].tolist(), balls, rates.tolist(), sincos)
    places = [(*equations.body(k), *equations.bias(k)) for k in range(len(tree.bodies))]
    x, R, v, w, a, alpha = (np.array(part) for part in zip(*places, strict=True))
    change = J @ accelerations
    return FrameMotion(x, R, v, w, a + change[:, :3], alpha + change[:, 3:])


# -- a motion that is given in minimal coordinates


Times = Sequence[float] | np.ndarray


def given_motion(
    minimal: MinimalCoordinates, t: Times, u: np.ndarray, rates: np.ndarray, accelerations: np.ndarray
) -> Motion:
    """States and accelerations of all bodies, a row for each time; the multipliers are left zero."""
    prepared = minimal.start.prepared
    program = prepared.program
    states, quicker = [], []
    for one, speed, change in zip(u, rates, accelerations, strict=True):
        moved = minimal.motion(one, speed, change)
        states.append(minimal.absolute_state(one, speed))
        quicker.append(np.hstack([moved.a, moved.alpha])[:, list(program.space.velocities)].ravel())
    count = len(states)
    return Motion(
        program,
        prepared.numbers,
        np.asarray(t, float),
        np.array(states),
        np.array(quicker),
        np.zeros((count, program.rows)),
        np.zeros((count, len(program.frictions))),
    )


def provenance_of(minimal: MinimalCoordinates, t: Times) -> Provenance:
    prepared = minimal.start.prepared
    return Provenance.of(
        prepared.description,
        parameters=prepared.numbers.parameters,
        settings={"type": "given motion"},
        engine=prepared.engine.name,
        report=RunReport(Outcome.REACHED_END, float(np.asarray(t)[-1]), "", 0.0, 0.0, 0, 0, 0, 0),
        events=(),
    )
