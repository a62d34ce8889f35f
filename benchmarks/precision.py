"""Time against error on both sides, and the time both take to reach the same error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wheelwork.engine.engine import RunOptions

from .chain import Chain, end_points, largest_error
from .measure import Run, at_levels, fronts, label, race
from .model import END_TIME, describe
from .ready import Ready

LEVELS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
"""Errors at which the sides are compared [m]."""

IMPLICIT = "wheelwork sdirk4"
"""`sdirk4` by itself, beside the implicit steps of Exudyn."""
ORDERS = {"wheelwork": 4, IMPLICIT: 4, "wheelwork reduced": 4, "exudyn": 2, "exudyn tree": 4, "mujoco": 4}


def measure(sizes: list[int], rounds: int, peers: dict[str, Any], quick: bool) -> list[dict[str, Any]]:
    """For each N: the runs (front of each method), times at equal error, and settings with which a run failed."""
    results = []
    for n in sizes:
        rows, failed = race(_candidates(n, peers, quick), rounds, patience=0.3 if quick else 3.0)
        implicit = [{**row, "side": IMPLICIT} for row in rows if row["method"] == "sdirk4"]
        levels = at_levels([*rows, *implicit], LEVELS, ORDERS)
        results.append({"bodies": n, "runs": fronts(rows), "levels": levels, "failed": failed})
    return results


def _candidates(n: int, peers: dict[str, Any], quick: bool) -> Iterator[tuple[dict[str, Any], Run]]:
    """What to run: labels (`error` is added by the run) and the run."""
    chain = Chain(n, implicit=True)
    for step in _thin((1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3), quick):
        yield label("wheelwork", "rk4", step=step), _ours(chain, method="rk4", step=step)
    for method, most in (("dopri5", 13), ("sdirk4", 10)):
        for tolerance in (10.0**-k for k in _thin(range(1, most), quick)):
            settings = {"method": method, "rtol": tolerance, "atol": tolerance}
            yield label("wheelwork", method, tolerance=tolerance), _ours(chain, **settings)
    yield from _reduced(n, quick)
    if mujoco := peers.get("mujoco"):
        for step in _thin((5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3), quick):
            yield label("mujoco", "RK4", step=step), _theirs(mujoco.simulate, n, step)
    if peer := peers.get("exudyn"):
        yield from _exudyn(n, peer, quick)


def _reduced(n: int, quick: bool) -> Iterator[tuple[dict[str, Any], Run]]:
    """Ours in minimal coordinates, which is what Exudyn's tree and MuJoCo are in."""
    chain = Ready(describe(n), "dopri5")

    def run(**settings: Any) -> Run:
        def side(labels: dict[str, Any]) -> float:
            seconds, done = chain.integrate("reduced", RunOptions(end=END_TIME, **settings))
            labels["error"] = largest_error(end_points(done.state[-1], n))
            return seconds

        return side

    for step in _thin((1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3), quick):
        yield label("wheelwork reduced", "rk4", step=step), run(method="rk4", step=step)
    for k in _thin(range(1, 13), quick):
        settings = {"method": "dopri5", "rtol": 10.0**-k, "atol": 10.0**-k}
        yield label("wheelwork reduced", "dopri5", tolerance=10.0**-k), run(**settings)
        settings = {**settings, "method": "dop853"}
        yield label("wheelwork reduced", "dop853", tolerance=10.0**-k), run(**settings)


def _exudyn(n: int, peer: Any, quick: bool) -> Iterator[tuple[dict[str, Any], Run]]:
    for step, tolerances in _peer_steps(n, quick):
        for tolerance in tolerances:
            for method in ("TrapezoidalIndex2", "GeneralizedAlpha"):
                settings = replace(peer.BEST, method=method, tolerance=tolerance)
                row = label("exudyn", method, step=step, tolerance=tolerance)
                yield row, _theirs(peer.simulate, n, step, settings)
    for step in _thin((5e-2, 2e-2, 1e-2, 5e-3), quick and n < 150):
        for method in ("RK44", "RK67"):
            yield label("exudyn tree", method, step=step), _theirs(peer.simulate_tree, n, step, method)
    for tolerance in () if quick else (1e-3, 1e-5, 1e-7, 1e-9):
        row = label("exudyn tree", "DOPRI5", tolerance=tolerance)
        yield row, _theirs(peer.simulate_tree, n, 5e-2, "DOPRI5", tolerance)


def _peer_steps(n: int, quick: bool) -> list[tuple[float, tuple[float, ...]]]:
    """Steps with the Newton tolerances worth trying: larger ones spoil the error, smaller ones only cost."""
    if quick:
        return [(2e-2, (1e-3,)), (1e-2, (1e-3,)), (5e-3, (1e-3,)), (1e-3, (1e-4,)), (5e-4, (1e-5,))]
    steps = [
        (2e-2, (1e-2, 1e-3, 1e-4)),
        (1e-2, (1e-2, 1e-3, 1e-4)),
        (5e-3, (1e-3, 1e-4, 1e-5)),
        (2e-3, (1e-3, 1e-4, 1e-5)),
        (1e-3, (1e-4, 1e-5)),
        (5e-4, (1e-5, 1e-6)),
        (2.5e-4, (1e-5, 1e-6)),
    ]
    if n <= 43:
        steps += [(1.25e-4, (1e-6,)), (6.25e-5, (1e-6, 1e-7)), (3.125e-5, (1e-7,))]
    return steps


def _thin(values: Any, quick: bool) -> Any:
    return values[::2] if quick else values


def _ours(chain: Chain, **settings: Any) -> Run:
    def side(labels: dict[str, Any]) -> float:
        run = chain.run(**settings)
        labels["error"] = run.error
        return run.seconds

    return side


def _theirs(simulate: Any, *arguments: Any) -> Run:
    def side(labels: dict[str, Any]) -> float:
        run = simulate(*arguments)
        labels["error"] = largest_error(run.points)
        return run.solve

    return side
