"""The core under the sanitizers of addresses and undefined behaviour, on bundled examples: `./wheelwork-dev sanitize`.

It is compiled with warnings as errors, then run in a process of its own, which the first fault ends. Python and the
emitted kernels are not looked at, only what the core itself reads and writes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import wheelwork as ww
from wheelwork import examples
from wheelwork.engine import compiled_core
from wheelwork.engine.compiler import SPACES, find_compiler, sources

FLAGS = ("-O1", "-g1", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
ENDS = {
    "pendulum": 0.3, "four-bar": 0.1, "squeezer": 0.005, "n-four-bar": 0.1, "planetary": 0.2,
    "planetary-gearbox": 0.02, "backlash-pair": 0.005, "tooth-contact": 1e-4, "worm-lift": 0.05, "yaw-drive": 0.002,
    "cam-follower": 0.1, "stick-slip": 1.0, "bouncing-ball": 1.0, "robot": 0.005,
    "belt-drive": 0.01, "chain-drive": 0.01, "cycloid-drive": 0.002, "friction-planetary": 0.01,
    "gearbox-shift": 0.01, "controlled-arm": 0.02,
}  # fmt: skip
"""Trees, loops, redundant joints, every model of teeth, friction, clutches, cams, impacts, blocks of a control, in
space and plane; in seconds."""
WAYS: tuple[dict[str, Any], ...] = (
    {"formulation": "absolute"},
    {"formulation": "reduced"},
    {"formulation": "absolute", "method": "sdirk4"},
)


def build(folder: Path) -> Path:
    """Both cores into a folder; returns the library that has to be loaded before any other."""
    compiler, level = find_compiler(), compiled_core.level()
    asked = [*compiler.command, "-print-file-name=libasan.so"]
    first = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    if not first.is_absolute():
        raise SystemExit(f"the sanitizers need g++ with its libasan, and this is {compiler.version}")
    for space, defines in SPACES.items():
        compiler.build(sources(), folder / f"{space}.so", level, defines, FLAGS)
    return first


def run(folder: Path) -> None:
    """All examples in all ways there are for them, driven ones too, and two at once."""
    compiled_core._path = lambda space: folder / f"{space}.so"
    for name, end in ENDS.items():
        done = []
        for way in WAYS:
            m = ww.load(examples.path(name))
            if m.analysis is None or m.analysis.type != "simulate":
                done.append(m.run(end=end, output=20, progress=False).report[:40])
                break
            try:
                result = m.run(end=end, output=3, progress=False, **way)
                done.append(f"{result.statistics.steps} steps")
            except ww.ModelError:
                done.append("refused")  # as there: dry friction in minimal coordinates
        print(f"{name}: {', '.join(done)}", flush=True)
    with ThreadPoolExecutor(2) as pool:
        ends = pool.map(lambda k: ww.load(examples.path("pendulum")).simulate(0.1 + k, output=3), range(2))
        print("two threads:", ", ".join(f"{r.statistics.steps} steps" for r in ends))


def main() -> int:
    if len(sys.argv) > 1:
        run(Path(sys.argv[1]))
        return 0
    with tempfile.TemporaryDirectory(prefix="wheelwork-") as name:
        first = build(Path(name))
        settings = {"LD_PRELOAD": str(first), "ASAN_OPTIONS": "detect_leaks=0"}
        command = [sys.executable, "-m", "robustness.sanitize", name]
        return subprocess.run(command, env=os.environ | settings).returncode


if __name__ == "__main__":
    sys.exit(main())
