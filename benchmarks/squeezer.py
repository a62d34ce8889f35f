"""Andrews' squeezer: time of a run against its error on both sides, and the time both take to reach the same error."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions

from . import linkages
from .measure import Run, at_levels, clock, fronts, race

TIMES = (0.02, 0.025, 0.03)
"""Errors are looked at here [s], times are those of runs to the last: at a single time errors may happen to cancel."""
LEVELS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
"""Errors at which the sides are compared [rad]; the crank has then made two and a half turns."""
ORDERS = {"wheelwork": 4, "exudyn": 2}
REFERENCE = Path(__file__).parent / "reference" / "squeezer_angles.json"


@functools.cache
def reference() -> dict[float, np.ndarray]:
    """beta, Theta, gamma, Phi, delta, Omega, epsilon by time; see reference/README.md."""
    return {float(t): np.array(angles) for t, angles in json.loads(REFERENCE.read_text()).items()}


def error(t: float, angles: np.ndarray) -> float:
    """The largest of the seven angles of the source, from those of the bodies [rad]."""
    k1, k2, k3, k4, k5, k6, k7 = angles
    return float(np.abs(np.subtract((k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7), reference()[t])).max())


class Ours:
    """The mechanism ready to run."""

    def __init__(self) -> None:
        prepared = prepare(linkages.squeezer(), method="sdirk4")
        self.program, self.numbers = prepared.program, prepared.numbers
        self.engine, self.start = prepared.engine, assembled(prepared, 0.0).state

    def run(self, end: float, **options: Any) -> tuple[float, float, int]:
        """Seconds, error, steps of a run to `end`, of which the end alone is stored."""
        settings = RunOptions(end=end, **options)
        start = clock()
        done = self.engine.integrate(self.start, np.array([end]), settings)
        seconds = clock() - start
        if done.report.outcome:
            raise RuntimeError(done.report.text)
        return seconds, error(end, done.state[-1, 2 : self.program.nq : 3]), done.report.steps

    def numbers_of_the_model(self, peer: Any) -> Any:
        """The same mechanism for the other side."""
        p, numbers = self.program, self.numbers
        bodies = [
            (
                float(numbers.mass[k]),
                float(numbers.inertia[k][2, 2]),
                tuple(map(float, self.start[3 * k : 3 * k + 3])),
            )
            for k in range(len(p.bodies))
        ]
        hinges = []
        for view in p.joints.values():
            use = p.constraints[view.constraint]
            a, b = (tuple(map(float, numbers.data[at : at + 2])) for at in (use.data, use.data + 12))
            hinges.append((use.a, use.b, a, b))
        spring = next(use for use in p.forces if use.name == "spring")
        anchor, point = (
            tuple(map(float, numbers.data[at : at + 2])) for at in (spring.data, spring.data + 12)
        )
        return peer.Squeezer(bodies, hinges, (anchor, spring.bodies[1], point, 4530.0, 0.07785), 0.033)


def measure(rounds: int, peer: Any, quick: bool) -> dict[str, Any]:
    """The runs (front of each method), times at equal error, and settings with which a run failed."""
    rows, failed = race(_candidates(Ours(), peer, quick), rounds, patience=0.2 if quick else 1.0)
    return {"runs": fronts(rows), "levels": at_levels(rows, LEVELS, ORDERS), "failed": failed}


def _candidates(ours: Ours, peer: Any, quick: bool) -> Iterator[tuple[dict[str, Any], Run]]:
    thin = slice(None, None, 3 if quick else 1)
    for step in (2e-4, 1.5e-4, 1e-4, 7e-5, 5e-5, 3e-5, 2e-5, 1e-5, 5e-6)[thin]:
        yield {"side": "wheelwork", "method": "rk4", "step": step}, _ours(ours, method="rk4", step=step)
    for k in list(range(3, 13))[thin]:
        settings = {"rtol": 10.0**-k, "atol": 10.0 ** (-k - 2)}
        for method in ("dopri5", "sdirk4"):
            label = {"side": "wheelwork", "method": method, "tolerance": 10.0**-k}
            yield label, _ours(ours, method=method, **settings)
    if peer is None:
        return
    model = ours.numbers_of_the_model(peer)
    for step, tolerances in PEER_STEPS[thin]:
        for tolerance in tolerances:
            for method in ("TrapezoidalIndex2", "GeneralizedAlpha"):
                settings = replace(peer.BEST, method=method, tolerance=tolerance)
                label = {"side": "exudyn", "method": method, "step": step, "tolerance": tolerance}
                yield label, _theirs(peer, model, step, settings)


PEER_STEPS: tuple[tuple[float, tuple[float, ...]], ...] = (
    (3e-4, (1e-4, 1e-5, 1e-6)),
    (2e-4, (1e-5, 1e-6, 1e-7)),
    (1e-4, (1e-5, 1e-6, 1e-7)),
    (6e-5, (1e-5, 1e-6, 1e-7)),
    (3e-5, (1e-6, 1e-7, 1e-8)),
    (1.5e-5, (1e-6, 1e-7, 1e-8)),
    (6e-6, (1e-7, 1e-8, 1e-9)),
    (3e-6, (1e-8, 1e-9)),
    (1.5e-6, (1e-9, 1e-10)),
)
"""Steps with the Newton tolerances worth trying."""


def _ours(ours: Ours, **settings: Any) -> Run:
    def side(label: dict[str, Any]) -> float:
        if "error" not in label:
            label["error"] = max(ours.run(t, **settings)[1] for t in TIMES)
        seconds, _, label["steps"] = ours.run(TIMES[-1], **settings)
        return seconds

    return side


def _theirs(peer: Any, model: Any, step: float, settings: Any) -> Run:
    def side(label: dict[str, Any]) -> float:
        if "error" not in label:
            label["error"] = max(error(t, peer.simulate(model, step, t, settings).angles) for t in TIMES)
        run = peer.simulate(model, step, TIMES[-1], settings)
        label["steps"] = run.count
        return run.solve

    return side
