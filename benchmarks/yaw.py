"""The yaw drive with four pinions: steps per second of each method, and time at equal error, beside peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from wheelwork.engine.engine import RunOptions

from . import yaw_model
from .measure import Run, at_levels, clock, fronts, label, race
from .ready import Ready

LEVELS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
"""Errors at which the sides are compared [rad]; the gear has then turned by 0.4 rad."""
ORDERS = {"wheelwork": 4, "scipy": 5, "scipy RK45": 5, "exudyn": 4}

Side = Callable[[], tuple[float, int, np.ndarray]]
"""A run to the end: seconds, number of steps, angles."""


class Ours(Ready):
    """The drive compiled and ready, in minimal coordinates: straight-line code, or the general equations."""

    def __init__(self, straight: bool = True):
        super().__init__(yaw_model.describe(), "rk4", straight=straight)
        assert bool(self.code) == straight
        program = self.engine.program
        first = program.nq + program.nv
        turns = {turn.name: first + k for k, turn in enumerate(program.turns)}
        self.bearings = [turns[f"{name}.bearing"] for name in yaw_model.BODIES]
        self.call = min(self.run(1e-6, method="rk4", step=1e-6)[0] for _ in range(9))
        """Seconds of a call that takes one step: rates of steps are without it, as the peers' are."""

    def run(self, end: float = yaw_model.END_TIME, **options: Any) -> tuple[float, int, np.ndarray]:
        """The end alone is stored."""
        seconds, done = self.integrate("reduced", RunOptions(end=end, **options))
        return seconds, done.report.steps, done.state[-1][self.bearings]


def measure(rounds: int, peer: Any, quick: bool) -> dict[str, Any]:
    """All runs with steps per second and error, and times at equal error."""
    own = Ours()
    candidates = _candidates(own, Ours(straight=False), peer, quick)
    rows, _ = race(((row, _timed(side)) for row, side in candidates), rounds, 0.3 if quick else 2.0)
    for row in rows:
        call = 0.0 if row["side"] != "wheelwork" else own.call
        row["rate"] = row["steps"] / (row["seconds"] - call)
    runs = fronts(rows)
    rows += [{**row, "side": "scipy RK45"} for row in rows if row["method"] == "RK45"]
    return {"runs": runs, "levels": at_levels(rows, LEVELS, ORDERS), "call": own.call}


def _candidates(ours: Ours, general: Ours, peer: Any, quick: bool) -> Iterator[tuple[dict[str, Any], Side]]:
    thin = slice(None, None, 2 if quick else 1)
    steps = (2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6)[thin]
    tolerances = tuple(10.0**-k for k in range(4, 12))[thin]
    for step in steps:
        yield label("wheelwork", "rk4", step=step), _bound(ours.run, method="rk4", step=step)
        yield label("wheelwork, general", "rk4", step=step), _bound(general.run, method="rk4", step=step)
    for tolerance in tolerances:
        settings = {"method": "dopri5", "rtol": tolerance, "atol": 1e-3 * tolerance}
        yield label("wheelwork", "dopri5", tolerance=tolerance), _bound(ours.run, **settings)
        for method in ("RK45", "DOP853", "LSODA"):
            yield label("scipy", method, tolerance=tolerance), _bound(by_scipy, method, tolerance)
    if peer is None:
        return
    for method in ("RK44", "DOPRI5", "ExplicitMidpoint", "TrapezoidalIndex2"):
        for step in steps:
            yield label("exudyn", method, step=step), _bound(peer.simulate, method, step)


def _bound(run: Callable[..., Any], *arguments: Any, **named: Any) -> Side:
    return lambda: run(*arguments, **named)


def by_scipy(method: str, tolerance: float) -> tuple[float, int, np.ndarray]:
    rates, start = yaw_model.right_hand_side(), yaw_model.start()
    span = (0.0, yaw_model.END_TIME)
    begin = clock()
    run = solve_ivp(rates, span, start, method=method, rtol=tolerance, atol=1e-3 * tolerance)
    seconds = clock() - begin
    return seconds, len(run.t) - 1, run.y[: len(yaw_model.BODIES), -1]


def _timed(side: Side) -> Run:
    def run(row: dict[str, Any]) -> float:
        seconds, row["steps"], angles = side()
        row["error"] = yaw_model.error(angles)
        return seconds

    return run
