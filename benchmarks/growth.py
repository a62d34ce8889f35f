"""Growth of cost with the number of bodies and of meshes: a step, the time until ready and memory, in new processes.

Trains of N wheels (`train_model.py`) with a fixed housing, and with one body that turns and carries all shafts, and
chains of N rods (`model.py`), in steps of 1 ms from rest. Each (model, side, N) runs in a process of its own, so
that the peak of its memory is its own. The errors are the trains' against the exact motion; ends of chains are
compared with those of Wheelwork in minimal coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .measure import exponent
from .start import child

SIZES = (10, 30, 100, 300, 1000)
QUICK = (10, 100)
SIDES = {
    "ours reduced": "Wheelwork, reduced",
    "ours absolute": "Wheelwork, absolute",
    "exudyn bodies": "Exudyn, bodies",
    "exudyn tree": "Exudyn, kinematic tree",
    "mujoco": "MuJoCo, RK4",
}
MODELS = {
    "train, fixed housing": "wheels (and N - 1 meshes)",
    "train, turning housing": "wheels on one moving body",
    "chain": "rods",
}
LARGEST = {
    ("train, turning housing", "exudyn bodies"): 300,
    ("chain", "exudyn tree"): 300,
}
"""Beyond these a step takes so long that the exponent is clear without it."""


def measure(peers: list[str], quick: bool) -> list[dict[str, Any]]:
    """Of each model: rows by side and N, and exponents of N by side: over all sizes, and from the last but one."""
    chosen = list(MODELS)[:1] if quick else MODELS
    return [_model(model, peers, QUICK if quick else SIZES) for model in chosen]


def _model(model: str, peers: list[str], sizes: tuple[int, ...]) -> dict[str, Any]:
    rows = []
    for n in sizes:
        tips: dict[str, list[float]] = {}
        for side in SIDES:
            program = side.split()[0]
            if (program == "ours" or program in peers) and n <= LARGEST.get((model, side), n):
                try:
                    row = child("", "growth", model, side, n)
                except RuntimeError:  # too large for this side, and no reason to lose the rest
                    continue
                tips[side] = row.pop("tip", [])
                if tips[side] and "ours reduced" in tips:
                    row["apart"] = float(np.linalg.norm(np.subtract(tips[side], tips["ours reduced"])))
                rows.append({"side": side, "n": n, **row})
    return {"model": model, "rows": rows, "exponents": exponents(rows)}


def exponents(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Of the time of a step, by side."""
    found = {}
    for side in dict.fromkeys(row["side"] for row in rows):
        own = sorted((row for row in rows if row["side"] == side), key=lambda row: row["n"])
        if len(own) > 1:
            n, seconds = [row["n"] for row in own], [row["seconds"] for row in own]
            found[side] = {"all": exponent(n, seconds), "last": exponent(n[-2:], seconds[-2:])}
    return found
