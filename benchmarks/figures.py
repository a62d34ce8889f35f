"""The figures that the engine was aimed at, each from the part that measures it: what, measured, wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .gear_report import AIMED, best
from .teeth_report import STAGE

Figure = tuple[str, float, str, float]
"""What, measured, comparison, wanted."""


def figures(results: dict[str, Any]) -> Iterator[Figure]:
    """Of the parts that there are."""
    for name, of in PARTS.items():
        if results.get(name):
            yield from of(results[name])


def _start(part: dict[str, Any]) -> Iterator[Figure]:
    for kind, words, wanted in (
        ("empty", "empty cache", 0.5),
        ("full", "full cache", 0.15),
        ("changed", "full cache, one number changed", 0.5),
    ):
        for name, task in part["tasks"].items():
            yield f"whole task in a new process, {words}: {name} [s]", task[kind]["processor"], "<=", wanted
    if "exudyn" in part:
        ours, theirs = part["tasks"]["chain of 43"]["empty"], part["exudyn"]
        yield (
            "whole task, chain of 43: Exudyn / ours, empty cache",
            theirs["processor"] / ours["processor"],
            ">=",
            1,
        )
    for name, wanted in (("yaw drive", 1.0), ("planetary gearbox", 3.0)):
        overhead = 1e3 * part["further"][name]["overhead"]
        yield (
            f"further run with another parameter, over the engine's own time: {name} [ms]",
            overhead,
            "<=",
            wanted,
        )
    call = 1e3 * part["further"]["yaw drive"]["call"]
    yield "yaw drive, default settings, 2 s with 4001 outputs [ms]", call, "<=", 30
    run = part["report"]
    yield (
        "`wheelwork run` of the planetary stage with contact, with report, on the wall [s]",
        run["wall"],
        "<=",
        2,
    )
    yield "size of its result [MB]", run["bytes"] / 1e6, "<=", 5


def _forward(part: dict[str, Any]) -> Iterator[Figure]:
    for row in part["rows"]:
        sides = best(row)
        if "pinocchio" in sides:
            times = sides["pinocchio"] / sides["ours"]
            yield f"forward dynamics beside Pinocchio: {row['name']}", times, ">=", AIMED.get(row["name"], 3)


def _precision(part: list[dict[str, Any]]) -> Iterator[Figure]:
    for ours, theirs, words, wanted in (
        ("wheelwork reduced", "mujoco", "chain of 43 beside MuJoCo's RK4", 2),
        ("wheelwork sdirk4", "exudyn", "chain of 43, `sdirk4` beside Exudyn's implicit steps", 3),
    ):
        for level in (level for row in part if row["bodies"] == 43 for level in row["levels"]):
            if ours in level and theirs in level:
                times = level[theirs]["seconds"] / level[ours]["seconds"]
                yield f"{words}, at an error of {level['error']:.0e} m", times, ">=", wanted


def _steps(part: list[dict[str, Any]]) -> Iterator[Figure]:
    for row in part:
        if row["bodies"] == 43 and "exudyn best" in row["methods"]:
            times = row["methods"]["exudyn best"]["seconds"] / row["methods"]["rk4"]["seconds"]
            yield "a step of the chain of 43 beside Exudyn's best, absolute", times, ">=", 10


def _growth(part: list[dict[str, Any]]) -> Iterator[Figure]:
    for model in part:
        rows = {(row["side"], row["n"]): row for row in model["rows"]}
        if model["model"] == "train, turning housing":
            if ("exudyn bodies", 100) in rows:
                times = rows["exudyn bodies", 100]["seconds"] / rows["ours absolute", 100]["seconds"]
                yield "turning housing, N = 100, absolute, beside Exudyn", times, ">=", 3
            grown = model["exponents"]["ours absolute"]["all"]
            yield "turning housing, absolute, growth to N = 1000, exponent", grown, "<=", 1.1
        if model["model"] == "train, fixed housing" and ("ours reduced", 1000) in rows:
            row = rows["ours reduced", 1000]
            yield "train of 1000 wheels ready [s]", row["ready"], "<=", 2
            yield "its memory [MB]", row["peak"] / 1e6, "<=", 300


def _teeth(part: dict[str, Any]) -> Iterator[Figure]:
    for bench in part["bench"]:
        for level in bench["levels"]:
            if "floats" in level:
                times = level["floats"]["seconds"] / level["wheelwork"]["seconds"]
                words = f"tooth-contact bench, {bench['teeth']} teeth, beside SciPy on plain numbers"
                yield f"{words}, at an error of {level['error']:.0e} m", times, ">=", 60
    fastest = min((row["seconds"] for row in part["stage"] if row["tolerance"] == 1e-6), default=None)
    if fastest is not None:
        yield "planetary stage with six contact meshes, rtol 1e-6, times real time", STAGE / fastest, ">=", 6


PARTS = {
    "start": _start,
    "forward": _forward,
    "precision": _precision,
    "steps": _steps,
    "growth": _growth,
    "teeth": _teeth,
}
