"""On what and with what the numbers were made."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from wheelwork.engine import machine_code
from wheelwork.engine.compiled_core import level
from wheelwork.engine.compiler import FLAGS, CompilerMissing, find_compiler

PACKAGES = ("wheelwork", "exudyn", "mujoco", "pin", "scipy", "casadi", "numpy")


def about() -> dict[str, Any]:
    """The machine, its load now, the compiler and the versions."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory": memory(),
        "system": platform.platform(),
        "load": [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        **_compiler(),
        "commit": commit(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def memory() -> int | None:
    """Of the machine [bytes]."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # no such question on Windows
        return None


def _compiler() -> dict[str, Any]:
    try:
        version = find_compiler().version
    except CompilerMissing:
        version = None
    flags = {"core": " ".join([*FLAGS, f"-march={level()}"]), "kernels": machine_code.version()}
    return {"compiler": version, "flags": flags}


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    named: dict[str, str] = {}
    for line in lines:
        key, _, value = line.partition(":")
        named[key.strip()] = value.strip()
    name = named.get("model name", platform.machine())
    return f"{name} (family {named.get('cpu family')}, model {named.get('model')})"


def commit() -> str:
    """Of the working tree that this is a part of, marked where sources differ from it; "" outside of one."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True)
        return done.stdout.strip()

    try:
        if git("ls-files", "about.py") != "about.py":  # installed somewhere within another repository
            return ""
        changed = git("status", "--porcelain", "--", "..")
        return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
    except OSError:
        return ""


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
