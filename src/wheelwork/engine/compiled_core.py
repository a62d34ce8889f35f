"""The runtime's core: built with the package, for several levels of processors, and chosen when it is loaded.

In a clone whose C++ was changed since, or that was never built, it is compiled when first needed and kept in the cache.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

from wheelwork.lazy import compiler, llvm

from .cache import digest, library, processor_flags
from .records import check

OF_LLVM = {"bmi1": "bmi", "sse4_2": "sse4.2"}
"""Flags of processors that LLVM has other names for than Linux."""


@functools.cache
def level() -> str:
    """The highest level of x86-64 that this processor has; empty on other kinds of processor."""
    known, needed = compiler.levels(), compiler.LEVELS
    if known == [""]:
        return ""
    features = {OF_LLVM.get(name, name) for name in processor_flags().split()}
    if not features:
        features = {name for name, there in llvm.get_host_cpu_features().items() if there}
    return next(
        (name for name in known if all(needed[n] <= features for n in known[known.index(name) :])), ""
    )


@functools.cache
def core(space: str, path: str = "") -> ctypes.CDLL:
    """The core for bodies in space or in the plane (`spatial`, `planar`).

    path: of its file, where that is known (:func:`built`)
    """
    library = ctypes.CDLL(path or str(_path(space)))
    check(library, space)
    return library


def built(space: str) -> str:
    """The file of the core, where it was built with the package; else empty."""
    path = _path(space)
    return str(path) if path.parent == compiler.BUILT else ""


def _path(space: str) -> Path:
    known = compiler.levels()
    for one in known[known.index(level()) :] if level() in known else [level()]:
        path = compiler.BUILT / compiler.core_name(space, one)
        if path.is_file():
            return path
    try:
        found = compiler.find_compiler()
    except compiler.CompilerMissing as missing:
        raise compiler.CompilerMissing(
            f"the compiled core of wheelwork is missing in this installation, and {missing}. In a clone "
            "./wheelwork-dev builds it; elsewhere install wheelwork from a wheel, or a compiler with which it is built "
            "when needed (pip install ziglang, or apt install g++)"
        ) from None
    key = digest("core", compiler.core_name(space, level()), found.version, *found.command)
    return library(
        key, lambda target: found.build(compiler.sources(), target, level(), compiler.SPACES[space])
    )


if __name__ == "__main__":  # `./wheelwork-dev` calls this: the core of a clone, for this machine
    compiler.build_cores(compiler.BUILT, [level()])
