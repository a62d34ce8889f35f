"""Processes that tests start: none outlives its test, and none is waited for without a limit.

`test_processes.py` sees to it that tests start them here and nowhere else.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

DEVNULL, PIPE = subprocess.DEVNULL, subprocess.PIPE
LIMIT = 200.0
"""For how long a process may run, s: many times what any of them takes, and less than a test may."""


class Process(subprocess.Popen[str]):
    """A process with pipes, in a group of its own."""

    too_long = False
    """Whether it was killed because it ran for too long."""

    def line(self) -> str:
        """Its next line on standard output; fails with what it says where there is none."""
        assert self.stdout is not None
        found = self.stdout.readline()
        assert found, f"it has ended: {self.ended()}"
        return found

    def ended(self, send: str | None = None) -> tuple[str, str]:
        """What it writes until it ends, to standard output and standard error."""
        out, err = self.communicate(send)
        assert not self.too_long, f"killed because it ran for too long: {self.args}\n{out or ''}{err or ''}"
        return out, err

    def kill_all(self) -> None:
        """Kill it and all that it has started."""
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self.kill()

    def _late(self) -> None:
        self.too_long = True
        self.kill_all()


@contextmanager
def started(*command: Any, limit: float = LIMIT, **options: Any) -> Iterator[Process]:
    """A process that is killed, with all that it has started, at the end of the block or after `limit` seconds: whoever
    reads its lines or waits for its end goes on then."""
    options = {"stdout": PIPE, "stderr": PIPE, "text": True, "start_new_session": True, **options}
    with Process([str(word) for word in command], **options) as process:
        late = threading.Timer(limit, process._late)
        late.daemon = True
        late.start()
        try:
            yield process
        finally:
            late.cancel()
            process.kill_all()


def ran(*command: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command that has ended."""
    with started(*command, **options) as process:
        out, err = process.ended()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def python(*arguments: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    """This Python with these arguments."""
    return ran(sys.executable, *arguments, **options)


def printed(*arguments: Any, **options: Any) -> str:
    """What this Python prints with these arguments; fails with what it says where it ends badly."""
    done = python(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def until(true: Callable[[], object], words: str, process: Process | None = None) -> None:
    """Wait until it is so; fails after the limit, or where the process that is to bring it about has ended."""
    end = time.monotonic() + LIMIT
    while not true():
        assert process is None or process.poll() is None, process.ended()
        assert time.monotonic() < end, f"{words}: not within {LIMIT:g} s"
        time.sleep(0.01)
