"""One evaluation of the right-hand side: accelerations and multipliers from a state."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from .chain import Chain
from .measure import exponent, per_call


def measure(sizes: list[int], rounds: int, peer: Any) -> dict[str, Any]:
    """Seconds of an evaluation for each N on both sides, and the growth of ours."""
    rows = []
    for n in sizes:
        chain = Chain(n)
        row = {"bodies": n, "ours": math.inf}
        theirs: dict[str, float] = {}
        for _ in range(rounds):
            row["ours"] = min(row["ours"], per_call(chain.evaluate))
            if peer:
                parts = peer.evaluation_times(n, repeats=2)
                _keep_least(theirs, "accelerations", parts["accelerations"])
                terms = ("mass_matrix", "forces", "constraints", "constraint_jacobian")
                _keep_least(theirs, "terms", sum(parts[name] for name in terms))
                if n <= 43 or rounds > 2:
                    _keep_least(theirs, "tree", peer.tree_time_per_step(n, repeats=1) / 4)
        rows.append({**row, **theirs})
    result: dict[str, Any] = {"rows": rows}
    if len(rows) > 1:
        result["exponent"] = exponent(sizes, [row["ours"] for row in rows])
        result["local_exponents"] = [
            exponent([a["bodies"], b["bodies"]], [a["ours"], b["ours"]]) for a, b in pairwise(rows)
        ]
    return result


def _keep_least(best: dict[str, float], name: str, value: float) -> None:
    best[name] = min(best.get(name, math.inf), value)
