"""Tables and targets of the part `teeth`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .sheets import Named, Sheet, ms, reached, times_of

SIDES = {"floats": "SciPy, plain numbers", "arrays": "SciPy, NumPy"}
BENCH = 10.0
"""Length of a run of the bench [s]."""
STAGE = 1.0
"""Of the stage [s]."""
TARGET = 300
"""Times faster on the bench at equal error than the model written with NumPy."""


def levels(part: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each number of teeth and error: times of all sides, ours against real time, times faster."""
    for bench in part["bench"]:
        for level in bench["levels"]:
            ours = level["wheelwork"]
            line = [f"{bench['teeth']}/{3 * bench['teeth'] // 2}", f"{level['error']:.0e}"]
            line += [reached(level, "wheelwork"), f"{BENCH / ours['seconds']:.3g}"]
            for side in SIDES:
                line += [reached(level, side), times_of(level, side)]
            yield line


def stage(part: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each run of the planetary stage: times real time, error."""
    for row in part["stage"]:
        yield [
            row["formulation"],
            f"{row['tolerance']:.0e}",
            ms(row["seconds"]),
            f"{STAGE / row['seconds']:.3g}",
            f"{row['error']:.0e}",
        ]


def sheets(part: dict[str, Any]) -> Named:
    beside = (x for side in SIDES.values() for x in (side, "times"))
    heads = ["teeth", "error [m]", "Wheelwork [ms]", "times real time", *beside]
    title = "Test bench of tooth contact, 10 s, at equal error"
    yield "teeth-bench", Sheet(title, heads, list(levels(part)))
    heads = ["formulation", "`rtol`", "1 s takes [ms]", "times real time", "error [m]"]
    title = "Planetary stage, six contact meshes, 1000 rpm"
    yield "teeth-stage", Sheet(title, heads, list(stage(part)))


def targets(part: dict[str, Any]) -> Iterator[tuple[str, float, str, float]]:
    for bench in part["bench"]:
        for level in bench["levels"]:
            for side, words in SIDES.items():
                if side in level:
                    times = level[side]["seconds"] / level["wheelwork"]["seconds"]
                    what = f"bench of {bench['teeth']} teeth at {level['error']:.0e} m, times faster than {words}"
                    yield what, times, ">=", TARGET
    fastest = min(part["stage"], key=lambda row: (row["tolerance"] > 1e-6, row["seconds"]))
    words = f"planetary stage, rtol {fastest['tolerance']:.0e}, times real time"
    yield words, STAGE / fastest["seconds"], ">=", 1
