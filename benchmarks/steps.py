"""One step, of each method of both sides, with the error at t = 1 s that it leaves."""

from __future__ import annotations

from typing import Any

from .chain import Chain, largest_error
from .measure import by_turns

STEP = 1e-3
"""Of all methods with a fixed step [s], the kinematic tree aside."""
TREE_STEP = 1e-2
DENSE_LIMIT = 43
"""Exudyn as it comes factorises dense matrices: not for longer chains than this."""

OURS = {
    "rk4": {"method": "rk4", "step": STEP},
    "dopri5": {"method": "dopri5", "rtol": 1e-8, "atol": 1e-10},
    "sdirk4": {"method": "sdirk4", "rtol": 1e-6, "atol": 1e-8},
}


def measure(sizes: list[int], rounds: int, peer: Any, patience: float) -> list[dict[str, Any]]:
    """For each N and method: seconds per step, error at the end, number of steps."""
    rows = []
    for n in sizes:
        chain = Chain(n, implicit=True)
        found: dict[str, dict[str, Any]] = {}
        sides = {name: _ours(chain, settings, found, name) for name, settings in OURS.items()}
        if peer:
            for name, settings in peer_settings(peer).items():
                if name != "exudyn as it comes" or n <= DENSE_LIMIT:
                    sides[name] = _theirs(peer.simulate, (n, STEP, settings), found, name)
            for method in ("RK44", "RK67"):
                name = f"exudyn tree {method}"
                sides[name] = _theirs(peer.simulate_tree, (n, TREE_STEP, method), found, name)
        best = by_turns(sides, rounds, patience)
        rows.append(
            {"bodies": n, "methods": {name: {"seconds": best[name], **found[name]} for name in sides}}
        )
    return rows


def peer_settings(peer: Any) -> dict[str, Any]:
    """Exudyn in absolute coordinates: the best settings, its own Newton tolerances, everything as it comes."""
    as_it_comes = peer.Settings(
        method="GeneralizedAlpha",
        linear="EXUdense",
        reuse_pattern=False,
        connector_derivative=True,
        tolerance=1e-8,
        absolute_tolerance=1e-10,
    )
    return {
        "exudyn best": peer.BEST,
        "exudyn default tolerances": peer.DEFAULT_TOLERANCES,
        "exudyn as it comes": as_it_comes,
    }


def _ours(chain: Chain, settings: dict[str, Any], found: dict[str, dict[str, Any]], name: str) -> Any:
    def side() -> float:
        run = chain.run(**settings)
        found[name] = {"error": run.error, "steps": run.steps, "evaluations": run.evaluations}
        return run.seconds / run.steps

    return side


def _theirs(simulate: Any, arguments: tuple[Any, ...], found: dict[str, dict[str, Any]], name: str) -> Any:
    def side() -> float:
        run = simulate(*arguments)
        found[name] = {"error": largest_error(run.points), "steps": run.count}
        return run.steps / run.count

    return side
