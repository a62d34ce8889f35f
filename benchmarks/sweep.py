"""Positions per second of driven planar linkages, beside SciPy's fsolve on equations written by hand.

Ours are of two kinds. `engine`: the sweep alone, of a mechanism that is ready. `call`: all of `m.kinematics(...)`, from
the description through the equations to the result. Both give velocities, accelerations, driver torques and joint
reactions at every position as well; fsolve gives positions alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from wheelwork.analyses.assemble import POSITION_TOLERANCE, assembled
from wheelwork.analyses.prepare import prepare

from . import linkages
from .measure import by_turns, clock
from .peers.fsolve_sweep import SWEEPS

TURN = 1000
"""Positions of one turn of the crank."""
MANY = 100
"""Turns of the long sweep."""

MODELS: dict[str, tuple[Callable[[], Any], str, int]] = {
    "four-bar": (linkages.four_bar, "rocker.angle", 9),
    "slider-crank": (linkages.slider_crank, "slider.position.x", 7),
}
"""Description, the signal that is looked at, and its place in the engine's records (time, then x, y, angle a body)."""


def exact(name: str, a: np.ndarray) -> np.ndarray:
    """Angle of the rocker, or way of the slider, in closed form."""
    if name == "slider-crank":
        r, l = linkages.RADIUS, linkages.ROD
        return r * np.cos(a) + np.sqrt(l**2 - (r * np.sin(a)) ** 2)
    crank, coupler, rocker, base = linkages.CRANK, linkages.COUPLER, linkages.ROCKER, linkages.BASE
    B = crank * np.array([np.cos(a), np.sin(a)])
    across = np.array([[base], [0.0]]) - B
    d = np.linalg.norm(across, axis=0)
    lean = np.arctan2(across[1], across[0]) + np.arccos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))
    C = B + coupler * np.array([np.cos(lean), np.sin(lean)])
    return np.arctan2(C[1], C[0] - base)


def measure(rounds: int) -> list[dict[str, Any]]:
    """For each linkage and side: seconds a position, error of the output [rad or m]."""
    return [_linkage(name, rounds) for name in MODELS]


def _linkage(name: str, rounds: int) -> dict[str, Any]:
    describe, signal, place = MODELS[name]
    m = describe()
    prepared = prepare(m)
    at = assembled(prepared, 0.0)
    errors: dict[str, float] = {}
    angles = 2 * math.pi * np.arange(1, TURN + 1) / TURN

    def engine() -> float:
        times = np.linspace(0, MANY, MANY * TURN + 1)
        start = clock()
        swept = prepared.engine.follow(times, at.state, POSITION_TOLERANCE)
        seconds = clock() - start
        assert swept is not None
        found = swept[0][:, place]
        errors["engine"] = float(np.abs(found - exact(name, 2 * math.pi * times)).max())
        return seconds / (MANY * TURN)

    def call(turns: int, key: str) -> Callable[[], float]:
        def side() -> float:
            start = clock()
            result = m.kinematics(end=turns, output=turns * TURN, progress=False)
            seconds = clock() - start
            found = result[signal].to_numpy()
            errors[key] = float(np.abs(found - exact(name, 2 * math.pi * result.t)).max())
            return seconds / (turns * TURN)

        return side

    def peer(key: str) -> Callable[[], float]:
        def side() -> float:
            start = clock()
            found = SWEEPS[name][key](angles)
            seconds = clock() - start
            errors[f"fsolve {key}"] = float(np.abs(found - exact(name, angles)).max())
            return seconds / TURN

        return side

    sides = {
        "engine": engine,
        "call, one turn": call(1, "call, one turn"),
        "call, many turns": call(MANY, "call, many turns"),
    }
    sides |= {f"fsolve {key}": peer(key) for key in SWEEPS[name]}
    m.kinematics(end=1, output=TURN, progress=False)  # compiled before the clock runs
    best = by_turns(sides, rounds)
    return {"linkage": name, "turn": TURN, "many": MANY, "seconds": best, "errors": errors}
