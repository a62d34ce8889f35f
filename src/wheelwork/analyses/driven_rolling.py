"""Driven motions of what rolls: joints that hold speeds without positions (nonholonomic).

With a driver for every freedom of the speeds, these follow from G v = nu at every moment, and positions from q' = v: an
ordinary differential equation from the given position on, which a run of the mechanism with its drivers integrates.
Masses and forces have no part in the motion; what the drivers have to give comes along, and so do states of
controllers.

Where rows lose their rank (a blade that is turned across the way it is driven along), speeds have no bound, and there
is no motion beyond. The run may step over that: the determinant of the rows, those that were independent at the start,
changes its sign there.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

from wheelwork.engine.engine import Integration, RunOptions
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import Watch
from wheelwork.lazy import scipy

from .assemble import Assembled
from .driven_checks import KinematicReport, body_positions
from .driven_states import FINE
from .rank import scaled_jacobian

LOOKS = 1000
"""Moments at which the determinant is looked at, at least."""


def rolled(at: Assembled, times: np.ndarray, watch: Watch) -> Integration:
    """The motion at some times, up to where the drivers can be followed."""
    prepared = at.prepared
    start, end = float(times[0]), float(times[-1])
    corners = prepared.program.corners(prepared.numbers, start, end)
    options = RunOptions(start=start, end=end, corners=corners, **FINE)
    run = prepared.engine.integrate(
        at.state, np.union1d(times, np.linspace(start, end, LOOKS + 1)), options, watch.step
    )
    good = _before_rank_is_lost(at, run)
    chosen = np.flatnonzero(np.isin(run.t, times) & (np.arange(len(run.t)) < good))
    report, final = run.report, run.final_state
    if good < len(run.t):
        motion = replace(at, state=run.state[good - 1], t=float(run.t[good - 1])).motion
        detail = (
            f"lock-up: the drivers ask for speeds without bound at t = {run.t[good - 1]:.6g} to {run.t[good]:.6g} s, "
            f"where what rolls cannot go the way it is driven: {body_positions(motion)}. End before that time, or "
            "drive other coordinates"
        )
        own = {field.name: getattr(report, field.name) for field in fields(report)}
        own |= {"outcome": Outcome.CONSTRAINTS_LOST, "t": float(run.t[chosen[-1]])}
        report, final = KinematicReport(**own, detail=detail), run.state[chosen[-1]]
    t = run.t[chosen]
    happened = [event for event in run.events if event.t <= t[-1]]
    return run.at(chosen, events=happened, final_state=final, report=report)


def _before_rank_is_lost(at: Assembled, run: Integration) -> int:
    """How many records there are before the determinant of the rows changes its sign."""
    engine = at.prepared.engine
    first = scaled_jacobian(engine, float(run.t[0]), run.state[0])
    rows = scipy.linalg.qr(first.T, mode="r", pivoting=True)[1][: at.prepared.program.nv]
    sign = np.linalg.slogdet(first[rows])[0]
    for k, (t, state) in enumerate(zip(run.t, run.state, strict=True)):
        if np.linalg.slogdet(scaled_jacobian(engine, float(t), state)[rows])[0] != sign:
            return k
    return len(run.t)
