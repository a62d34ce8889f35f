"""States of elements along a motion that drivers give: controllers and filters that watch it, heat, work of slip.

The motion is known, z' = h(q(t), v(t), z, t) is an ordinary differential equation, and forces that look at z are part
of what the drivers have to give. z is integrated by a run of the same mechanism with its drivers, in which samples,
changes of mode and corners are met as in any other; positions and speeds stay those of the drivers, and where the run
has left them (another branch beyond a dead centre) there is no z to report.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wheelwork.description import ModelError
from wheelwork.engine.engine import Integration, RunOptions
from wheelwork.engine.watch import Watch

from .assemble import Assembled
from .driven_checks import KinematicReport

FINE = {"method": "dop853", "rtol": 1e-10, "atol": 1e-12}
"""Of the run: states come out to nine digits, as positions do to more."""
APART = 1e-6
"""Of the size of a motion, and rad: further from the drivers' motion the run has departed from it."""


def with_states(at: Assembled, driven: Integration, watch: Watch) -> Integration:
    """The driven motion with the states that go with it, and the efforts that these ask for."""
    program = at.prepared.program
    if not program.changing:
        return driven
    reached, start = float(driven.t[-1]), float(driven.t[0])
    if reached <= start:
        return driven
    corners = program.corners(at.prepared.numbers, start, reached)
    run = at.prepared.engine.integrate(
        at.state, driven.t, RunOptions(start=start, end=reached, corners=corners, **FINE), watch.step
    )
    t, states, _ = run.each_time_once()
    count = len(t)
    _must_agree(at, t, states, driven.state[:count])
    whole = np.hstack([driven.state[:count, : program.first_state], states[:, program.first_state :]])
    efforts = [at.prepared.engine.derivative(float(s), y)[1:] for s, y in zip(t, whole, strict=True)]
    report: KinematicReport = driven.report  # type: ignore[assignment]
    if count < len(driven.t):
        words = f"states of `{program.changing[0].name}` were followed no further: {run.report.text}"
        report = replace(report, outcome=run.report.outcome, t=float(t[-1]), detail=words)
    return replace(
        driven,
        t=t,
        state=whole,
        acceleration=np.array([a for a, _ in efforts]),
        multipliers=np.array([multipliers for _, multipliers in efforts]),
        friction=driven.friction[:count],
        events=run.events,
        final_state=whole[-1],
        report=report,
    )


def _must_agree(at: Assembled, t: np.ndarray, run: np.ndarray, driven: np.ndarray) -> None:
    """ModelError where the run is not where the drivers are."""
    program = at.prepared.program
    shape = (len(t), len(program.bodies), program.space.Q)
    (x, R), (x_driven, R_driven) = (
        program.space.poses(y[:, : program.nq].reshape(shape)) for y in (run, driven)
    )
    size = max(float(np.ptp(x_driven, axis=0).max(initial=0.0)), 1e-3)
    off = np.maximum(np.abs(x - x_driven).max(axis=-1) / size, np.abs(R - R_driven).max(axis=(-2, -1)))
    if off.max(initial=0.0) <= APART:
        return
    moment = int(np.argmax(np.max(off, axis=1) > APART))
    body = program.bodies[int(np.argmax(off[moment]))]
    raise ModelError(
        f"the states of `{program.changing[0].name}` cannot be computed: integrated with its drivers the "
        f"mechanism departs from the prescribed motion at t = {t[moment]:.6g} s, first with `{body}` "
        "(a dead centre?)",
        path="analysis",
        hint="end before that time, or drive the mechanism where it does not lock",
    )
