"""What new processes run: `python -m benchmarks.child NAME ARGUMENTS`; the last line printed is a JSON object.

Times are on the wall clock and start after the imports that the function names.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def first_result(n: int) -> dict[str, float]:
    """Seconds after `import wheelwork` until the result of a simulation is there, and until a signal of it is read."""
    import wheelwork  # noqa: F401

    from .model import END_TIME, describe

    start, used = time.perf_counter(), _processor_time()
    chain = describe(n)
    described = time.perf_counter()
    result = chain.simulate(end=END_TIME, progress=False)
    done, used_at_end = time.perf_counter(), _processor_time()
    if result.outcome:
        raise RuntimeError(result.report)
    float(result[f"rod{n - 1}.position.x"][-1])
    return {
        "describe": described - start,
        "simulate": done - described,
        "total": done - start,
        "processor": used_at_end - used,
        "read_signal": time.perf_counter() - done,
    }


def _processor_time() -> float:
    """Seconds of this process and of the compilers that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def task(n: int, rtol: float) -> dict[str, float]:
    """From nothing but imported modules to the rods' ends at t = 1 s, then the same run again."""
    import numpy as np

    from wheelwork.kernel.engine import RunOptions
    from wheelwork.solve.prepare import prepare

    from .chain import end_points, largest_error
    from .model import END_TIME, describe

    start = time.perf_counter()
    description = describe(n)
    described = time.perf_counter()
    prepared = prepare(description, engine="native", method="dopri5")
    ready = time.perf_counter()
    options, grid = RunOptions(end=END_TIME, rtol=rtol, atol=rtol), np.array([END_TIME])
    done = prepared.engine.integrate(prepared.numbers.state, grid, options)
    end = time.perf_counter()
    points = end_points(done.state[-1], n)
    total = time.perf_counter() - start
    again = time.perf_counter()
    prepared.engine.integrate(prepared.numbers.state, grid, options)
    again = time.perf_counter() - again
    return {
        "describe": described - start,
        "prepare": ready - described,
        "first_run": end - ready,
        "total": total,
        "run_again": again,
        "error": largest_error(points),
    }


def exudyn_task(n: int, step: float) -> dict[str, float]:
    """The same in Exudyn, absolute coordinates, best settings."""
    from .chain import largest_error
    from .peers import exudyn_chain as peer
    from .peers import exudyn_solver

    exudyn_solver.clock = time.perf_counter
    start = time.perf_counter()
    run = peer.simulate(n, step)
    total = time.perf_counter() - start
    again = peer.simulate(n, step)
    return {
        "prepare": total - run.solve,
        "first_run": run.solve,
        "total": total,
        "run_again": again.solve,
        "error": largest_error(run.points),
    }


def memory(n: int) -> dict[str, int]:
    """Resident memory of this process [bytes]: bare, with all imports, with the model ready, after a run."""
    import psutil

    process = psutil.Process()
    seen = {"bare": process.memory_info().rss}
    import numpy as np

    import wheelwork.kernel.native
    import wheelwork.solve  # noqa: F401
    from wheelwork.kernel.engine import RunOptions
    from wheelwork.solve.prepare import prepare

    from .model import END_TIME, describe

    seen["imported"] = process.memory_info().rss
    print("imported", flush=True)
    prepared = prepare(describe(n), engine="native", method="dopri5")
    seen["ready"] = process.memory_info().rss
    print("ready", flush=True)
    options = RunOptions(end=END_TIME)
    for _ in range(20):
        prepared.engine.integrate(prepared.numbers.state, np.linspace(0, END_TIME, 501), options)
    seen["ran"] = process.memory_info().rss
    print("ran", flush=True)
    return seen


def exudyn_memory(n: int) -> dict[str, int]:
    """The same in Exudyn."""
    import psutil

    process = psutil.Process()
    seen = {"bare": process.memory_info().rss}
    from .peers import exudyn_chain as peer

    seen["imported"] = process.memory_info().rss
    print("imported", flush=True)
    peer.simulate(n, 1e-3)
    seen["ran"] = process.memory_info().rss
    return seen


def main() -> None:
    functions: dict[str, Any] = {
        f.__name__: f for f in (first_result, task, exudyn_task, memory, exudyn_memory)
    }
    name, size, *numbers = sys.argv[1:]
    print(json.dumps(functions[name](int(size), *map(float, numbers))), flush=True)


if __name__ == "__main__":
    main()
