"""Studies on a graphics processor: `python -m benchmarks.study_device`, where there are CuPy and a device.

The yaw drive, rk4, double precision: steps a second of `Study(engine="gpu")`, beside JAX with the same method written
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

FORCE = "mesh1.force.transverse"
STEP = 1e-5


def study(count: int, end: float) -> ww.Study:
    """Four motors whose torques scatter."""
    varied: dict[str, Any] = {
        "torque": "50 N*m normal",
        **{f"extra{k}": "50 N*m normal" for k in (1, 2, 3, 4)},
    }
    measures = {"peak": f"greatest({FORCE})", "mean": f"mean({FORCE})", "rms": f"rms({FORCE})"}
    made: dict[str, Any] = {"count": count, "end": end, "method": "rk4", "step": STEP, "samples": 1000}
    return ww.Study(ww.load(examples.path("yaw-drive")), varied, measures=measures, **made)


def whole(count: int, end: float) -> dict[str, float]:
    """Seconds of a study, everything included, and steps a second."""
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
    made = study(count, end)
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


def equations(np_: Any) -> Any:
    """The drive in arrays of NumPy's kind, y = (angles, speeds) of gear, nacelle, pinions, motors; (t, y, torques)."""
    m = ww.load(examples.path("yaw-drive"))
    p = m.assemble().prepared.numbers.parameters
    pinion, gear = base_radii(m)
    J = np.array(
        [p["gear_inertia"], p["load_inertia"], *[p["pinion_inertia"]] * 4, *[p["motor_inertia"]] * 4]
    )
    k, range_, c, B = p["mesh_stiffness"], p["stiffness_range"], p["mesh_damping"], p["backlash"] / 2
    shaft, damping, gear_damping = p["shaft"], p["shaft_damping"], p["gear_shaft_damping"]
    teeth, phases, errors = 18, np.array([0.0, 0.75, 0.5, 0.25]) * 2 * np.pi, np.arange(4) * np.pi / 2

    def rates(t: Any, y: Any, torques: Any) -> Any:
        x, v = y[:10], y[10:]
        phase, turn = teeth * x[2:6] + phases, x[2:6] + errors
        u = pinion * x[2:6] + gear * x[0] - p["pitch_error"] * np_.sin(phase) - p["run_out"] * np_.sin(turn)
        slope = teeth * p["pitch_error"] * np_.cos(phase) + p["run_out"] * np_.cos(turn)
        stiffness = k + 0.5 * range_ * np_.sin(phase)
        force = stiffness * (u - np_.clip(u, -B, B)) + c * (pinion * v[2:6] + gear * v[0] - slope * v[2:6])
        twist = shaft * (x[6:] - x[2:6]) + damping * (v[6:] - v[2:6])
        last = 10 * shaft * (x[1] - x[0]) + gear_damping * (v[1] - v[0])
        pull = np_.concatenate(
            [
                np_.stack([last - gear * force.sum(), p["load"] - p["drag"] * (p["speed"] + v[1]) - last]),
                twist - pinion * force,
                torques - twist,
            ]
        )
        return np_.concatenate([v, pull / J])

    return rates


def jax_by_hand(count: int, steps: int) -> float:
    """Steps of rk4 a second."""
    import jax  # pyright: ignore[reportMissingImports]  # on the device
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]

    jax.config.update("jax_enable_x64", True)
    rates = equations(jnp)

    def one(torques: Any) -> Any:
        def step(y: Any, _: Any) -> tuple[Any, Any]:
            k1 = rates(0.0, y, torques)
            k2 = rates(0.0, y + 0.5 * STEP * k1, torques)
            k3 = rates(0.0, y + 0.5 * STEP * k2, torques)
            k4 = rates(0.0, y + STEP * k3, torques)
            return y + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        return jax.lax.scan(step, jnp.zeros(20), None, length=steps)[0]

    run = jax.jit(jax.vmap(one))
    return _timed(lambda torques: run(torques).block_until_ready(), count) * steps


def by_diffrax(count: int, steps: int) -> float:
    """Steps of Tsit5 a second."""
    import diffrax  # pyright: ignore[reportMissingImports]
    import jax  # pyright: ignore[reportMissingImports]  # on the device
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]

    jax.config.update("jax_enable_x64", True)
    rates = equations(jnp)

    def one(torques: Any) -> Any:
        found = diffrax.diffeqsolve(
            diffrax.ODETerm(rates), diffrax.Tsit5(), 0.0, steps * STEP, STEP, jnp.zeros(20), args=torques,
            saveat=diffrax.SaveAt(t1=True), max_steps=None, adjoint=diffrax.DirectAdjoint()
            if hasattr(diffrax, "DirectAdjoint") else diffrax.RecursiveCheckpointAdjoint(),
        )  # fmt: skip
        return found.ys[-1]

    run = jax.jit(jax.vmap(one))
    return _timed(lambda torques: run(torques).block_until_ready(), count) * steps


def _timed(run: Any, count: int) -> float:
    """Variants a second, the second time."""
    torques = 2000 + 50 * np.random.default_rng(0).normal(size=(count, 4))
    run(torques)
    began = time.perf_counter()
    run(torques)
    return count / (time.perf_counter() - began)


def measure(quick: bool) -> dict[str, Any]:
    """All that there is to measure on this machine; empty without a device."""
    from wheelwork.engine.device_run import NoDevice, cupy

    try:
        module = cupy()
    except NoDevice as reason:
        return {"why_not": str(reason)}
    found: dict[str, Any] = {"device": module.cuda.runtime.getDeviceProperties(0)["name"].decode()}
    found["difference_to_lanes"] = same_digits()
    found["kernel"] = kernel(2**18 if quick else 2**20, 0.02)
    found["study"] = whole(10_000 if quick else 1_000_000, 2.0)
    if find_spec("jax"):
        found["jax"] = jax_by_hand(2**17, 500)
    if find_spec("diffrax"):
        found["diffrax"] = by_diffrax(2**17, 200)
    return found


if __name__ == "__main__":
    for name, value in measure(False).items():
        print(f"{name}: {value}", flush=True)
