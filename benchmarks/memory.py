"""Memory while compiling (the compiler's processes included) and while running: resident, sampled from outside."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import threading
import time
from typing import Any

import psutil

from .start import command, environment

BODIES = 43
INTERVAL = 2e-3
"""Between samples [s]."""


def measure(peer: Any) -> dict[str, Any]:
    """Peaks in bytes: from an empty cache, from a full one, and of Exudyn."""
    with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as cache:
        result = {
            "bodies": BODIES,
            "compiling": sampled(cache, "memory", BODIES),
            "running": sampled(cache, "memory", BODIES),
        }
    if peer:
        result["exudyn"] = sampled("", "exudyn_memory", BODIES)
    return result


def sampled(cache: str, name: str, *arguments: float) -> dict[str, Any]:
    """Run a function of `child.py`; peaks of its process, of all processes it starts, and of both together."""
    process = subprocess.Popen(
        command(name, *arguments),
        env=environment(cache),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    peak = {"python": 0, "compiler": 0, "together": 0, "processes": 0}
    done = threading.Event()

    def watch() -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            own = psutil.Process(process.pid)
            while not done.is_set():
                children = 0
                count = 0
                for other in own.children(recursive=True):
                    with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                        # a child that has not yet become the compiler is a copy of Python that shares its memory
                        if not other.name().startswith("python"):
                            children += other.memory_info().rss
                            count += 1
                python = own.memory_info().rss
                for key, value in (
                    ("python", python),
                    ("compiler", children),
                    ("together", python + children),
                    ("processes", count),
                ):
                    peak[key] = max(peak[key], value)
                time.sleep(INTERVAL)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        out, err = process.communicate()
    finally:
        done.set()
        watcher.join()
    if process.returncode:
        raise RuntimeError(f"{name} failed:\n{err}")
    return {**json.loads(out.splitlines()[-1]), "peak": peak}
