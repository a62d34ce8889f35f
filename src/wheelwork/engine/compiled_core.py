"""The runtime's core: built with the package, for several levels of processors, and chosen when it is loaded.

In a clone whose C++ was changed since, or that was never built, it is compiled when first needed and kept in the cache.
"""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path

from wheelwork.lazy import llvm

from .cache import digest, library
from .compiler import (
    BUILT,
    LEVELS,
    SPACES,
    CompilerMissing,
    build_cores,
    core_name,
    find_compiler,
    levels,
    sources,
)
from .records import check


@functools.cache
def level() -> str:
    """The highest level of x86-64 that this processor has; empty on other kinds of processor."""
    known = levels()
    if known == [""]:
        return ""
    features = {name for name, there in llvm.get_host_cpu_features().items() if there}
    return next(
        (name for name in known if all(LEVELS[n] <= features for n in known[known.index(name) :])), ""
    )


@functools.cache
def core(space: str) -> ctypes.CDLL:
    """The core for bodies in space or in the plane (`spatial`, `planar`)."""
    library = ctypes.CDLL(str(_path(space)))
    check(library, space)
    return library


def _path(space: str) -> Path:
    known = levels()
    for one in known[known.index(level()) :] if level() in known else [level()]:
        built = BUILT / core_name(space, one)
        if built.is_file():
            return built
    try:
        compiler = find_compiler()
    except CompilerMissing as missing:
        raise CompilerMissing(
            f"the compiled core of wheelwork is missing in this installation, and {missing}. In a clone "
            "./wheelwork-dev builds it; elsewhere install wheelwork from a wheel, or a compiler with which it is built "
            "when needed (pip install ziglang, or apt install g++)"
        ) from None
    key = digest("core", core_name(space, level()), compiler.version, *compiler.command)
    return library(key, lambda target: compiler.build(sources(), target, level(), SPACES[space]))


if __name__ == "__main__":  # `./wheelwork-dev` calls this: the core of a clone, for this machine
    build_cores(BUILT, [level()])
