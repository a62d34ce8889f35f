"""Trains of meshed wheels: one step of each method of each side, the errors it leaves, and time at equal error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from wheelwork.engine.engine import RunOptions
from wheelwork.system.attitude import rotation_matrices

from .measure import Run, per_step, race, time_to_reach
from .ready import Ready
from .train_model import END_TIME, HOUSINGS, angles, describe, errors

SIZES = (2, 7, 20, 50)
STEP = 1e-3
"""At which steps are timed [s]."""
LEVEL = 1e-5
"""Error of the motion at which whole runs are compared [rad]."""
ORDERS = {"mujoco Euler": 1, "ours absolute": 4, "ours reduced": 4, "mujoco RK4": 4}
"""Of the methods, for times beyond the most exact run; those of Exudyn are of order 2."""

Side = Callable[[], tuple[float, int, np.ndarray]]
"""A run to the end: seconds, number of steps, angles of the wheels."""


class Train(Ready):
    """A train of wheels."""

    def __init__(self, n: int, housing: str):
        super().__init__(describe(n, housing), "rk4")
        self.n, self.turning = n, housing == "turning"

    def step(self, formulation: str) -> float:
        """Seconds of one step, without what a call takes besides, as the initialisation is left out at the peers."""
        count = round(END_TIME / STEP)
        return per_step(lambda n: self.integrate(formulation, _options(STEP, n * STEP))[0], count)

    def run(self, formulation: str, step: float) -> tuple[float, int, np.ndarray]:
        """Seconds of the whole call, number of steps, angles of the wheels at the end."""
        seconds, done = self.integrate(formulation, _options(step, END_TIME))
        R = rotation_matrices(done.state[-1][: self.engine.program.nq].reshape(-1, 7)[:, 3:])
        wheels, housing = (R[1:], R[0]) if self.turning else (R, np.eye(3))
        return seconds, done.report.steps, angles(wheels, housing)


def _options(step: float, end: float) -> RunOptions:
    return RunOptions(end=end, method="rk4", step=step)


def measure(sizes: tuple[int, ...], rounds: int, peers: dict[str, Any], quick: bool) -> list[dict[str, Any]]:
    """For each housing and N: methods with seconds per step at `STEP` and errors, and seconds to reach `LEVEL`."""
    results = []
    for housing in HOUSINGS:
        for n in sizes:
            ours = Train(n, housing)
            candidates = _candidates(ours, housing, peers, quick)
            runs = (({"method": method, "step": step}, _timed(side)) for method, step, side in candidates)
            rows, _ = race(runs, rounds, patience=0.3 if quick else 3.0)
            results.append(
                {
                    "wheels": n,
                    "housing": housing,
                    "methods": {
                        row["method"]: {
                            "seconds": _step(row, ours), "gear": row["gear"], "motion": row["error"]
                        }
                        for row in rows if row["step"] == STEP
                    },
                    "reach": _reach(rows),
                }
            )  # fmt: skip
    return results


def _step(row: dict[str, Any], ours: Train) -> float:
    """Seconds of one step; those of peers are without initialisation."""
    side, _, formulation = row["method"].partition(" ")
    return ours.step(formulation) if side == "ours" else row["seconds"] / row["steps"]


def _candidates(
    ours: Train, housing: str, peers: dict[str, Any], quick: bool
) -> Iterator[tuple[str, float, Side]]:
    """Method, step and run. The step that is timed is among those of every method."""

    def steps(*values: float) -> tuple[float, ...]:
        return (STEP,) if quick else values

    for step in steps(1e-2, 5e-3, 2e-3, STEP):
        yield "ours absolute", step, _ours(ours, "absolute", step)
    for step in steps(2e-1, 1e-1, 5e-2, 2e-2, STEP):
        yield "ours reduced", step, _ours(ours, "reduced", step)
    if exudyn := peers.get("exudyn"):
        for form in exudyn.FORMS[housing]:
            for step in steps(5e-3, 2e-3, STEP, 5e-4):
                yield f"exudyn {form}", step, _theirs(exudyn.simulate, ours.n, housing, form, step)
    if mujoco := peers.get("mujoco"):
        for integrator, of in (("RK4", (2e-3, STEP, 5e-4, 2e-4)), ("Euler", (STEP, 1e-4))):
            for step in steps(*of):
                run = _theirs(mujoco.simulate, ours.n, housing, integrator, step)
                yield f"mujoco {integrator}", step, run


def _ours(train: Train, formulation: str, step: float) -> Side:
    return lambda: train.run(formulation, step)


def _theirs(simulate: Callable[..., tuple[float, int, np.ndarray]], *arguments: Any) -> Side:
    return lambda: simulate(*arguments)


def _timed(side: Side) -> Run:
    def run(row: dict[str, Any]) -> float:
        seconds, row["steps"], phi = side()
        found = errors(phi)
        row["gear"], row["error"] = found["gear"], found["motion"]
        return seconds

    return run


def _reach(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Of each method that has runs at several steps: seconds of a run to t = 1 s within `LEVEL`.

    Ours are whole calls; of the peers the initialisation is left out.
    """
    found = {}
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [row for row in rows if row["method"] == method]
        if len(own) > 1:
            reached = time_to_reach(own, LEVEL, ORDERS.get(method, 2))
            found[method] = {"seconds": reached.seconds, "extrapolated": reached.extrapolated}
    return found
