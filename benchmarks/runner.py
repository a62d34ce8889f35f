"""Measure parts and keep them in a file, each with when and where it was measured.

The file::

    {"format": 1,
     "about": machine, versions of all programs, compiler, of the part measured last,
     "parts": {name: {"what", "date", "commit", "load", "quick", "seconds" by the clock, "processor" seconds,
                      "missing": peers that were not installed, "without": {peer: why it is not in this part},
                      "results": numbers, in SI units; each part's module says what they are}},
     "summary": rows of `summary.rows`}
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import summary
from .about import about
from .parts import PARTS

FORMAT = 1


def measure(names: Sequence[str], quick: bool) -> dict[str, Any]:
    """Run these parts, one after the other."""
    data: dict[str, Any] = {"format": FORMAT, "about": about(), "parts": {}}
    for name in names:
        part = PARTS[name]
        now, began, used = about(), time.perf_counter(), _processor_time()
        data["parts"][name] = {
            "what": part.what,
            "date": now["date"],
            "commit": now["commit"],
            "load": now["load"],
            "quick": quick,
            "results": _plain(part.run(quick)),
            "seconds": time.perf_counter() - began,
            "processor": _processor_time() - used,
            "missing": part.missing,
            "without": part.without,
        }
    data["summary"] = summary.rows(data)
    return rounded(data)


def merged(old: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """The parts of both, the new ones where both have them, in the order of `PARTS`."""
    if old is None or old.get("format") != FORMAT:
        return new
    parts = old["parts"] | new["parts"]
    data = new | {"parts": {name: parts[name] for name in PARTS if name in parts}}
    return rounded(data | {"summary": summary.rows(data)})


def read(path: Path) -> dict[str, Any] | None:
    """A file of results; None where there is none."""
    if not path.exists():
        return None
    return json.loads(path.read_text(encoding="utf-8"))


def write(data: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def _processor_time() -> float:
    """Of this process and of those it has started that have ended [s]."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _plain(results: Any) -> Any:
    """As it will be read back: names as texts, NumPy's numbers as Python's."""
    return json.loads(json.dumps(results, default=float))


def rounded(value: Any) -> Any:
    """Numbers to four digits: more are not in them."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value
