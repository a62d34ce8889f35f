"""What a user waits for: new processes from an empty and a full cache, further runs, `wheelwork run` with its report.

A task is all of a process: import, load a file, simulate, read one series. Its time is that of the processors (user and
system), with the wall clock beside it. Bytecode is kept, as that of an installed package is; the cache is a folder of
its own, emptied or left as the run before has filled it. Python starts with `-S`, as if Wheelwork were installed alone:
other packages in this environment (Pinocchio's, setuptools) have code run at every start, 10 ms of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Any

from wheelwork import examples

ROOT = Path(__file__).parents[1]
TASKS = {
    "chain of 43": ("chain.yaml", "rod42.position.x", "mass"),
    "planetary gearbox": ("planetary-gearbox", "ring.velocity.x", "steel"),
    "yaw drive": ("yaw-drive", "gear.w", "gear_inertia"),
    "contact bench": ("tooth-contact", "gear.position.x", "steel"),
}
"""File (bundled, but for the first), a series that is read, a number that is changed."""
SCRIPT = "import wheelwork as ww; ww.load({file!r}).simulate(progress=False).series({signal!r})"
THEIRS = "from benchmarks.peers import exudyn_chain; exudyn_chain.simulate(43, 1e-3)"
FURTHER = {"planetary gearbox": ("planetary-gearbox", "drag"), "yaw drive": ("yaw-drive", "torque")}
"""File and the parameter that gets another value in every run."""
REPORTED = "planetary-contact"


def measure(peers: list[str], quick: bool) -> dict[str, Any]:
    """Of each task the least of some rounds, from an empty and from a full cache, and with one number changed; overhead
    of further runs; a run with report."""
    rounds = 1 if quick else 5
    with tempfile.TemporaryDirectory(prefix="wheelwork-bench-") as folder:
        files = _files(Path(folder))
        found: dict[str, Any] = {"tasks": {name: _task(*files[name], folder, rounds) for name in TASKS}}
        if "exudyn" in peers:
            spent = [process([sys.executable, "-c", THEIRS], folder, folder) for _ in range(rounds + 1)]
            found["exudyn"] = best(spent[1:])
        found["further"] = child("", "further", 5 if quick else 30)
        found["report"] = _report(Path(folder), rounds)
    return found


def _files(folder: Path) -> dict[str, tuple[str, str, str]]:
    from .model import END_TIME, describe

    chain = describe(43)
    chain.analysis = {"type": "simulate", "end": END_TIME}  # type: ignore[assignment]
    chain.save(folder / "chain.yaml")
    return {
        name: (str(folder / file) if file.endswith(".yaml") else str(examples.path(file)), signal, number)
        for name, (file, signal, number) in TASKS.items()
    }


def _task(file: str, signal: str, name: str, folder: str, rounds: int) -> dict[str, dict[str, float]]:
    found: dict[str, list[dict[str, float]]] = {"empty": [], "full": [], "changed": []}
    for round in range(rounds + 1):
        changed = Path(folder) / f"changed{round}.yaml"
        changed.write_text(_changed(Path(file).read_text(), name, round))
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            for kind, given in (("empty", file), ("full", file), ("changed", str(changed))):
                script = SCRIPT.format(file=given, signal=signal)
                found[kind].append(process([sys.executable, "-c", script], folder, cache))
    return {kind: best(runs[1:]) for kind, runs in found.items()}  # the first round wrote the bytecode


def _changed(text: str, name: str, round: int) -> str:
    """The description with one number changed."""
    times = 1.001 + round / 1000
    other, count = re.subn(
        rf"(\b{name}: )([\d.]+)", lambda found: f"{found[1]}{float(found[2]) * times}", text, count=1
    )
    assert count, name
    return other


def _report(folder: Path, rounds: int) -> dict[str, float]:
    """`wheelwork run` of the planetary stage with tooth contact, with its report, from a full cache."""
    place = folder / "report"
    command = [sys.executable, "-m", "wheelwork", "run", str(examples.path(REPORTED)), "--out", str(place)]
    found = []
    for _ in range(rounds + 2):  # the first two write bytecode and fill the cache
        shutil.rmtree(place, ignore_errors=True)
        found.append(process(command, str(folder), str(folder / "cache")))
    return {**best(found[2:], "wall"), "bytes": (place / "result.nc").stat().st_size}


def best(runs: list[dict[str, float]], by: str = "processor") -> dict[str, float]:
    return min(runs, key=lambda run: run[by])


def process(command: list[str], bytecode: str, cache: str) -> dict[str, float]:
    """Seconds of the processors and on the wall of a new process."""
    surroundings = environment(cache) | {"PYTHONPYCACHEPREFIX": str(Path(bytecode) / "bytecode")}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    python, *rest = command
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        begun = subprocess.Popen([python, "-S", *rest], env=surroundings, stdout=said, stderr=said)
        _, status, used = os.wait4(begun.pid, 0)
        wall = time.perf_counter() - start
        begun.returncode = os.waitstatus_to_exitcode(status)
        if begun.returncode:
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)} failed:\n{said.read().decode()}")
    return {"processor": used.ru_utime + used.ru_stime, "wall": wall}


def command(name: str, *arguments: float | str) -> list[str]:
    return [sys.executable, "-m", f"{__package__}.child", name, *map(str, arguments)]


def environment(cache: str) -> dict[str, str]:
    """That of this process, with this folder as cache, in which `benchmarks` can be imported."""
    places = (str(ROOT), os.environ.get("PYTHONPATH"), str(ROOT / "src"), sysconfig.get_path("purelib"))
    path = os.pathsep.join(filter(None, places))
    return {**os.environ, "PYTHONPATH": path, **({"WHEELWORK_CACHE": cache} if cache else {})}


def child(cache: str, name: str, *arguments: float | str) -> dict[str, Any]:
    """What a function of `child.py` returns in a process of its own."""
    done = subprocess.run(
        command(name, *arguments),
        env=environment(cache),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
