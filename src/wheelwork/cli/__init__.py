"""The command `wheelwork`: one file for each verb. A verb is loaded when it is chosen."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wheelwork.lazy import uncollected

if TYPE_CHECKING:
    from cyclopts import App

GOOD, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None, make: Callable[[], App] | None = None) -> int:
    """Run one command; returns the exit code: 0 good, 1 failed analysis, 2 bad input. `make`: other verbs."""
    _settle_streams()
    with uncollected():
        from .app import run_app

    return run_app(list(sys.argv[1:] if arguments is None else arguments), make)


def _settle_streams() -> None:
    """What is printed to a closed stream goes nowhere; a character that a stream cannot hold is shown by its number."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
