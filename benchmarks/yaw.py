"""The yaw drive with four pinions: steps per second of each method, and time at equal error, beside peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import reduce
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.analyses.reduction.straight_line import straight_line
from wheelwork.engine.engine import RunOptions, integrated
from wheelwork.engine.reduced import ReducedSystem

from . import yaw_model
from .measure import at_levels, by_turns, clock, front

LEVELS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
"""Errors at which the sides are compared [rad]; the gear has then turned by 0.4 rad."""
ORDERS = {"wheelwork": 4, "scipy": 5, "scipy RK45": 5, "exudyn": 4}

Side = Callable[[], tuple[float, int, np.ndarray]]
"""A run to the end: seconds, number of steps, angles."""


class Ours:
    """The drive compiled and ready, in minimal coordinates: straight-line code, or the general equations."""

    def __init__(self, straight: bool = True):
        prepared = prepare(yaw_model.describe(), method="rk4")
        at = assembled(prepared, 0.0)
        self.engine, self.start = prepared.engine, at.state
        self.reduction = reduce(self.engine, 0.0, at.state)
        own = tables(self.reduction, self.engine)
        if straight:
            direct = straight_line(self.reduction, self.engine, own)
            assert direct
            own |= direct
        self.reduced = ReducedSystem(self.engine.system, own, self.reduction.rates)
        program = prepared.program
        first = program.nq + program.nv
        turns = {turn.name: first + k for k, turn in enumerate(program.turns)}
        self.places = [turns[f"{name}.bearing"] for name in yaw_model.BODIES]
        self.call = min(self.run(1e-6, method="rk4", step=1e-6)[0] for _ in range(9))
        """Seconds of a call that takes one step: rates of steps are without it, as the peers' are."""

    def run(self, end: float = yaw_model.END_TIME, **options: Any) -> tuple[float, int, np.ndarray]:
        """The end alone is stored."""
        settings, grid = RunOptions(end=end, **options), np.array([end])
        begin = clock()
        done = integrated(self.engine.system, self.start, grid, settings, reduced=self.reduced)
        seconds = clock() - begin
        if not done.report.outcome.good:
            raise RuntimeError(done.report.text)
        return seconds, done.report.steps, done.state[-1][self.places]


def measure(rounds: int, peer: Any, quick: bool) -> dict[str, Any]:
    """All runs with steps per second and error, and times at equal error."""
    rows: list[dict[str, Any]] = []
    sides: dict[str, Callable[[], float]] = {}
    own = Ours()
    for label, side in _candidates(own, Ours(straight=False), peer, quick):
        sides[str(len(rows))] = _timed(label, side)
        rows.append(label)
    for key, seconds in by_turns(sides, rounds, patience=0.3 if quick else 2.0).items():
        rows[int(key)]["seconds"] = seconds
    rows = [row for row in rows if "seconds" in row]
    for row in rows:
        call = 0.0 if row["side"] != "wheelwork" else own.call
        row["rate"] = row["steps"] / (row["seconds"] - call)
    runs = []
    for key in dict.fromkeys((row["side"], row["method"]) for row in rows):
        runs += front([row for row in rows if (row["side"], row["method"]) == key])
    rows += [{**row, "side": "scipy RK45"} for row in rows if row["method"] == "RK45"]
    return {"runs": runs, "levels": at_levels(rows, LEVELS, ORDERS), "call": own.call}


def _candidates(ours: Ours, general: Ours, peer: Any, quick: bool) -> Iterator[tuple[dict[str, Any], Side]]:
    thin = slice(None, None, 2 if quick else 1)
    steps = (2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6)[thin]
    tolerances = tuple(10.0**-k for k in range(4, 12))[thin]
    for step in steps:
        yield _label("wheelwork", "rk4", step=step), _bound(ours.run, method="rk4", step=step)
        yield _label("wheelwork, general", "rk4", step=step), _bound(general.run, method="rk4", step=step)
    for tolerance in tolerances:
        settings = {"method": "dopri5", "rtol": tolerance, "atol": 1e-3 * tolerance}
        yield _label("wheelwork", "dopri5", tolerance=tolerance), _bound(ours.run, **settings)
        for method in ("RK45", "DOP853", "LSODA"):
            yield _label("scipy", method, tolerance=tolerance), _bound(by_scipy, method, tolerance)
    if peer is None:
        return
    for method in ("RK44", "DOPRI5", "ExplicitMidpoint", "TrapezoidalIndex2"):
        for step in steps:
            yield _label("exudyn", method, step=step), _bound(peer.simulate, method, step)


def _label(side: str, method: str, **setting: float) -> dict[str, Any]:
    return {"side": side, "method": method, **setting}


def _bound(run: Callable[..., Any], *arguments: Any, **named: Any) -> Side:
    return lambda: run(*arguments, **named)


def by_scipy(method: str, tolerance: float) -> tuple[float, int, np.ndarray]:
    rates, start = yaw_model.right_hand_side(), yaw_model.start()
    span = (0.0, yaw_model.END_TIME)
    begin = clock()
    run = solve_ivp(rates, span, start, method=method, rtol=tolerance, atol=1e-3 * tolerance)
    seconds = clock() - begin
    return seconds, len(run.t) - 1, run.y[: len(yaw_model.BODIES), -1]


def _timed(row: dict[str, Any], side: Side) -> Callable[[], float]:
    def run() -> float:
        seconds, row["steps"], angles = side()
        row["error"] = yaw_model.error(angles)
        return seconds

    return run
