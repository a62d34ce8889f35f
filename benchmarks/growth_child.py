"""One model of one size on one side: what `growth.py` runs in new processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wheelwork.engine.engine import RunOptions
from wheelwork.system.attitude import rotation_matrices

from . import model as chain_model
from . import train_model
from .measure import per_step
from .ready import Ready

STEP = 1e-3
STEPS = 20
"""After which places are compared; a time is that of a step within as many more as take longer than a call does."""

Run = Callable[[int], tuple[float, np.ndarray]]
"""Some steps from the start: seconds, and angles of the wheels or the place of the last rod's end."""


def ours(model: str, formulation: str, n: int) -> Run:
    """Describe, derive, compile or load."""
    chain = model == "chain"
    housing = "turning" if "turning" in model else "fixed"
    mechanism = chain_model.describe(n) if chain else train_model.describe(n, housing)
    ready = Ready(mechanism, "rk4", reduced=formulation == "reduced")

    def run(steps: int) -> tuple[float, np.ndarray]:
        seconds, done = ready.integrate(formulation, RunOptions(end=steps * STEP, method="rk4", step=STEP))
        q = done.state[-1][: ready.engine.program.nq].reshape(-1, 7)
        R = rotation_matrices(q[:, 3:])
        if chain:
            return seconds, q[-1, :3] + 0.5 * R[-1, :, 0]
        wheels, carrier = (R[1:], R[0]) if housing == "turning" else (R, np.eye(3))
        return seconds, train_model.angles(wheels, carrier)

    return run


def theirs(model: str, side: str, n: int) -> Run:
    """The same by a peer; its models are built anew for every run, which is not timed."""
    if model == "chain":
        return _their_chain(side, n)
    housing = "turning" if "turning" in model else "fixed"
    form = {"exudyn bodies": "relative", "exudyn tree": "tree", "mujoco": "RK4"}[side]
    if side == "mujoco":
        from .peers.mujoco_train import simulate
    else:
        from .peers.exudyn_train import simulate

    def run(steps: int) -> tuple[float, np.ndarray]:
        seconds, _, phi = simulate(n, housing, form, STEP, steps * STEP)
        return seconds, phi

    return run


def _their_chain(side: str, n: int) -> Run:
    def run(steps: int) -> tuple[float, np.ndarray]:
        end = steps * STEP
        if side == "mujoco":
            from .peers import mujoco_chain

            done = mujoco_chain.simulate(n, STEP, end=end)
            return done.solve, done.points[-1]
        from .peers import exudyn_chain

        if side == "exudyn tree":
            found = exudyn_chain.simulate_tree(n, STEP, "RK44", end=end)
        else:
            found = exudyn_chain.simulate(n, STEP, end=end)
        return found.steps, found.points[-1]

    return run


def step(run: Run, model: str) -> dict[str, Any]:
    """Seconds of a step, and errors after `STEPS`."""
    found = run(STEPS)[1]
    result: dict[str, Any] = {"seconds": per_step(lambda count: run(count)[0], STEPS)}
    if model == "chain":
        return result | {"tip": found.tolist()}
    return result | train_model.errors(found, STEPS * STEP)
