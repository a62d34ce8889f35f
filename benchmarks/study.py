"""Studies: `python -m benchmarks.study` prints steps a second in lanes, a map of 1000 variants, time to the first.

Steps per second are by processor time for one core and by the clock for all of them: measure on an idle machine.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.threads import cores

YAW = "yaw-drive"
FORCE = "mesh1.force.transverse"


def speed(threads: int) -> float:
    """Steps of rk4 a second, yaw drive, with a measure."""
    varied: dict[str, Any] = {"torque": "1.8 kN*m to 2.2 kN*m in 64"}
    given: dict[str, Any] = {"measures": {"peak": f"greatest({FORCE})"}, "samples": 100}
    study = ww.Study(ww.load(examples.path(YAW)), varied, end=0.2, method="rk4", step=1e-5, **given)
    (group,), _ = study._lanes()  # type: ignore[misc]
    group.lanes.code  # noqa: B018  # made before the clock starts
    best = 0.0
    for _ in range(3):
        clock = time.process_time if threads == 1 else time.perf_counter
        began = clock()
        found = group.run(study.options, study.span, study.variants.values, np.arange(64), threads, None)
        best = max(best, found.steps.sum() / (clock() - began))
    return best


def new_users_map() -> tuple[float, str]:
    """Seconds of 10 x 10 x 10 variants of the yaw drive, everything included, and the engine."""
    began = time.perf_counter()
    table = ww.Study(
        ww.load(examples.path(YAW)),
        {
            "backlash": "0.1 mm to 0.4 mm in 10",
            "mesh_stiffness": "3e7 N/m to 4e7 N/m in 10",
            "speed": "3 rad/s to 5 rad/s in 10",
        },
        measures={"factor": f"greatest({FORCE})/mean({FORCE})"},
        end=0.2,
        run_in=0.1,
        rtol=1e-6,
        atol=1e-8,
    ).run()
    return time.perf_counter() - began, table.attrs["engine"]


def first_variant() -> float:
    """Seconds from a file to the result of one variant."""
    began = time.perf_counter()
    made = ww.Study(ww.load(examples.path(YAW)), {"drag": [2000.0]}, measures={"w": "last(gear.w)"}, end=0.01)
    made.run()
    return time.perf_counter() - began


if __name__ == "__main__":
    print(f"first variant from a file: {first_variant():.2f} s (wanted 1)")
    print(f"map of 1000 variants: {'{:.2f} s, {}'.format(*new_users_map())} (wanted 5 s on two cores)")
    print(f"yaw drive, rk4, one core: {speed(1):.3g} steps/s (wanted 1.2e7)")
    print(f"yaw drive, rk4, {cores()} cores: {speed(cores()):.3g} steps/s (wanted 2.2e7 on two)")
