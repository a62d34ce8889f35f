"""STEP through Open CASCADE, in a process of its own (:mod:`.step_worker`): what crashes there is reported here."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wheelwork.problems import ModelError

from .mesh import Moments, TriangleMesh

PATIENCE = 600
"""Seconds after which a file is given up."""
_WORKER = Path(__file__).with_name("step_worker.py")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_TEXT = re.compile(r"'(?:[^']|'')*'")


def read_step(data: bytes, name: str) -> tuple[TriangleMesh, Moments | None, str]:
    """Triangles of a STEP file in millimetres, the exact moments of its solids, and why it has none."""
    with TemporaryDirectory(prefix="wheelwork-") as folder:
        given, out = Path(folder, "given.step"), Path(folder, "read.npz")
        given.write_bytes(data)
        done = _run("read", given, out, name)
        said = _COLOUR.sub("", done.stdout)
        if done.returncode or not out.is_file() or "Fails Count" in said:
            _refuse(done, said, data, name)
        with np.load(out) as found:
            read = {key: found[key] for key in found}
    mesh = TriangleMesh(read["points"], read["triangles"])
    solids, volume = int(read["solids"]), float(read["volume"])
    if not solids:
        return mesh, None, f"contains no solid, but {int(read['shells'])} shells of surfaces"
    if len(read["wrong"]):
        return mesh, None, f"solid {int(read['wrong'][0])} of {solids} is not valid (Open CASCADE)"
    if not volume > 0:
        return mesh, None, f"its {solids} solids have a volume of {volume:.4g} mm^3 together"
    center = read["first"] / volume
    return mesh, Moments(volume, center, read["second"] - volume * np.outer(center, center)), ""


def write_step(wheels: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Write wheels to STEP files; for each by its name its `volume` [mm^3], or the `error` that kept it from being.

    wheels: what `step_worker.write` reads, each with the `file` that it becomes
    """
    with TemporaryDirectory(prefix="wheelwork-") as folder:
        plan, out = Path(folder, "wheels.json"), Path(folder, "done.json")
        plan.write_text(json.dumps(wheels), encoding="utf-8")
        done = _run("write", plan, out, "wheels")
        found = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {}
        for wheel in wheels:
            found.setdefault(wheel["name"], {"error": _ending(done)})
        return found


def _run(verb: str, given: Path, out: Path, name: str) -> subprocess.CompletedProcess[str]:
    if find_spec("OCP") is None:
        hint = "pip install 'wheelwork[cad]'"
        raise ModelError("STEP needs Open CASCADE, which is not installed", name, "", hint)
    command = [sys.executable, "-I", str(_WORKER), verb, str(given), str(out)]
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        text = f"Open CASCADE did not finish with it in {PATIENCE} s"
        raise ModelError(text, name, "", "simplify it in the CAD program") from None


def _ending(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode < 0:
        ended = signal.Signals(-done.returncode).name
        return f"Open CASCADE crashed with it ({ended}); this process is not harmed"
    own = [line.partition(": ")[2] for line in done.stderr.splitlines() if line.startswith("wheelwork: ")]
    last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
    return own[0] if own else f"Open CASCADE ended without a result: {last[0][:200]}"


def _refuse(done: subprocess.CompletedProcess[str], said: str, data: bytes, name: str) -> None:
    text = data.decode("latin-1")
    hint = "export it again from the CAD program"
    line, fault = first_fault(text)
    told = re.search(r"Line (\d+): ([^*\n]+)", said)
    if not line and told is not None:
        line, fault = int(told[1]), told[2].strip()
    if not fault:
        fault = _ending(done) if done.returncode else said.strip().splitlines()[0].strip("* ")
    where = f"{name}:{line}" if line else name
    raise ModelError(f"is damaged, or not a STEP file: {fault}", where, "", hint)


def first_fault(text: str) -> tuple[int, str]:
    """Line and words of the first thing wrong with a STEP text as such; 0 and nothing where nothing is.

    Its instances are statements `#12 = NAME(...);` of one line or more; each `#12` in them must be defined somewhere.
    """
    if not text.lstrip().startswith("ISO-10303-21"):
        return 1, "it does not begin with ISO-10303-21"
    if "END-ISO-10303-21" not in text[-1000:]:
        return text.count("\n") + 1, "it is cut off: END-ISO-10303-21 is missing"
    known: set[str] = set()
    used: list[tuple[int, str, str]] = []
    start, statement = 1, ""
    for line, words in enumerate(text.splitlines(), 1):
        if not statement.strip():
            start, statement = line, ""
        statement += f"{words}\n"
        if not words.rstrip().endswith(";"):
            continue
        plain = _TEXT.sub("", statement)
        if "'" in plain or plain.count("(") != plain.count(")"):
            return start, f"quotes or brackets do not close in `{_short(statement)}`"
        known |= set(re.findall(r"#(\d+)\s*=", plain))
        used += [(start, number, statement) for number in re.findall(r"#(\d+)\s*[,)]", plain)]
        statement = ""
    for start, number, statement in used:
        if number not in known:
            return start, f"#{number} is used in `{_short(statement)}`, but not defined"
    return 0, ""


def _short(statement: str) -> str:
    return " ".join(statement.split())[:60]
