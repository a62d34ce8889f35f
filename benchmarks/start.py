"""New processes: first result of a small model and a whole task on both sides, with an empty and a full cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FIRST_BODIES = 10
TASK_BODIES = 43
TASK_TOLERANCE = 1e-6
TASK_STEP = 1e-3
"""Of Exudyn; its error is then about 1e-5 m."""


def measure(rounds: int, peer: Any) -> dict[str, Any]:
    """The rounds with the least total of each kind of start."""
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
            for kind in ("empty cache", "full cache"):
                found.setdefault(f"first {kind}", []).append(child(cache, "first_result", FIRST_BODIES))
        with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
            for kind in ("empty cache", "full cache"):
                run = child(cache, "task", TASK_BODIES, TASK_TOLERANCE)
                found.setdefault(f"task {kind}", []).append(run)
        if peer:
            found.setdefault("task exudyn", []).append(child("", "exudyn_task", TASK_BODIES, TASK_STEP))
    best = {name: min(runs, key=lambda run: run["total"]) for name, runs in found.items()}
    return {"first_bodies": FIRST_BODIES, "task_bodies": TASK_BODIES, **best}


def command(name: str, *arguments: float) -> list[str]:
    return [sys.executable, "-m", "benchmarks.child", name, *map(str, arguments)]


def environment(cache: str) -> dict[str, str]:
    """That of this process, with this folder as cache."""
    return {**os.environ, "WHEELWORK_CACHE": cache} if cache else dict(os.environ)


def child(cache: str, name: str, *arguments: float) -> dict[str, float]:
    """What a function of `child.py` returns in a process of its own."""
    done = subprocess.run(
        command(name, *arguments),
        cwd=ROOT,
        env=environment(cache),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
