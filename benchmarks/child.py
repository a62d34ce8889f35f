"""What new processes run: `python -m benchmarks.child NAME ARGUMENTS`; the last line printed is a JSON object."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any


def further(rounds: str) -> dict[str, dict[str, float]]:
    """Of runs of a compiled mechanism with another value of a parameter each: all of the call, the engine's own time,
    and the rest; the least of each."""
    import wheelwork as ww
    from wheelwork import examples
    from wheelwork.analyses import planned

    from .measure import clock
    from .start import FURTHER

    integrate, spent = planned.integrated, [0.0]

    def timed(*given: Any, **named: Any) -> Any:
        start = clock()
        try:
            return integrate(*given, **named)
        finally:
            spent[0] = clock() - start

    planned.integrated = timed
    found = {}
    for name, (file, parameter) in FURTHER.items():
        mechanism = ww.load(examples.path(file))
        ready = mechanism.compile()
        usual = mechanism.assemble().prepared.numbers.parameters[parameter]
        ready.simulate({parameter: usual}, progress=False)
        time.sleep(2.0)  # until the better code is there
        runs = []
        for k in range(int(rounds)):
            start = clock()
            ready.simulate({parameter: usual * (1 + k / 1000)}, progress=False)
            call = clock() - start
            runs.append((call, spent[0], call - spent[0]))
        call, engine, overhead = (min(each) for each in zip(*runs, strict=True))
        found[name] = {"call": call, "engine": engine, "overhead": overhead}
    return found


def study_first() -> dict[str, float]:
    """Seconds after `import wheelwork` from a model file to the measures of one variant in lanes."""
    import wheelwork as ww
    from wheelwork import examples

    start, used = time.perf_counter(), _processor_time()
    mechanism = ww.load(examples.path("yaw-drive"))
    given: dict[str, Any] = {"measures": {"w": "last(gear.w)"}, "end": 0.01, "samples": 10}
    table = ww.Study(mechanism, {"drag": [2000.0]}, **given).run(progress=False)
    if table.attrs["engine"] != "lanes" or not abs(table.w.values[0]) > 0:
        raise RuntimeError(str(table))
    return {"seconds": time.perf_counter() - start, "processor": _processor_time() - used}


def study_memory(count: str) -> dict[str, float]:
    """The largest memory of a process that runs a study of so many variants, and of one that has loaded all [bytes]."""
    from .study_device import study

    study(8, 0.001, 2).run(progress=False)
    loaded = peak()
    table = study(int(count), 0.005, 10).run(progress=False)
    return {"variants": float(table.outcome.size), "loaded": loaded, "peak": peak()}


def whole(model: str, side: str) -> dict[str, float]:
    """A task of `whole.py`: processor time of all of it, of a run again; its error; memory [bytes]."""
    from .whole import task

    prepare = task(model, side)
    imports, start = peak(), _processor_time()
    run = prepare()
    first, error = run()
    total = _processor_time() - start
    again = min(run()[0] for _ in range(3)) if first < 0.5 else first
    return {"total": total, "again": again, "peak": peak(), "imports": imports, "error": error()}


def growth(model: str, side: str, size: str) -> dict[str, Any]:
    """A step of a model of `growth.py`, processor time until it could be made, memory [bytes]."""
    from . import growth_child

    ours, n = side.startswith("ours"), int(size)
    if not ours:
        growth_child.theirs(model, side, 2)(1)  # imports
    imports, start = peak(), _processor_time()
    run = growth_child.ours(model, side.split()[1], n) if ours else growth_child.theirs(model, side, n)
    spent = run(1)[0]
    ready = max(0.0, _processor_time() - start - spent)
    return {"ready": ready, **growth_child.step(run, model), "peak": peak(), "imports": imports}


def memory(bodies: str) -> dict[str, int]:
    """Resident memory of this process [bytes]: bare, with all imports, with the model ready, after a run."""
    import psutil

    process, n = psutil.Process(), int(bodies)
    seen = {"bare": process.memory_info().rss}
    import numpy as np

    from wheelwork.analyses.prepare import prepare
    from wheelwork.engine.engine import RunOptions

    from .model import END_TIME, describe

    seen["imported"] = process.memory_info().rss
    prepared = prepare(describe(n), method="dopri5")
    seen["ready"] = process.memory_info().rss
    options = RunOptions(end=END_TIME)
    for _ in range(20):
        prepared.engine.integrate(prepared.numbers.state, np.linspace(0, END_TIME, 501), options)
    seen["ran"] = process.memory_info().rss
    return seen


def exudyn_memory(bodies: str) -> dict[str, int]:
    """The same in Exudyn."""
    import psutil

    process = psutil.Process()
    seen = {"bare": process.memory_info().rss}
    from .peers import exudyn_chain as peer

    seen["imported"] = process.memory_info().rss
    peer.simulate(int(bodies), 1e-3)
    seen["ran"] = process.memory_info().rss
    return seen


def peak() -> int:
    """The largest resident memory that this process has had [bytes]."""
    import resource

    status = Path("/proc/self/status")
    if status.exists():  # the figure of getrusage would begin with that of the process which started this one
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if found:
            return 1024 * int(found[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _processor_time() -> float:
    """Seconds of this process and of the compilers that it has started and that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def main() -> None:
    functions: dict[str, Any] = {
        f.__name__: f for f in (further, study_first, study_memory, whole, growth, memory, exudyn_memory)
    }
    name, *arguments = sys.argv[1:]
    print(json.dumps(functions[name](*arguments)), flush=True)


if __name__ == "__main__":
    main()
