"""Processes of tests: ended with their block or after their limit, with all that they have started."""

import os
import sys
from pathlib import Path

import pytest
from processes import printed, python, ran, started, until

HERE = Path(__file__).parent
SLEEP = "import time; print('awake', flush=True); time.sleep(600)"
# a child that keeps the pipes of its parent open
PARENT = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEP!r}]).pid, flush=True)\n{SLEEP}"


def lives(number: int) -> bool:
    """A process that has ended may stay listed until somebody asks how."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_only_there_are_processes_started():
    """With limits and ends, which `subprocess` alone leaves to each call."""
    names = ("import subprocess", "from subprocess", "import multiprocessing")
    files = [path for path in HERE.rglob("*.py") if path.name not in ("processes.py", "test_processes.py")]
    # test_wheel.py's is in the text of a compiler that stands in for the real one
    inside = {"test_wheel.py": 1}
    for path in files:
        lines = [text for text in path.read_text(encoding="utf-8").split("\n") if text.startswith(names)]
        assert len(lines) <= inside.get(path.name, 0), f"{path}: start processes with tests/processes.py"


def test_what_they_write_and_how_they_end():
    assert printed("-c", "print('here')") == "here\n"
    assert python("-c", "raise SystemExit(3)").returncode == 3
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        printed("-c", "1 / 0")
    with started(sys.executable, "-c", SLEEP) as process:
        assert process.line() == "awake\n"
    assert process.returncode != 0


def test_one_that_runs_for_too_long_is_said():
    with pytest.raises(AssertionError, match="killed because it ran for too long"):
        python("-c", SLEEP, limit=0.5)
    with (
        started(sys.executable, "-c", "import time; time.sleep(600)", limit=0.5) as process,
        pytest.raises(AssertionError, match="ran for too long"),
    ):
        process.line()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks into Linux's list of processes")
def test_their_children_end_with_them():
    with started(sys.executable, "-c", PARENT) as process:
        child = int(process.line())
        assert lives(child)
    until(lambda: not lives(child), "the end of the child")
    with pytest.raises(AssertionError, match="ran for too long") as caught:
        ran(sys.executable, "-c", PARENT, limit=1.5)
    child = next(int(word) for word in str(caught.value).split() if word.isdigit())
    until(lambda: not lives(child), "the end of the child")
