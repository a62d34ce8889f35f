"""Tables and targets of the part `yaw`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .sheets import Named, Sheet, reached, times_of

SIDES = {"wheelwork": "Wheelwork", "exudyn": "Exudyn", "scipy": "SciPy", "scipy RK45": "SciPy, RK45"}
METHODS = {
    ("wheelwork", "rk4"): "Wheelwork, `rk4`",
    ("wheelwork", "dopri5"): "Wheelwork, `dopri5`",
    ("wheelwork, general", "rk4"): "Wheelwork, `rk4`, general equations",
    ("exudyn", "RK44"): "Exudyn, RK44",
    ("exudyn", "DOPRI5"): "Exudyn, DOPRI5, fixed steps",
    ("exudyn", "ExplicitMidpoint"): "Exudyn, explicit midpoint rule",
    ("exudyn", "TrapezoidalIndex2"): "Exudyn, trapezoidal rule",
    ("scipy", "RK45"): "SciPy, RK45",
    ("scipy", "DOP853"): "SciPy, DOP853",
    ("scipy", "LSODA"): "SciPy, LSODA",
}
TARGETS = {"scipy": ("RK45", 300), "exudyn": ("RK44", 10)}
"""Steps per second of ours with `rk4` over theirs with the usual method of the same kind."""


def fastest(part: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """By side and method: the run with most steps per second."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for run in part["runs"]:
        key = (run["side"], run["method"])
        if key not in found or run["rate"] > found[key]["rate"]:
            found[key] = run
    return found


def rates(part: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each method: steps per second, how many times as many ours are, error of that run."""
    runs = fastest(part)
    ours = runs["wheelwork", "rk4"]["rate"]
    for key, name in METHODS.items():
        if key in runs:
            run = runs[key]
            times = "" if key == ("wheelwork", "rk4") else f"{ours / run['rate']:.3g}"
            yield [name, f"{run['rate'] / 1e3:.4g}", times, f"{run['error']:.0e}"]


def levels(part: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each error: times of the best method of each side, and how many times faster we are."""
    for level in part["levels"]:
        line = [f"{level['error']:.0e}"]
        for side in SIDES:
            line.append(reached(level, side))
            if side != "wheelwork":
                line.append(times_of(level, side))
        yield line


def sheets(part: dict[str, Any]) -> Named:
    title = "Yaw drive with 4 pinions, 20 states, 1 s: "
    heads = ["method", "thousand steps/s", "ours with `rk4` / theirs", "error [rad]"]
    yield "yaw-rates", Sheet(title + "steps per second", heads, list(rates(part)))
    heads = [
        "error [rad]", "Wheelwork [ms]", "Exudyn", "times", "SciPy, best", "times", "SciPy, RK45", "times",
    ]  # fmt: skip
    yield "yaw-levels", Sheet(title + "at equal error", heads, list(levels(part)))


def targets(part: dict[str, Any]) -> Iterator[tuple[str, float, str, float]]:
    runs = fastest(part)
    ours = runs["wheelwork", "rk4"]["rate"]
    for side, (method, wanted) in TARGETS.items():
        if (side, method) in runs:
            words = f"times as many steps per second, yaw drive, against {SIDES[side]} ({method})"
            yield words, ours / runs[side, method]["rate"], ">=", wanted
