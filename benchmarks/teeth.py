"""Teeth in contact: the paper's test bench beside SciPy at equal error, and a planetary stage against real time.

The bench is ``src/wheelwork/examples/tooth-contact.yaml`` with the torque always in one sense: 10 s from rest, 23 turns
of the pinion. Its error is the largest of the arcs of both wheels on their base circles and of the slider's way [m] at
five times: what is left between the arcs is the transmission error, of 2e-6 m. The reference is in ``reference/``.

The stage is ``src/wheelwork/examples/planetary-contact.yaml``, 1000 rpm, 1 s. Its error is the largest of the arcs of
sun, carrier and planets on their pitch circles, against a run with the tolerance 1e-10.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.engine import RunOptions

from .measure import Run, at_levels, clock, fronts, race
from .peers.scipy_teeth import Bench
from .ready import Ready
from .train_model import wrapped

TEETH = (20, 22)
TIMES = np.array([2.0, 4.0, 6.0, 8.0, 10.0])
LEVELS = (1e-6, 1e-7, 1e-8, 1e-9)
"""Errors at which the sides are compared [m]."""
ORDERS = {"wheelwork": 5, "floats": 5, "arrays": 5}
FORMULATIONS = ("absolute", "reduced")
STAGE_END = 1.0
STAGE_RADII = np.array([0.036, 0.09, 0.054, 0.054, 0.054])
"""Of sun, carrier's pins, planets [m]."""
REFERENCE = Path(__file__).parent / "reference" / "teeth_states.json"


@functools.cache
def reference() -> dict[int, np.ndarray]:
    """Angles of pinion and gear [rad] and way of the slider [m] at `TIMES`, by the teeth of the pinion."""
    return {int(z): np.array(states) for z, states in json.loads(REFERENCE.read_text()).items()}


def error(bench: Bench, found: np.ndarray, exact: np.ndarray) -> float:
    """The largest of all arcs and ways [m]; whole turns are not seen."""
    apart = found - exact
    apart[:, :2] = wrapped(apart[:, :2])
    return float(np.abs(apart * np.array([*bench.base, 1.0])).max())


def measure(rounds: int, quick: bool) -> dict[str, Any]:
    """Of the bench, for each number of teeth: runs (front of each side) and times at equal error; runs of the stage."""
    return {"bench": [_bench(z, rounds, quick) for z in TEETH[quick:]], "stage": _stage(rounds, quick)}


# -- the bench


class Ours(Ready):
    """The bundled example."""

    def __init__(self, teeth: int):
        model = ww.load(examples.path("tooth-contact"))
        super().__init__(model.with_parameters(pinion_teeth=teeth, reverse="1e9 s"), "dopri5")

    def states(
        self, formulation: str, times: np.ndarray = TIMES, **options: Any
    ) -> tuple[float, np.ndarray, int]:
        """Seconds; angles of pinion and gear and way of the slider at the times; steps."""
        seconds, done = self.integrate(formulation, RunOptions(end=float(times[-1]), **options), times)
        pinion, gear = self.places(done.state, 2)
        return seconds, np.column_stack([pinion[1], gear[1], gear[0] - Bench().distance]), done.report.steps


def _bench(teeth: int, rounds: int, quick: bool) -> dict[str, Any]:
    rows, _ = race(_candidates(Bench(teeth), quick), rounds, patience=2.0)
    return {"teeth": teeth, "runs": fronts(rows), "levels": at_levels(rows, LEVELS, ORDERS)}


def _candidates(bench: Bench, quick: bool) -> Iterator[tuple[dict[str, Any], Run]]:
    ours = Ours(bench.teeth)
    for k in (6, 8) if quick else (5, 6, 7, 8):
        for formulation in FORMULATIONS:
            settings = {"rtol": 10.0**-k, "atol": 10.0 ** (-k - 2)}
            label = {"side": "wheelwork", "method": formulation, "tolerance": 10.0**-k}
            yield label, _ours(ours, bench, formulation, settings)
        settings = {"method": "dop853", "rtol": 10.0**-k, "atol": 10.0 ** (-k - 2)}
        label = {"side": "wheelwork", "method": "reduced, dop853", "tolerance": 10.0**-k}
        yield label, _ours(ours, bench, "reduced", settings)
    methods = {"floats": {"RK45": (6,), "LSODA": (5, 6, 7)}, "arrays": {"LSODA": (5, 6)}}
    if quick:
        methods = {"floats": {"LSODA": (6,)}}
    for spelling, tolerances in methods.items():
        for method, powers in tolerances.items():
            for k in powers:
                settings = {"rtol": 10.0**-k, "atol": 10.0 ** (-k - 3), "method": method}
                label = {"side": spelling, "method": method, "tolerance": 10.0**-k}
                yield label, by_scipy(bench, spelling, settings)


def _ours(ours: Ours, bench: Bench, formulation: str, settings: dict[str, Any]) -> Run:
    def side(label: dict[str, Any]) -> float:
        seconds, found, label["steps"] = ours.states(formulation, **settings)
        label["error"] = error(bench, found, reference()[bench.teeth])
        return seconds

    return side


def by_scipy(bench: Bench, spelling: str, settings: dict[str, Any]) -> Run:
    def side(label: dict[str, Any]) -> float:
        rates = getattr(bench, spelling)()
        start = clock()
        try:
            done = bench.run(rates, TIMES[-1], t_eval=TIMES, first_step=1e-6, **settings)
        except (
            ValueError
        ) as beyond:  # at loose tolerances steps may leave all positions in which involutes meet
            raise RuntimeError(str(beyond)) from None
        seconds = clock() - start
        if not done.success:
            raise RuntimeError(done.message)
        found = done.y[:3].T - np.array([0.0, bench.gap / bench.base[1], 0.0])
        label["evaluations"], label["error"] = done.nfev, error(bench, found, reference()[bench.teeth])
        return seconds

    return side


# -- the stage


def _stage(rounds: int, quick: bool) -> list[dict[str, Any]]:
    """Of each tolerance: seconds of `STAGE_END` s of motion, error, steps."""
    stage = Ready(ww.load(examples.path("planetary-contact")), "dopri5")

    def run(label: dict[str, Any], rtol: float) -> tuple[float, np.ndarray]:
        options = RunOptions(end=STAGE_END, rtol=rtol, atol=rtol / 100)
        seconds, done = stage.integrate(label["formulation"], options)
        label["steps"] = done.report.steps
        return seconds, np.array([turned[-1] for _, turned in stage.places(done.state, 5)])

    _, exact = run({"formulation": "reduced"}, 1e-10)

    def side(label: dict[str, Any]) -> float:
        seconds, found = run(label, label["tolerance"])
        label["error"] = float(np.abs(wrapped(found - exact) * STAGE_RADII).max())
        return seconds

    powers = (6,) if quick else (4, 5, 6, 8)
    rows = [{"formulation": of, "tolerance": 10.0**-k} for k in powers for of in FORMULATIONS]
    return race([(row, side) for row in rows], rounds)[0]
