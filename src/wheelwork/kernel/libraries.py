"""Shared libraries: the runtime, compiled once a machine, and the kernels of element types, compiled when first met."""

from __future__ import annotations

import ctypes
import functools
import os
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from .cache import digest, library
from .compiler import Compiler, find_compiler

if TYPE_CHECKING:
    import casadi as ca

RUNTIME = Path(__file__).parent / "runtime"
KERNEL_OPTIMISATION = "O1"
CORE_OPTIMISATION = "O2"
"""O3 makes a right-hand side 5 % faster and a first run half a second slower."""
METHOD_OPTIMISATION = "O2"


class KernelLibrary:
    """Addresses of emitted functions, by name."""

    def __init__(self) -> None:
        self._addresses: dict[str, int] = {}
        self._loaded: list[ctypes.CDLL] = []

    def load(self, path: Path, names: Iterable[str]) -> None:
        handle = ctypes.CDLL(str(path))
        self._loaded.append(handle)
        for name in names:
            self._addresses[name] = ctypes.cast(getattr(handle, name), ctypes.c_void_p).value or 0

    def address(self, name: str) -> int:
        return self._addresses[name]


def _build_kernels(compiler: Compiler, source: str, target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="wheelwork-") as folder:
        path = Path(folder) / "kernel.cpp"
        path.write_text(source)
        compiler.compile([path], target, KERNEL_OPTIMISATION)


DEFINES: dict[str, tuple[str, ...]] = {"spatial": (), "planar": ("WW_PLANAR",)}
"""What chooses the kind of body when the runtime is compiled (``runtime/body.hpp``)."""


def runtime_path(name: str, space: str) -> Path:
    """A compiled part of the runtime: `core`, or an integration method; for bodies in space or in the plane."""
    compiler = find_compiler()
    source = RUNTIME / f"{name}.cpp"
    optimise = CORE_OPTIMISATION if name == "core" else METHOD_OPTIMISATION
    defines = DEFINES[space]
    key = digest(
        "runtime",
        _runtime_text(source),
        *defines,
        compiler.version,
        *compiler.command,
        *compiler.flags(optimise),
    )
    return library(key, lambda target: compiler.compile([source], target, optimise, defines))


@functools.cache
def _runtime_text(source: Path) -> str:
    """A part of the runtime with all headers; read once a process, which takes a millisecond."""
    return "".join(path.read_text() for path in [*sorted(RUNTIME.glob("*.hpp")), source])


def kernel_path(functions: Sequence[ca.Function]) -> Path:
    """A library with these functions."""
    return source_path(_source(tuple(functions)))


@functools.lru_cache(maxsize=256)
def _source(functions: tuple[ca.Function, ...]) -> str:
    """Emitted source; the same functions come with every run of a mechanism."""
    from .emit import emit

    return emit(functions)


def source_path(source: str) -> Path:
    """A library made from emitted source."""
    compiler = find_compiler()
    key = digest("kernel", source, compiler.version, *compiler.command, *compiler.flags(KERNEL_OPTIMISATION))
    return library(key, lambda target: _build_kernels(compiler, source, target))


def compile_all(
    groups: Sequence[Sequence[ca.Function]], runtimes: Sequence[str], space: str
) -> tuple[dict[str, ctypes.CDLL], KernelLibrary]:
    """Compile parts of the runtime and one library for each group of functions, side by side, and load them."""
    find_compiler()
    kernels = KernelLibrary()
    with ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 2)) as pool:
        parts = {name: pool.submit(runtime_path, name, space) for name in runtimes}
        paths = list(pool.map(kernel_path, groups))
        for path, functions in zip(paths, groups, strict=True):
            kernels.load(path, (function.name() for function in functions))
        return {name: load_runtime(part.result()) for name, part in parts.items()}, kernels


@functools.lru_cache(maxsize=16)
def load_runtime(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))
