"""Binaries of an FMU: the core with the interfaces of FMI, built with the package for this system, and by a compiler
that crosses (`pip install ziglang`) for others."""

from __future__ import annotations

import importlib.util
import platform
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wheelwork.engine.cache import digest, library
from wheelwork.lazy import compiler
from wheelwork.problems import ModelError, Problem, did_you_mean

LEVEL = "x86-64-v3"
"""The least that a processor needs: fused multiplication and addition, without which code is a hundred times slower."""


@dataclass(frozen=True)
class Platform:
    """A system that an FMU has a binary for."""

    folder: str
    """In FMI 3.0."""
    older: str
    """In FMI 2.0."""
    ending: str
    target: str
    """What zig calls it."""

    @property
    def processor(self) -> str:
        return self.folder.partition("-")[0]

    @property
    def level(self) -> str:
        return LEVEL if self.processor == "x86_64" else ""

    def folder_of(self, fmi: int) -> str:
        return self.older if fmi == 2 else self.folder


PLATFORMS = {
    one.folder: one
    for one in (
        Platform("x86_64-linux", "linux64", ".so", "x86_64-linux-gnu.2.17"),
        Platform(
            "aarch64-linux", "aarch64-linux", ".so", "aarch64-linux-gnu.2.17"
        ),  # FMI 2.0 has no name for it
        Platform("x86_64-windows", "win64", ".dll", "x86_64-windows-gnu"),
        Platform("x86_64-darwin", "darwin64", ".dylib", "x86_64-macos"),
        Platform("aarch64-darwin", "darwin64", ".dylib", "aarch64-macos"),
    )
}
PROCESSORS = tuple(dict.fromkeys(one.processor for one in PLATFORMS.values()))
"""The model itself is in every FMU for each of these, so that its sources can be compiled for any system."""
TOGETHER = {
    one.older: [other for other in PLATFORMS.values() if other.older == one.older]
    for one in PLATFORMS.values()
}
"""By the names of FMI 2.0: `darwin64` is both kinds of processor."""


def here() -> Platform:
    """The platform of this process."""
    system = {"linux": "linux", "win32": "windows", "darwin": "darwin"}.get(sys.platform, "linux")
    processor = "aarch64" if platform.machine().lower() in ("aarch64", "arm64") else "x86_64"
    return PLATFORMS.get(f"{processor}-{system}", PLATFORMS["x86_64-linux"])


def chosen(names: Sequence[str] | None) -> list[Platform]:
    """Platforms by their names in either version of FMI; this one where none are given."""
    if names is None:
        return [here()]
    known = [*dict.fromkeys([*TOGETHER, *PLATFORMS])]
    problems = [
        Problem(
            f"there is no platform `{name}`",
            path="platforms",
            hint=did_you_mean(name, known) or f"there are {', '.join(f'`{one}`' for one in known)}",
        )
        for name in names
        if name not in known
    ]
    if not names:
        problems.append(Problem("needs at least one platform", path="platforms"))
    if problems:
        raise ModelError(problems)
    found = [one for name in names for one in TOGETHER.get(name, [PLATFORMS.get(name)])]
    return [one for one in dict.fromkeys(found) if one is not None]


Tell = Callable[[int, int, str], None]
"""Is given how many files are compiled, of how many, and for what."""


def binaries(platforms: Sequence[Platform], fmi: int, name: str, space: str, tell: Tell) -> dict[str, bytes]:
    """The binaries of an FMU by their place in the archive; what has one place is one file for several processors."""
    places: dict[str, list[bytes]] = {}
    for one in platforms:
        place = f"binaries/{one.folder_of(fmi)}/{name}{one.ending}"
        places.setdefault(place, []).append(library_for(one, space, tell).read_bytes())
    return {place: parts[0] if len(parts) == 1 else universal(parts) for place, parts in places.items()}


def library_for(wanted: Platform, space: str, tell: Tell = lambda *_: None) -> Path:
    """The shared library with the core and both interfaces, for mechanisms in space or in the plane."""
    if wanted == here():
        built = compiler.BUILT / compiler.core_name(space, wanted.level)
        if built.is_file():
            return built
        found, more = compiler.find_compiler(), ()
    else:
        found, more = (
            _crossing(wanted),
            ("-target", wanted.target, "-D_USE_MATH_DEFINES"),
        )  # Windows' number pi
    key = digest("core", compiler.core_name(space, wanted.level), found.version, *found.command, *more)
    sources, defines = compiler.sources(), compiler.SPACES[space]
    words = f"compiling the core for {wanted.folder}; it is kept for the next FMU"

    def show(done: int, count: int) -> None:
        tell(done, count, words)

    return library(key, lambda target: found.build(sources, target, wanted.level, defines, more, show))


def _crossing(wanted: Platform) -> compiler.Compiler:
    if importlib.util.find_spec("ziglang") is None:
        raise ModelError(
            f"a binary for `{wanted.folder}` needs a compiler that makes code for other systems",
            path="platforms",
            hint="pip install ziglang, or leave this platform out",
        )
    return compiler.Compiler((sys.executable, "-m", "ziglang", "c++"), "zig")


_FAT, _PAGE = 0xCAFEBABE, 14
"""How a file of macOS for several processors begins; its parts begin at multiples of 2^14 bytes."""


def universal(parts: Sequence[bytes]) -> bytes:
    """Libraries of macOS for several processors as one file: a list of them, each with its kind and place."""
    head, body = struct.pack(">II", _FAT, len(parts)), b""
    first = 1 << _PAGE
    for part in parts:
        kind = struct.unpack_from("<II", part, 4)
        body += bytes(-len(body) % (1 << _PAGE))
        head += struct.pack(">IIIII", *kind, first + len(body), len(part), _PAGE)
        body += part
    return head.ljust(first, b"\0") + body
