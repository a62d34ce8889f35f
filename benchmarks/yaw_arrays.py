"""The yaw drive written by hand in arrays, for JAX and diffrax: steps per second on a graphics processor.

Needs neither Wheelwork nor CasADi: the numbers of the drive are given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

STEP = 1e-5


def equations(np_: Any, p: Mapping[str, float]) -> Any:
    """(t, y, torques) -> rates in arrays of NumPy's kind; y = (angles, speeds) of gear, nacelle, pinions, motors.

    p: parameters of the bundled model, `pinion_radius` and `gear_radius` of the base circles
    """
    pinion, gear = p["pinion_radius"], p["gear_radius"]
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


def jax_by_hand(p: Mapping[str, float], count: int, steps: int) -> float:
    """Steps of rk4 a second."""
    import jax  # pyright: ignore[reportMissingImports]  # on the device
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]

    jax.config.update("jax_enable_x64", True)
    rates = equations(jnp, p)

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


def by_diffrax(p: Mapping[str, float], count: int, steps: int) -> float:
    """Steps of Tsit5 a second."""
    import diffrax  # pyright: ignore[reportMissingImports]
    import jax  # pyright: ignore[reportMissingImports]  # on the device
    import jax.numpy as jnp  # pyright: ignore[reportMissingImports]

    jax.config.update("jax_enable_x64", True)
    rates = equations(jnp, p)

    def one(torques: Any) -> Any:
        found = diffrax.diffeqsolve(
            diffrax.ODETerm(rates), diffrax.Tsit5(), 0.0, steps * STEP, STEP, jnp.zeros(20), args=torques,
            saveat=diffrax.SaveAt(t1=True), max_steps=None, adjoint=diffrax.DirectAdjoint()
            if hasattr(diffrax, "DirectAdjoint") else diffrax.RecursiveCheckpointAdjoint(),
        )  # fmt: skip
        return found.ys[-1]

    run = jax.jit(jax.vmap(one))
    return _timed(lambda torques: run(torques).block_until_ready(), count) * steps


def _timed(run: Callable[[np.ndarray], Any], count: int) -> float:
    """Variants a second, the second time."""
    torques = 2000 + 50 * np.random.default_rng(0).normal(size=(count, 4))
    run(torques)
    began = time.perf_counter()
    run(torques)
    return count / (time.perf_counter() - began)
