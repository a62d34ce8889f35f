"""On what and with what the numbers were made."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from wheelwork.kernel import libraries
from wheelwork.kernel.compiler import find_compiler


def about(quick: bool) -> dict[str, Any]:
    compiler = find_compiler()
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_GB": round(psutil.virtual_memory().total / 1e9, 1),
        "system": platform.platform(),
        "load_average": [round(x, 2) for x in os.getloadavg()],
        "python": platform.python_version(),
        "compiler": compiler.version,
        "flags": {
            name.removesuffix("_OPTIMISATION").lower(): " ".join(compiler.flags(level))
            for name, level in vars(libraries).items()
            if name.endswith("_OPTIMISATION")
        },
        "commit": commit(),
        "versions": {
            name: _version(name) for name in ("wheelwork", "exudyn", "mujoco", "pin", "casadi", "numpy")
        },
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    fields = dict(line.partition(":")[::2] for line in lines if ":" in line)
    named = {key.strip(): value.strip() for key, value in fields.items()}
    name = named.get("model name", platform.machine())
    return f"{name} (family {named.get('cpu family')}, model {named.get('model')})"


def commit() -> str:
    """Of the working tree; marked where its sources differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=Path(__file__).parent.parent, capture_output=True, text=True
        )
        return done.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "src/wheelwork")
        return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
    except OSError:
        return ""


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
