"""Least times of several, taken by turns; fits; fronts of time and error."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

clock = time.process_time
"""Processor time of this process: what the clock on the wall shows where the machine has nothing else to do."""


SHORT, OFTEN = 0.01, 10
"""Seconds within which a run counts as short, and how many more such runs are made at once."""


def by_turns(
    sides: Mapping[str, Callable[[], float]], rounds: int, patience: float = math.inf
) -> dict[str, float]:
    """The least of `rounds` times of each side, one of each in every round.

    Each side is a function that does the work and returns the seconds that count. A side that took longer than
    `patience` seconds by the clock is not run again, and one that raises `RuntimeError` is left out. One that is done
    within `SHORT` is run `OFTEN` times in a round: in so short a time a single look at something else tells.
    """
    best: dict[str, float] = {}
    done: set[str] = set()
    for _ in range(rounds):
        for name, side in sides.items():
            if name in done:
                continue
            start = time.perf_counter()
            try:
                found = side()
                spent = time.perf_counter() - start
                if spent < SHORT:
                    found = min(found, *(side() for _ in range(OFTEN)))
                best[name] = min(best.get(name, math.inf), found)
            except RuntimeError:
                best.pop(name, None)
                done.add(name)
                continue
            if spent > patience:
                done.add(name)
    return best


Run = Callable[[dict[str, Any]], float]
"""A run that writes its `error` (and what else is worth keeping) into the row it is given; the seconds that count."""


def label(side: str, method: str, **settings: float) -> dict[str, Any]:
    """The row of a run before it is made."""
    return {"side": side, "method": method, **settings}


def race(
    candidates: Iterable[tuple[dict[str, Any], Run]], rounds: int, patience: float = math.inf
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of those that ran, with the least `seconds` of each, and of those that failed; all take turns."""
    rows, sides = [], {}
    for row, run in candidates:
        sides[str(len(rows))] = functools.partial(run, row)
        rows.append(row)
    for key, seconds in by_turns(sides, rounds, patience).items():
        rows[int(key)]["seconds"] = seconds
    return [row for row in rows if "seconds" in row], [row for row in rows if "seconds" not in row]


def per_call(many: Callable[[int], Any], batch: float = 2e-3, batches: int = 20) -> float:
    """Seconds of one call, where `many(n)` makes n of them: the least of some batches that take about `batch` s."""
    many(1)
    calls = 1
    while (spent := _clock(many, calls)) < batch:
        calls = max(2 * calls, math.ceil(calls * batch / max(spent, 1e-9) * 1.1))
    return min(_clock(many, calls) for _ in range(batches)) / calls


MOST_STEPS = 400_000


def per_step(run: Callable[[int], float], count: int) -> float:
    """Seconds of a step, where `run(n)` takes n of them: of `count` or as many more as take longer than a call."""
    once = min(run(1) for _ in range(3))
    seconds = run(count)
    while seconds - once < max(0.02, 3 * once) and count < MOST_STEPS:
        count *= 4
        seconds = run(count)
    best = min([seconds, *(run(count) for _ in range(2 if seconds < 0.5 else 0))])
    return max(best - once, 0.0) / (count - 1)


def _clock(many: Callable[[int], Any], calls: int) -> float:
    start = clock()
    many(calls)
    return clock() - start


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """p of the fit value = c size^p, least squares in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def front(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows (with `seconds` and `error`) that no other beats in both, from the fastest to the most exact."""
    kept: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda r: (r["seconds"], r["error"])):
        if not kept or row["error"] < kept[-1]["error"]:
            kept.append(row)
    return kept


def fronts(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each method (`side`, `method`) the rows that no other row of it beats."""
    kept = []
    for key in dict.fromkeys((row["side"], row["method"]) for row in rows):
        kept += front([row for row in rows if (row["side"], row["method"]) == key])
    return kept


@dataclass(frozen=True)
class Reached:
    """Seconds to come within an error, the row they are taken from, and whether they lie beyond all rows."""

    seconds: float
    row: dict[str, Any]
    extrapolated: bool = False


def time_to_reach(rows: Sequence[dict[str, Any]], error: float, order: int) -> Reached:
    """Time for an error, between the rows of the front on straight lines in logarithms.

    An error larger than that of the fastest row takes the time of that row. One smaller than all rows have is
    extrapolated: the work of a method of this order grows as error^(-1/order).
    """
    kept = front(rows)
    if error >= kept[0]["error"]:
        return Reached(kept[0]["seconds"], kept[0])
    for loose, tight in pairwise(kept):
        if tight["error"] <= error:
            part = math.log(error / loose["error"]) / math.log(tight["error"] / loose["error"])
            return Reached(loose["seconds"] * (tight["seconds"] / loose["seconds"]) ** part, tight)
    last = kept[-1]
    return Reached(last["seconds"] * (last["error"] / error) ** (1 / order), last, extrapolated=True)


def at_levels(
    rows: Sequence[dict[str, Any]], levels: Sequence[float], orders: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Times of the best of each side (with the order of its methods) at the errors that are compared."""
    found = []
    for error in levels:
        level: dict[str, Any] = {"error": error}
        for side, order in orders.items():
            of_side = [row for row in rows if row["side"] == side]
            if of_side:
                reached = time_to_reach(of_side, error, order)
                level[side] = {
                    "seconds": reached.seconds,
                    "method": reached.row["method"],
                    "extrapolated": reached.extrapolated,
                }
        found.append(level)
    return found
