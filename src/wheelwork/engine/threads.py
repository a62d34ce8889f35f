"""Work on many points, shared out among the processor's cores."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

LEAST = 128
"""Points that are worth a thread."""


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(part: Callable[[int, int], None], count: int) -> None:
    """Call `part(first, last)` until all points are done; what it calls must let others work meanwhile."""
    pieces = max(1, min(cores(), count // LEAST))
    edges = [count * k // pieces for k in range(pieces + 1)]
    if pieces == 1:
        part(0, count)
        return
    with ThreadPoolExecutor(pieces) as pool:
        for done in [pool.submit(part, *edge) for edge in itertools.pairwise(edges)]:
            done.result()
