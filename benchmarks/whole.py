"""Whole tasks in new processes: from a description to a result, from an empty cache, from a full one, and again.

Times are processor time after the imports, the compiler's processes with it. Of a peer `cold` and `cached` are the
same: it has nothing to derive or to compile. Memory is the peak of the process, and what of it came after the imports.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from typing import Any

from .start import child

Prepared = Callable[[], tuple[float, Callable[[], float]]]
"""A run of a model that is ready: seconds, and its error when asked for."""

MODELS = {
    "chain": ("chain of 43 rods", "m"),
    "squeezer": ("Andrews' squeezer", "rad"),
    "train": ("train of 50 wheels", "rad"),
    "yaw": ("yaw drive", "rad"),
    "teeth": ("tooth contact bench", "m"),
}
"""Title, and unit of the error."""
TASKS = {
    "chain": ("wheelwork", "exudyn", "mujoco"),
    "squeezer": ("wheelwork", "exudyn"),
    "train": ("wheelwork", "exudyn", "mujoco"),
    "yaw": ("wheelwork", "exudyn", "scipy"),
    "teeth": ("wheelwork", "scipy"),
}


def measure(peers: list[str], quick: bool) -> list[dict[str, Any]]:
    """Of each model and side: seconds cold, cached and warm, error, memory; the best of some processes."""
    rows = []
    for model in ("chain",) if quick else TASKS:
        for side in TASKS[model]:
            if side == "wheelwork" or side in peers:
                rows.append({"model": model, "side": side, **_task(model, side, 1 if quick else 3)})
    return rows


def _task(model: str, side: str, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
        cold = child(cache, "whole", model, side) if side == "wheelwork" else None
        found = [child(cache, "whole", model, side)]
        while len(found) < rounds and found[-1]["total"] < 3.0:
            found.append(child(cache, "whole", model, side))
    best = min(found, key=lambda run: run["total"])
    return {
        "cold": (cold or best)["total"],
        "cached": best["total"],
        "warm": min(run["again"] for run in found),
        "error": best["error"],
        "peak": max(run["peak"] for run in [*found, *([cold] if cold else [])]),
        "imports": best["imports"],
    }


# -- what the processes do: imports and numbers of the model first, then `prepare`


def task(model: str, side: str) -> Callable[[], Prepared]:
    """All that is imported beforehand; what it returns makes the model ready."""
    return globals()[f"_{model}_{side}"]()


def _chain_wheelwork() -> Callable[[], Prepared]:
    from .chain import Chain

    def prepare() -> Prepared:
        chain = Chain(43)

        def run() -> tuple[float, Callable[[], float]]:
            done = chain.run("dopri5", rtol=1e-6, atol=1e-6)
            return done.seconds, lambda: done.error

        return run

    return prepare


def _chain_exudyn() -> Callable[[], Prepared]:
    from .peers import exudyn_chain

    return lambda: _chain(functools.partial(exudyn_chain.simulate, 43, 1e-3))


def _chain_mujoco() -> Callable[[], Prepared]:
    from .peers import mujoco_chain

    return lambda: _chain(functools.partial(mujoco_chain.simulate, 43, 1e-2))


def _chain(simulate: Callable[[], Any]) -> Prepared:
    def run() -> tuple[float, Callable[[], float]]:
        done = simulate()

        def error() -> float:
            from .chain import largest_error  # with all of Wheelwork, which is not the peer's to load

            return largest_error(done.points)

        return done.solve, error

    return run


def _squeezer_wheelwork() -> Callable[[], Prepared]:
    from . import squeezer

    def prepare() -> Prepared:
        ours = squeezer.Ours()

        def run() -> tuple[float, Callable[[], float]]:
            seconds, error, _ = ours.run(0.03, method="dopri5", rtol=1e-6, atol=1e-8)
            return seconds, lambda: error

        return run

    return prepare


def _squeezer_exudyn() -> Callable[[], Prepared]:
    from . import squeezer
    from .peers import exudyn_squeezer

    model = squeezer.Ours().numbers_of_the_model(exudyn_squeezer)

    def run() -> tuple[float, Callable[[], float]]:
        done = exudyn_squeezer.simulate(model, 3e-5, 0.03)
        return done.solve, lambda: squeezer.error(0.03, done.angles)

    return lambda: run


def _train_wheelwork() -> Callable[[], Prepared]:
    from .train import Train

    def prepare() -> Prepared:
        train = Train(50, "fixed")
        return _angles(functools.partial(train.run, "reduced", 2e-2))

    return prepare


def _train_exudyn() -> Callable[[], Prepared]:
    from .peers import exudyn_train

    return lambda: _angles(functools.partial(exudyn_train.simulate, 50, "fixed", "tree", 1e-3))


def _train_mujoco() -> Callable[[], Prepared]:
    from .peers import mujoco_train

    return lambda: _angles(functools.partial(mujoco_train.simulate, 50, "fixed", "RK4", 1e-3))


def _angles(simulate: Callable[[], Any]) -> Prepared:
    from .train_model import errors

    def run() -> tuple[float, Callable[[], float]]:
        seconds, _, phi = simulate()
        return seconds, lambda: errors(phi)["motion"]

    return run


def _yaw_wheelwork() -> Callable[[], Prepared]:
    from . import yaw

    def prepare() -> Prepared:
        return _yaw(functools.partial(yaw.Ours().run, method="dopri5", rtol=1e-6, atol=1e-9))

    return prepare


def _yaw_exudyn() -> Callable[[], Prepared]:
    from . import yaw_model
    from .peers import exudyn_yaw

    yaw_model.numbers()
    return lambda: _yaw(functools.partial(exudyn_yaw.simulate, "RK44", 5e-5))


def _yaw_scipy() -> Callable[[], Prepared]:
    from . import yaw, yaw_model

    yaw_model.numbers()
    return lambda: _yaw(functools.partial(yaw.by_scipy, "DOP853", 1e-6))


def _yaw(simulate: Callable[[], Any]) -> Prepared:
    from . import yaw_model

    def run() -> tuple[float, Callable[[], float]]:
        seconds, _, angles = simulate()
        return seconds, lambda: yaw_model.error(angles)

    return run


def _teeth_wheelwork() -> Callable[[], Prepared]:
    from . import teeth

    def prepare() -> Prepared:
        ours = teeth.Ours(22)

        def run() -> tuple[float, Callable[[], float]]:
            seconds, found, _ = ours.states("reduced", rtol=1e-6, atol=1e-8)
            return seconds, lambda: teeth.error(teeth.Bench(22), found, teeth.reference()[22])

        return run

    return prepare


def _teeth_scipy() -> Callable[[], Prepared]:
    from . import teeth

    bench = teeth.Bench(22)

    def prepare() -> Prepared:
        def run() -> tuple[float, Callable[[], float]]:
            label: dict[str, Any] = {}
            seconds = teeth.by_scipy(bench, "floats", {"rtol": 1e-6, "atol": 1e-9, "method": "LSODA"})(label)
            return seconds, lambda: label["error"]

        return run

    return prepare
