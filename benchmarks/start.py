"""New processes: first result of a small model, from an empty and from a full cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FIRST_BODIES = 10


def measure(rounds: int) -> dict[str, Any]:
    """The rounds with the least total of each kind of start."""
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
            for kind in ("empty cache", "full cache"):
                found.setdefault(kind, []).append(child(cache, "first_result", FIRST_BODIES))
    best = {name: min(runs, key=lambda run: run["total"]) for name, runs in found.items()}
    return {"bodies": FIRST_BODIES, **best}


def command(name: str, *arguments: float | str) -> list[str]:
    return [sys.executable, "-m", f"{__package__}.child", name, *map(str, arguments)]


def environment(cache: str) -> dict[str, str]:
    """That of this process, with this folder as cache, in which `benchmarks` can be imported."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, **({"WHEELWORK_CACHE": cache} if cache else {})}


def child(cache: str, name: str, *arguments: float | str) -> dict[str, Any]:
    """What a function of `child.py` returns in a process of its own."""
    done = subprocess.run(
        command(name, *arguments),
        env=environment(cache),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
