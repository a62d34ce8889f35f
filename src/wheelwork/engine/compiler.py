"""Find a C++ compiler and build the runtime's core with it; where the cores are that were built before.

Standard library only: the package is built with this. Nearly every run finds its core built, and waits for none of what
compiling needs.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import importlib.util
import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from wheelwork.lazy import dataclass, futures, shlex, shutil, subprocess, tempfile

RUNTIME = Path(__file__).parent / "core"
BUILT = Path(__file__).parent / "built"
"""Where the cores are that were built with the package."""
SPACES: dict[str, tuple[str, ...]] = {"spatial": (), "planar": ("WW_PLANAR",)}
"""What chooses the kind of body when the core is compiled (``core/body.hpp``)."""
FLAGS = ("-std=c++17", "-O3", "-fno-tree-vectorize", "-fPIC", "-fno-math-errno", "-fno-trapping-math")
"""What counts is written in packs; a compiler that makes packs of its own reads numbers together that were written one
by one a moment ago, and waits for memory. -O3 takes 8 % less time for a step than -O2."""
WARNINGS = ("-Wall", "-Wextra", "-Wno-ignored-attributes", "-Wno-psabi")
"""All, but those on vectors as arguments of templates and between compilers. `./wheelwork-dev sanitize` takes each for
an error; elsewhere a new compiler may have more to say than ours."""


class CompilerMissing(RuntimeError):
    """There is no C++ compiler."""


class CompilationFailed(RuntimeError):
    """The compiler did not accept a source, or could not write its output."""


@dataclass(frozen=True)
class Compiler:
    """A compiler command with what identifies it."""

    command: tuple[str, ...]
    version: str

    @property
    def is_zig(self) -> bool:
        return self.version.startswith("zig")

    def _architecture(self, level: str) -> tuple[str, ...]:
        if not level:
            return ()
        return (f"-mcpu={level.replace('-', '_')}",) if self.is_zig else (f"-march={level}",)

    def build(
        self,
        sources: Sequence[Path],
        target: Path,
        level: str,
        defines: Sequence[str] = (),
        more: Sequence[str] = (),
        tell: Callable[[int, int], None] = lambda done, count: None,
    ) -> None:
        """Compile side by side and link into `target`. `level`: of x86-64, such as `x86-64-v3`; empty: the lowest.

        more: further arguments, for compiling and linking; tell: is given how many files are done, and how many there
        are
        """
        given = (*FLAGS, *WARNINGS, *self._architecture(level), *(f"-D{name}" for name in defines), *more)
        with tempfile.TemporaryDirectory(prefix="wheelwork-") as folder:
            objects = [Path(folder) / f"{source.stem}.o" for source in sources]
            with futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
                tell(0, len(objects))
                tasks = [
                    pool.submit(self._run, [*given, "-c", str(source)], made)
                    for source, made in zip(sources, objects, strict=True)
                ]
                for done, task in enumerate(futures.as_completed(tasks), 1):
                    task.result()
                    tell(done, len(objects))
            self._run(["-shared", *more, *map(str, objects)], target)

    def _run(self, arguments: Sequence[str], target: Path) -> None:
        try:
            # in English, to be understood below
            done = subprocess.run(
                [*self.command, *arguments, "-o", str(target)],
                capture_output=True,
                text=True,
                errors="replace",
                env=os.environ | {"LC_ALL": "C"},
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
    """The compiler named by ``CXX``, else g++, clang++ or c++ on the path, else that of the package `ziglang`."""
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
            name = "zig " if "ziglang" in command else ""
            return Compiler(command, name + version.stdout.partition("\n")[0])
    if cxx.strip():
        raise CompilerMissing(f"CXX is set to `{cxx}`, but that cannot be run")
    raise CompilerMissing("no C++ compiler (g++, clang++ or c++) was found on the path")


def _candidates(cxx: str) -> list[tuple[str, ...]]:
    if not cxx.strip():
        zig = (sys.executable, "-m", "ziglang", "c++")
        return [("g++",), ("clang++",), ("c++",), *([zig] if importlib.util.find_spec("ziglang") else [])]
    try:
        return [tuple(shlex.split(cxx))]
    except ValueError:  # a quotation mark without its partner
        return []


# -- the core


LEVELS = {
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "x86-64-v3": {"avx2", "bmi", "bmi2", "f16c", "fma", "movbe"},
    "x86-64-v2": {"sse4.2", "ssse3", "popcnt"},
}
"""Levels of x86-64, and what a processor of a level has beyond the one below, in LLVM's terms."""


def levels() -> list[str]:
    """Those the core is built for on this kind of machine; one without a name where there are none."""
    return list(LEVELS) if platform.machine().lower() in ("x86_64", "amd64") else [""]


def sources() -> list[Path]:
    return sorted(RUNTIME.glob("*.cpp"))


@functools.cache
def core_name(space: str, level: str) -> str:
    """File name of a core: it changes with every letter of its sources."""
    files = [*sorted(RUNTIME.glob("*.hpp")), *sources()]
    text = "\0".join([*(path.read_text() for path in files), *FLAGS, *SPACES[space]])
    return f"core-{space}-{level or platform.machine()}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.so"


def build_cores(folder: Path, wanted: Sequence[str], compiler: Compiler | None = None) -> list[Path]:
    """Cores for both kinds of bodies and these levels, in a folder; those that are there already stay."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for level in wanted:
        for space, defines in SPACES.items():
            target = folder / core_name(space, level)
            if not target.is_file():
                draft = target.with_suffix(".draft")
                (compiler or find_compiler()).build(sources(), draft, level, defines)
                os.replace(draft, target)
            made.append(target)
    for path in folder.glob("core-*"):
        if path not in made:
            path.unlink()
    return made
