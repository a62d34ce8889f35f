"""Studies: steps per second in lanes, tooth contact, a new user's map, the first variant, Dask, memory, a device.

Speeds of one core are by processor time, those of several by the clock, with processor time beside them: measure on an
idle machine. Single runs are `Study.one`, one after the other; of many, some are measured and the rest is multiplied.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine.threads import cores

from . import study_device
from .start import child
from .teeth import Bench, error, reference
from .yaw_arrays import STEP, equations

YAW = "yaw-drive"
FORCE = "mesh1.force.transverse"
CONTACT = 1e-6
"""Error at which the tooth-contact bench is run [m]."""
TEETH = 22
LANES_FULL = 512
"""Variants of the yaw drive: enough that threads which start and code that is made beside them count little."""


def measure(quick: bool) -> dict[str, Any]:
    """All of it; `device` says why it is empty where there is none."""
    return {
        "cores": cores(),
        "rk4": {str(n): speed(n) for n in dict.fromkeys((1, cores()))} | {"scipy": by_scipy()},
        "contact": contact(100 if quick else 1000, 2 if quick else 20),
        "map": new_users_map(),
        "first": first_variant(1 if quick else 3),
        "dask": by_dask(10_000 if quick else 100_000) if find_spec("distributed") else None,
        "memory": child("", "study_memory", 10_000 if quick else 100_000),
        "device": study_device.measure(quick),
    }


@contextlib.contextmanager
def timed(into: dict[str, float]) -> Iterator[None]:
    """Seconds by the clock and of the processors of this process."""
    began, used = time.perf_counter(), time.process_time()
    yield
    into["seconds"], into["processor"] = time.perf_counter() - began, time.process_time() - used


# -- the yaw drive with a fixed step


def speed(threads: int) -> float:
    """Steps of rk4 a second, with a measure."""
    varied: dict[str, Any] = {"torque": f"1.8 kN*m to 2.2 kN*m in {LANES_FULL}"}
    given: dict[str, Any] = {"measures": {"peak": f"greatest({FORCE})"}, "samples": 100}
    study = ww.Study(ww.load(examples.path(YAW)), varied, end=0.2, method="rk4", step=STEP, **given)
    (group,), _ = study._lanes()  # type: ignore[misc]
    group.lanes.code  # noqa: B018  # made before the clock starts
    best = 0.0
    for _ in range(5):
        clock = time.process_time if threads == 1 else time.perf_counter
        began = clock()
        found = group.run(
            study.options, study.span, study.variants.values, np.arange(LANES_FULL), threads, None
        )
        best = max(best, found.steps.sum() / (clock() - began))
    return best


def by_scipy() -> float:
    """Steps of RK45 a second of the same drive in NumPy, at steps of about the same length."""
    p = study_device.drive_numbers()
    rates, torques = equations(np, p), np.full(4, p["torque"])
    best = 0.0
    for _ in range(3):
        began = time.process_time()
        found = solve_ivp(
            lambda t, y: rates(t, y, torques), (0.0, 0.02), np.zeros(20), method="RK45", max_step=STEP
        )
        best = max(best, (len(found.t) - 1) / (time.process_time() - began))
    return best


# -- the tooth-contact bench


def contact(count: int, singles: int) -> dict[str, Any]:
    """Variants of the bench, 10 s each, whose torque differs: lanes in threads, and single runs one after the other.

    The tolerance of each is the loosest of a row at which the variant of the paper is right to `CONTACT`.
    """
    lanes, single = _loose_enough(_by_lanes), _loose_enough(_by_itself)
    study = _bench(np.linspace(900.0, 1100.0, count), lanes)
    run: dict[str, Any] = {"variants": count, "lanes_tolerance": lanes, "single_tolerance": single}
    with timed(run):
        table = study.run(engine="lanes", progress=False)
    run["failed"] = int((table.outcome != "reached end").sum())
    beside, took = _bench(np.linspace(900.0, 1100.0, singles), single), dict[str, float]()
    beside.one(0)
    with timed(took):
        for k in range(singles):
            beside.one(k)
    run |= {"single_seconds": took["processor"] / singles * count, "single_measured": singles}
    return run


def _bench(torques: np.ndarray, rtol: float) -> ww.Study:
    mechanism = ww.load(examples.path("tooth-contact")).with_parameters(pinion_teeth=TEETH, reverse="1e9 s")
    signals = {
        "pinion": "`pinion-bearing.angle`",
        "gear": "`gear-bearing.angle`",
        "way": "guide.displacement",
    }
    measures = {name: f"last({signal})" for name, signal in signals.items()}
    given: dict[str, Any] = {"rtol": rtol, "atol": 1e-2 * rtol, "end": 10.0, "samples": 1000}
    return ww.Study(mechanism, {"torque": torques}, measures=measures, **given)


def _by_lanes(study: ww.Study) -> np.ndarray:
    table = study.run(engine="lanes", progress=False)
    return np.array([float(table[name][0]) for name in ("pinion", "gear", "way")])


def _by_itself(study: ww.Study) -> np.ndarray:
    found = study.one(0).measured
    return np.array([float(found[name]) for name in ("pinion", "gear", "way")])


def _loose_enough(run: Callable[[ww.Study], np.ndarray]) -> float:
    bench = Bench(TEETH)
    for rtol in (1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8):
        found = run(_bench(np.array([1000.0]), rtol))
        if error(bench, found[None], reference()[TEETH][-1:]) < CONTACT:
            return rtol
    raise RuntimeError(f"no tolerance reaches {CONTACT:g} m")


# -- what a user waits for


def new_users_map() -> dict[str, Any]:
    """10 x 10 x 10 variants of the yaw drive, everything included."""
    found: dict[str, Any] = {}
    with timed(found):
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
        ).run(progress=False)
    return found | {"engine": table.attrs["engine"], "failed": int((table.outcome != "reached end").sum())}


def first_variant(rounds: int) -> dict[str, dict[str, float]]:
    """From a description to the first result in a new process; see `child.study_first`."""
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
            for kind in ("empty cache", "full cache"):
                found.setdefault(kind, []).append(child(cache, "study_first"))
    return {kind: min(runs, key=lambda run: run["seconds"]) for kind, runs in found.items()}


def by_dask(count: int) -> dict[str, float]:
    """Two local workers with a thread each beside two threads of this process, the study derived anew in both.

    The workers have run another study before, so that they have loaded Wheelwork.
    """
    from distributed import Client, LocalCluster  # an extra

    study, found = study_device.study(count, 0.05, 100), {"variants": float(count)}
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        study_device.study(4, 0.001, 2).run(client=client, progress=False)
        before: Any = client.run(time.process_time)
        began = time.perf_counter()
        study.run(client=client, progress=False)
        found["workers"] = time.perf_counter() - began
        after: Any = client.run(time.process_time)
        found["workers_processor"] = sum(after.values()) - sum(before.values())
    took: dict[str, float] = {}
    with timed(took):
        study.run(threads=2, progress=False)
    return found | {"threads": took["seconds"], "threads_processor": took["processor"]}
