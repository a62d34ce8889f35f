"""A motion that is given in minimal coordinates, as states and accelerations of the bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.results.provenance import Provenance
from wheelwork.system.motion import Motion

if TYPE_CHECKING:
    from .dynamics import MinimalCoordinates

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
