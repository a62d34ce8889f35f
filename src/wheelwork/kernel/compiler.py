"""Find a C++ compiler and turn sources into shared libraries."""

from __future__ import annotations

import errno
import functools
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BASE_FLAGS = ("-std=c++17", "-fPIC", "-shared", "-fno-math-errno", "-fno-trapping-math", "-w")


class CompilerMissing(RuntimeError):
    """There is no C++ compiler."""


class CompilationFailed(RuntimeError):
    """The compiler did not accept a source, or could not write its output."""


@dataclass(frozen=True)
class Compiler:
    """A compiler command with what identifies it."""

    command: tuple[str, ...]
    version: str
    native: bool
    """Whether it understands -march=native."""

    def flags(self, optimise: str) -> tuple[str, ...]:
        return (*BASE_FLAGS, f"-{optimise}", *(("-march=native",) if self.native else ()))

    def compile(
        self, sources: Sequence[Path], target: Path, optimise: str, defines: Sequence[str] = ()
    ) -> None:
        """Compile and link into `target`, which appears only when complete."""
        given = [f"-D{name}" for name in defines]
        command = [*self.command, *self.flags(optimise), *given, *map(str, sources), "-o", str(target)]
        try:
            # in English, to be understood below
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", env=os.environ | {"LC_ALL": "C"}
            )
        except OSError as error:
            raise CompilationFailed(f"{self.command[0]} could not be run: {error}") from error
        if done.returncode and "No space left on device" in done.stderr:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        if done.returncode:
            raise CompilationFailed(f"{' '.join(self.command)} failed:\n{done.stderr.strip()[:2000]}")
        if not target.is_file():
            raise CompilationFailed(f"{' '.join(self.command)} wrote no library; is it a C++ compiler?")


def find_compiler() -> Compiler:
    """The compiler named by ``CXX``, else g++, clang++ or c++ on the path."""
    return _find(os.environ.get("CXX", ""), os.environ.get("PATH", ""))


@functools.lru_cache(maxsize=8)
def _find(cxx: str, path: str) -> Compiler:
    for command in _candidates(cxx):
        if shutil.which(command[0], path=path) is None:
            continue
        try:
            version = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            continue
        if version.returncode == 0:
            return Compiler(command, version.stdout.partition("\n")[0], _takes_native(command))
    if cxx.strip():
        raise CompilerMissing(f"CXX is set to `{cxx}`, but that cannot be run")
    raise CompilerMissing("no C++ compiler (g++, clang++ or c++) was found on the path")


def _candidates(cxx: str) -> list[tuple[str, ...]]:
    if not cxx.strip():
        return [("g++",), ("clang++",), ("c++",)]
    try:
        return [tuple(shlex.split(cxx))]
    except ValueError:  # a quotation mark without its partner
        return []


def _takes_native(command: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "probe.o"
        probe = subprocess.run(
            [*command, "-march=native", "-x", "c++", "-c", "-", "-o", str(target)],
            input="",
            capture_output=True,
            text=True,
        )
    return probe.returncode == 0
