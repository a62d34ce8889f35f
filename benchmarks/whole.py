"""Whole tasks in new processes: from a description to a result, from an empty cache, from a full one, and again.

Times are processor time after the imports, the compiler's processes with it. Of a peer `cold` and `cached` are the
same: it has nothing to derive or to compile. Memory is the peak of the process, and what of it came after the imports.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
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


# -- what the processes do: imports and numbers of the model first, then what makes the model ready


def task(model: str, side: str) -> Callable[[], Prepared]:
    """All that is imported beforehand; what it returns makes the model ready."""
    return globals()[f"_{model}_{side}"]()


def _run(simulate: Callable[[], Any], error: Callable[[Any], float], seconds: Any = 0) -> Prepared:
    """A run whose time is an item or attribute of what `simulate` returns."""

    def run() -> tuple[float, Callable[[], float]]:
        done = simulate()
        spent = done[seconds] if isinstance(seconds, int) else getattr(done, seconds)
        return spent, lambda: error(done)

    return run


def _chain_wheelwork() -> Callable[[], Prepared]:
    from .chain import Chain

    def prepare() -> Prepared:
        simulate = partial(Chain(43).run, "dopri5", rtol=1e-6, atol=1e-6)
        return _run(simulate, lambda done: done.error, "seconds")

    return prepare


def _chain_exudyn() -> Callable[[], Prepared]:
    from .peers import exudyn_chain

    return lambda: _run(partial(exudyn_chain.simulate, 43, 1e-3), _of_chain, "solve")


def _chain_mujoco() -> Callable[[], Prepared]:
    from .peers import mujoco_chain

    return lambda: _run(partial(mujoco_chain.simulate, 43, 1e-2), _of_chain, "solve")


def _of_chain(done: Any) -> float:
    from .chain import largest_error  # with all of Wheelwork, which is not the peer's to load

    return largest_error(done.points)


def _squeezer_wheelwork() -> Callable[[], Prepared]:
    from . import squeezer

    def prepare() -> Prepared:
        simulate = partial(squeezer.Ours().run, 0.03, method="dopri5", rtol=1e-6, atol=1e-8)
        return _run(simulate, lambda done: done[1])

    return prepare


def _squeezer_exudyn() -> Callable[[], Prepared]:
    from . import squeezer
    from .peers import exudyn_squeezer

    model = squeezer.Ours().numbers_of_the_model(exudyn_squeezer)
    simulate = partial(exudyn_squeezer.simulate, model, 3e-5, 0.03)
    return lambda: _run(simulate, lambda done: squeezer.error(0.03, done.angles), "solve")


def _train_wheelwork() -> Callable[[], Prepared]:
    from .train import Train

    return lambda: _run(partial(Train(50, "fixed").run, "reduced", 2e-2), _of_train)


def _train_exudyn() -> Callable[[], Prepared]:
    from .peers import exudyn_train

    return lambda: _run(partial(exudyn_train.simulate, 50, "fixed", "tree", 1e-3), _of_train)


def _train_mujoco() -> Callable[[], Prepared]:
    from .peers import mujoco_train

    return lambda: _run(partial(mujoco_train.simulate, 50, "fixed", "RK4", 1e-3), _of_train)


def _of_train(done: tuple[float, int, Any]) -> float:
    from .train_model import errors

    return errors(done[2])["motion"]


def _yaw_wheelwork() -> Callable[[], Prepared]:
    from . import yaw

    return lambda: _run(partial(yaw.Ours().run, method="dopri5", rtol=1e-6, atol=1e-9), _of_yaw)


def _yaw_exudyn() -> Callable[[], Prepared]:
    from . import yaw_model
    from .peers import exudyn_yaw

    yaw_model.numbers()
    return lambda: _run(partial(exudyn_yaw.simulate, "RK44", 5e-5), _of_yaw)


def _yaw_scipy() -> Callable[[], Prepared]:
    from . import yaw, yaw_model

    yaw_model.numbers()
    return lambda: _run(partial(yaw.by_scipy, "DOP853", 1e-6), _of_yaw)


def _of_yaw(done: tuple[float, int, Any]) -> float:
    from .yaw_model import error

    return error(done[2])


def _teeth_wheelwork() -> Callable[[], Prepared]:
    from . import teeth

    def prepare() -> Prepared:
        simulate = partial(teeth.Ours(22).states, "reduced", rtol=1e-6, atol=1e-8)
        return _run(simulate, lambda done: teeth.error(teeth.Bench(22), done[1], teeth.reference()[22]))

    return prepare


def _teeth_scipy() -> Callable[[], Prepared]:
    from . import teeth

    label: dict[str, Any] = {}
    side = teeth.by_scipy(teeth.Bench(22), "floats", {"rtol": 1e-6, "atol": 1e-9, "method": "LSODA"})
    return lambda: _run(lambda: (side(label),), lambda _: label["error"])
