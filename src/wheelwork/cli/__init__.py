"""The command `wheelwork`: one file for each verb. Heavy libraries load inside the verbs that need them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

GOOD, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 good, 1 failed analysis, 2 bad input."""
    from .app import run_app

    return run_app(list(sys.argv[1:] if arguments is None else arguments))
