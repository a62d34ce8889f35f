"""Loops in C++ around calls of peers, so that what is timed is their work and not the way there from Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

from wheelwork.engine.cache import digest, library
from wheelwork.engine.compiler import find_compiler

FLAGS = ("-std=c++17", "-fPIC", "-shared", "-march=native", "-O3", "-DNDEBUG", "-w")


def compiled(source: Path, version: str, *options: str) -> ctypes.CDLL:
    """The library made of a source, from the cache where it has been made before with this version of the peer."""
    compiler = find_compiler()
    command = [*compiler.command, *FLAGS]

    def build(target: Path) -> None:
        done = subprocess.run(
            [*command, str(source), *options, "-o", str(target)], capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{source.name} could not be compiled:\n{done.stderr[:2000]}")

    key = digest("benchmark", source.read_text(), version, compiler.version, *command, *options)
    return ctypes.CDLL(str(library(key, build)))


def includes(folders: Sequence[Path]) -> list[str]:
    return [f"-I{folder}" for folder in folders]
