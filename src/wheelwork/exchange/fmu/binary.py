"""Binaries of an FMU: the core with the interfaces of FMI, built with the package for this system, and by a compiler
that crosses (`pip install ziglang`) for others."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from wheelwork.engine.cache import digest, library
from wheelwork.lazy import compiler
from wheelwork.problems import ModelError, Problem

LEVEL = "x86-64-v3"
"""The least that a processor needs: fused multiplication and addition, without which code is a hundred times slower."""


@dataclass(frozen=True)
class Platform:
    """A system that an FMU has a binary for."""

    name: str
    """In FMI 2.0."""
    folder: str
    """In FMI 3.0."""
    ending: str
    target: str
    """What zig calls it."""
    processor: str = "x86_64"
    made: bool = False
    """Whether the core has been compiled for it, and an FMU run there."""


PLATFORMS = {
    one.name: one
    for one in (
        Platform("linux64", "x86_64-linux", ".so", "x86_64-linux-gnu.2.17", made=True),
        Platform("win64", "x86_64-windows", ".dll", "x86_64-windows-gnu"),
        Platform("darwin64", "x86_64-darwin", ".dylib", "x86_64-macos"),
    )
}


def here() -> str:
    """The platform of this process."""
    systems = {"linux": "linux64", "win32": "win64", "darwin": "darwin64"}
    return systems.get(sys.platform, "linux64")


def library_for(platform: Platform, space: str) -> Path:
    """The shared library with the core and both interfaces, for mechanisms in space or in the plane."""
    if platform.name == here():
        built = compiler.BUILT / compiler.core_name(space, LEVEL)
        if built.is_file():
            return built
        found = compiler.find_compiler()
        key = digest("core", compiler.core_name(space, LEVEL), found.version, *found.command)
        return library(
            key, lambda target: found.build(compiler.sources(), target, LEVEL, compiler.SPACES[space])
        )
    if importlib.util.find_spec("ziglang") is None:
        raise ModelError(
            [
                Problem(
                    f"a binary for `{platform.name}` needs a compiler that makes code for other systems",
                    path="platforms",
                    hint="pip install ziglang, or leave this platform out",
                )
            ]
        )
    zig = compiler.Compiler((sys.executable, "-m", "ziglang", "c++"), "zig")
    more = ("-target", platform.target, "-D_USE_MATH_DEFINES")  # by which Windows has the number pi
    key = digest("fmu", compiler.core_name(space, LEVEL), platform.target)
    return library(
        key, lambda target: zig.build(compiler.sources(), target, LEVEL, compiler.SPACES[space], more)
    )
