"""The core of every level of processors that this one has, on bundled examples: `./wheelwork-dev levels`.

Users have other processors than those who develop it, and each level is code of its own. What runs with the levels
below is compared with this processor's own, and the time of a step in absolute coordinates is shown beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine import compiled_core
from wheelwork.engine.compiler import BUILT, build_cores, core_name, levels

from .sanitize import ENDS, WAYS

SAME = 1e-6
"""m or rad; the tolerance of the runs is 1e-8, and round-off differs from level to level."""


def positions(level: str) -> dict[str, list[float]]:
    """Positions and angles at the end of each run, with the core of a level; and `seconds` for each step of a chain."""
    compiled_core._path = lambda space: BUILT / core_name(space, level)
    found = {}
    for name, end in ENDS.items():
        for k, way in enumerate(WAYS):
            m = ww.load(examples.path(name))
            if m.analysis is None or m.analysis.type != "simulate":
                break
            try:
                r = m.run(end=end, output=3, progress=False, **way)
            except ww.ModelError:
                continue  # what one formulation does not have
            places = [name for name in r.catalogue.names() if name.endswith((".position", ".angle"))]
            ends = [np.ravel(np.array(r[place])[-1]) for place in places]
            found[f"{name}, {k}"] = np.concatenate(ends).tolist()
    found["seconds"] = [_seconds_of_a_step()]
    return found


def _seconds_of_a_step() -> float:
    """The least of five, of a chain of 20 rods on ball joints in absolute coordinates."""
    m = ww.Mechanism("chain")
    for k in range(20):
        m.add(f"rod{k}", ww.Body(mass=1, inertia=(0.1, 0.1, 0.01), position=(k + 0.5, 0, 0)))
        m.add(
            f"ball{k}",
            ww.Spherical(bodies=("ground" if k == 0 else f"rod{k - 1}", f"rod{k}"), point=(k, 0, 0)),
        )
    ready, times = m.compile(), []
    for _ in range(5):
        begun = time.process_time()
        ready.simulate(end=1, step=1e-3, method="rk4", output=1, formulation="absolute", progress=False)
        times.append((time.process_time() - begun) / 1000)
    return min(times)


def main() -> int:
    if len(sys.argv) > 1:
        print(json.dumps(positions(sys.argv[1])))
        return 0
    known = levels()
    there = known[known.index(compiled_core.level()) :]
    build_cores(BUILT, there)
    first, wrong = None, 0
    for level in there:
        with tempfile.TemporaryDirectory(prefix="wheelwork-") as cache:
            command = [sys.executable, "-m", "robustness.levels", level]
            asked = subprocess.run(
                command, env=os.environ | {"WHEELWORK_CACHE": cache}, stdout=subprocess.PIPE, check=True
            )
        found = json.loads(asked.stdout.splitlines()[-1])
        seconds = found.pop("seconds")[0]
        first = first or found
        apart = {name: float(np.abs(np.subtract(ends, first[name])).max()) for name, ends in found.items()}
        faults = {name: by for name, by in apart.items() if not by <= SAME}
        wrong += len(faults)
        print(
            f"{level or 'this processor'}: {len(found)} runs, {1e6 * seconds:.1f} us for a step of a chain of 20, "
            f"furthest apart {max(apart.values()):.1e} m or rad",
            flush=True,
        )
        for name, by in faults.items():
            print(f"  WRONG: {name}: {by:.2e} m or rad away from {there[0]}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
