"""Studies on a graphics processor: `python -m benchmarks.study_device`, where there are CuPy and a device.

The yaw drive, rk4, double precision: steps per second of `Study(engine="gpu")`, beside JAX with the same method written
by hand and diffrax (Tsit5, fixed step), both of which have to evaluate hand-written equations of the same drive.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.examples.yaw_drive.responses import base_radii

from .yaw_arrays import STEP, by_diffrax, jax_by_hand

FORCE = "mesh1.force.transverse"


def study(count: int, end: float, samples: int = 1000) -> ww.Study:
    """Four motors whose torques scatter."""
    varied: dict[str, Any] = {
        "torque": "50 N*m normal",
        **{f"extra{k}": "50 N*m normal" for k in (1, 2, 3, 4)},
    }
    measures = {"peak": f"greatest({FORCE})", "mean": f"mean({FORCE})", "rms": f"rms({FORCE})"}
    made: dict[str, Any] = {"count": count, "end": end, "method": "rk4", "step": STEP, "samples": samples}
    return ww.Study(ww.load(examples.path("yaw-drive")), varied, measures=measures, **made)


def whole(count: int, end: float) -> dict[str, float]:
    """Seconds of a study, everything included, and steps per second."""
    began = time.perf_counter()
    table = study(count, end).run(engine="gpu", progress=False)
    seconds = time.perf_counter() - began
    good = int((table.outcome == "reached end").sum())
    return {
        "variants": count,
        "reached_end": good,
        "seconds": seconds,
        "steps_per_second": table.attrs["steps"] / seconds,
    }


def same_digits(count: int = 512) -> float:
    """Largest difference to lanes of the processor, relative."""
    made = study(count, 0.05)
    one, other = (made.run(engine=engine, progress=False) for engine in ("gpu", "lanes"))
    return max(float(np.abs(one[n] / other[n] - 1).max()) for n in ("peak", "mean", "rms"))


def kernel(count: int, end: float) -> dict[str, float]:
    """Steps a second of the code alone, with numbers and results carried there and back."""
    made = study(count, end, round(end / STEP / 200))
    (group,), _ = made._lanes()  # type: ignore[misc]
    from wheelwork.engine.devices import OnDevice

    began = time.perf_counter()
    group.lanes = OnDevice(group.program, "rk4")
    group.lanes.code  # noqa: B018  # loads it
    compiled = time.perf_counter() - began
    chosen, best, steps, found = np.arange(count), 1e9, 0, None
    for _ in range(2):
        began = time.perf_counter()
        found = group.run(made.options, made.span, made.variants.values, chosen, None, None)
        best, steps = min(best, time.perf_counter() - began), int(found.steps.sum())
    assert found is not None
    return {
        "compile": compiled,
        "steps_per_second": steps / best,
        "rejected": float(found.rejected.sum() / steps),
    }


def drive_numbers() -> dict[str, float]:
    """Parameters of the yaw drive, and its base radii, for :mod:`.yaw_arrays`."""
    mechanism = ww.load(examples.path("yaw-drive"))
    pinion, gear = base_radii(mechanism)
    own = {name: float(value) for name, value in mechanism.assemble().prepared.numbers.parameters.items()}
    return own | {"pinion_radius": float(pinion), "gear_radius": float(gear)}


def measure(quick: bool) -> dict[str, Any]:
    """All that there is to measure on this machine; empty without a device."""
    from wheelwork.engine.device_run import NoDevice, cupy

    try:
        module = cupy()
    except NoDevice as reason:
        return {"why_not": str(reason)}
    found: dict[str, Any] = {"device": module.cuda.runtime.getDeviceProperties(0)["name"].decode()}
    found["difference_to_lanes"] = same_digits()
    found["kernel"] = kernel(2**16 if quick else 2**18, 0.2)  # so long that the way there and back is short
    found["study"] = whole(10_000 if quick else 1_000_000, 2.0)
    if find_spec("jax"):
        found["jax"] = jax_by_hand(drive_numbers(), 2**17, 500)
    if find_spec("diffrax"):
        found["diffrax"] = by_diffrax(drive_numbers(), 2**17, 200)
    return found


if __name__ == "__main__":
    for name, value in measure(False).items():
        print(f"{name}: {value}", flush=True)
