"""What a run over time needs, said before it starts: memory for its output, and digits for its times."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import numpy as np

from wheelwork.description import Flat, Formula, ModelError
from wheelwork.description.table import Table
from wheelwork.description.walk import givens, parts
from wheelwork.lazy import resource
from wheelwork.problems import warn
from wheelwork.system.program import Program

from .precision import PrecisionWarning

COPIES = 3
"""What a result takes, in copies of its numbers: the runtime's own, that in Python, and one for looking at it."""


SMALL = 64e6
"""Bytes that are there; asking the system takes longer than some runs."""


def check_run(program: Program, start: float, end: float, output: int, rtol: float = 1e-8) -> None:
    """Raise ModelError where a run cannot be held in memory, or its times cannot be distinguished."""
    _check_memory(program, output)
    _check_times(program.flat, start, end, output, rtol)


def _check_memory(program: Program, output: int) -> None:
    record = 8 * (1 + program.n + program.nv + program.rows + len(program.frictions))
    needed = COPIES * record * (output + 1)
    if needed < SMALL:
        return
    there = available_memory()
    if there is None or needed <= there:
        return
    most = int(there / (COPIES * record))
    raise ModelError(
        f"{output} output intervals of {record} bytes need about {needed / 1e9:.3g} GB of memory, and there "
        f"are {there / 1e9:.3g} GB",
        path="analysis.output",
        hint=f"ask for fewer than {most}; steps are as short as they need to be whatever `output` is",
    )


def available_memory() -> float | None:
    """Bytes that this process may still take; None where the system does not say."""
    found = []
    try:
        text = Path("/proc/meminfo").read_text()
        found.append(1024.0 * float(text.split("MemAvailable:")[1].split()[0]))
    except (OSError, IndexError, ValueError):
        with suppress(AttributeError, OSError, ValueError):
            found.append(float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_AVPHYS_PAGES"))
    for limit, used in (  # of a container
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):  # `max`: no limit
            most, taken = (float((Path("/sys/fs/cgroup") / name).read_text()) for name in (limit, used))
            found.append(max(0.0, most - taken))
    with suppress(ImportError, OSError, ValueError):
        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            found.append(max(0.0, float(most) - pages * resource.getpagesize()))
    return min(found) if found else None


def _check_times(flat: Flat, start: float, end: float, output: int, rtol: float) -> None:
    """Late times: a double has 16 digits for the seconds since t = 0 and for the parts of them."""
    latest, interval = max(abs(start), abs(end)), (end - start) / output
    grain = float(np.spacing(latest))
    words = f"near t = {latest:.3g} s, times {grain:.2g} s apart cannot be distinguished"
    if grain > 1e-6 * interval:
        raise ModelError(
            f"{words}, which is too coarse for output {interval:.2g} s apart",
            path="analysis.start",
            hint="start nearer to zero, and shift the formulas of time",
        )
    if grain > rtol * interval and _has_functions_of_time(flat):
        warn(
            f"{words}: formulas and tables of time are no finer than that, and the tolerance may not be met. Start "
            "nearer to zero, and shift them",
            PrecisionWarning,
        )


def _has_functions_of_time(flat: Flat) -> bool:
    placed = [*flat.forces.values(), *flat.drivers.values()]
    return any(
        any(isinstance(g.value, Formula) and "t" in g.value.names() for g in givens(p.element))
        or any(
            _holds_table(getattr(part, name))
            for _, part in parts(p.element)
            for name in type(part).model_fields
        )
        for p in placed
    )


def _holds_table(value: object) -> bool:
    return isinstance(value, Table) or (isinstance(value, tuple) and any(map(_holds_table, value)))
