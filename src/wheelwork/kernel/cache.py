"""Compiled libraries, kept by content in the user's own cache folder.

A library's name is a digest of everything it depends on: source, flags, compiler, processor, version of
wheelwork. It is written under a temporary name and renamed, so other processes see a whole file or none; beside
it stands a file with its length and digest, and a library that does not match (cut short, foreign) is built
again, never loaded. The folder is private (0700). Where it cannot be written, a temporary folder is used and a
warning says so.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import platform
import shutil
import stat
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path

import wheelwork


class CacheWarning(UserWarning):
    """The cache folder cannot be used."""


_said: set[Path] = set()
"""Folders that were complained of."""


def cache_folder() -> Path:
    """The folder: ``WHEELWORK_CACHE``, or the user's cache folder for this system."""
    given = os.environ.get("WHEELWORK_CACHE")
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "wheelwork"


def digest(*parts: str) -> str:
    """A digest of texts together with what they run on."""
    text = "\0".join([getattr(wheelwork, "__version__", ""), processor(), platform.system(), *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@functools.lru_cache(maxsize=1)
def processor() -> str:
    """What -march=native depends on."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("flags", "Features")):
                return hashlib.sha256(line.encode()).hexdigest()
    except OSError:
        pass
    return f"{platform.machine()} {platform.processor()}"


def library(key: str, build: Callable[[Path], None]) -> Path:
    """The library named `key`; `build(path)` makes it where it is missing or damaged."""
    folder = cache_folder()
    try:
        return _library_in(folder, key, build)
    except OSError as error:
        if folder not in _said:
            _said.add(folder)
            warnings.warn(
                f"the cache folder {folder} cannot be used ({_reason(error)}); compiling into a temporary folder. "
                "Set WHEELWORK_CACHE to a folder you can write to.",
                CacheWarning,
                stacklevel=2,
            )
    try:
        return _library_in(_temporary_folder(), key, build)
    except OSError as error:
        raise OSError(
            error.errno,
            f"neither the cache folder {folder} nor a temporary folder can be used ({_reason(error)}). "
            "Set WHEELWORK_CACHE to a folder you can write to, with room for some megabytes, and TMPDIR as well",
        ) from error


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _library_in(folder: Path, key: str, build: Callable[[Path], None]) -> Path:
    _prepare(folder)
    target = folder / f"{key}.so"
    if not _sound(target):
        _make(folder, target, build)
    return target


@functools.lru_cache(maxsize=1)
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="wheelwork-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _prepare(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        about = folder.stat()
        if about.st_uid != os.getuid():
            raise PermissionError(1, "it belongs to another user")
        if stat.S_IMODE(about.st_mode) & 0o077:
            folder.chmod(0o700)


def _seal_of(target: Path) -> dict[str, object]:
    content = target.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _sound(target: Path) -> bool:
    """Whether the library is there and is what was written."""
    try:
        return json.loads(target.with_suffix(".json").read_text()) == _seal_of(target)
    except (OSError, ValueError):
        return False


def _make(folder: Path, target: Path, build: Callable[[Path], None]) -> None:
    draft = folder / f".{target.stem}.{os.getpid()}.{uuid.uuid4().hex}.so"
    seal = draft.with_suffix(".json")
    try:
        build(draft)
        seal.write_text(json.dumps(_seal_of(draft)))
        # the seal first: a library without its seal, or with an older one, counts as damaged and is built again
        os.replace(seal, target.with_suffix(".json"))
        os.replace(draft, target)
    finally:
        for leftover in (draft, seal):
            leftover.unlink(missing_ok=True)
