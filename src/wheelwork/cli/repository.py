"""`wheelwork bench` and `wheelwork robustness`: they have moved beside the tests, and are run from there."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import wheelwork
from wheelwork.problems import ModelError

Words = Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]


def bench(*words: Words) -> int:
    """Speed and memory beside other programs: `./wheelwork-dev bench` in a clone of Wheelwork."""
    return _run("benchmarks", "bench", words)


def robustness(*words: Words) -> int:
    """Mechanisms and files made at random: `./wheelwork-dev robustness` in a clone of Wheelwork."""
    return _run("robustness", "robustness", words)


def _run(package: str, verb: str, words: tuple[str, ...]) -> int:
    root = Path(wheelwork.__file__).parents[2]
    if not (root / package / "__main__.py").is_file():
        hint = f"in a clone of Wheelwork: ./wheelwork-dev {verb}"
        raise ModelError(f"`{verb}` is not part of the installed package", path=verb, hint=hint)
    warnings.warn(f"`wheelwork {verb}` has moved: ./wheelwork-dev {verb}", FutureWarning, stacklevel=2)
    call = f"import sys; sys.path.insert(0, {str(root)!r}); from {package}.__main__ import start; sys.exit(start())"
    return subprocess.run([sys.executable, "-c", call, *words]).returncode
