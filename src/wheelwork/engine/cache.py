"""Compiled libraries and prepared runs, kept by content in the user's own cache folder.

A library's name is a digest of everything it depends on: source, flags, compiler, processor, version of
wheelwork. It is written under a temporary name and renamed, so other processes see a whole file or none; beside
it stands a file with its length and digest, and a library that does not match (cut short, foreign) is built
again, never loaded. The folder is private (0700): what lies in a folder that others could write to is thrown away, and
files that belong to others, or that others may write to, are not loaded. Where it cannot be written, a temporary folder
is used and a warning says so. Processes that need the same library at once wait for the one that builds it.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wheelwork import __version__
from wheelwork.lazy import platform, shutil, tempfile

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PACKAGE = Path(__file__).absolute().parents[1]
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
PATIENCE = 300.0
"""For how long one waits for another process to build a library, s."""
_OURS = re.compile(r"\.?[0-9a-f]{32}\b.*\.(so|o|run|json|lock)")
MOST_RUNS = 500
"""Prepared runs that are kept; those used last stay longest."""


class CacheWarning(UserWarning):
    """The cache folder cannot be used."""


_said: set[Path | str] = set()
"""Folders that were complained of."""


def cache_folder() -> Path:
    """The folder: ``WHEELWORK_CACHE``, or the user's cache folder for this system."""
    given = os.environ.get("WHEELWORK_CACHE", "")
    try:
        return Path(given).expanduser() if given else _users_folder()
    except RuntimeError:  # no HOME and no entry among the users, or `~nobody`
        raise FileNotFoundError(2, "there is no such home folder", given or "~") from None


def _users_folder() -> Path:
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "wheelwork"


def digest(*parts: str) -> str:
    """A digest of texts together with what they run on."""
    text = "\0".join([__version__, processor(), sys.platform, *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@functools.cache
def processor_flags() -> str:
    """What this processor can do, in the system's words; empty where it does not say."""
    with suppress(OSError), open("/proc/cpuinfo") as file:
        return next((line for line in file if line.startswith(("flags", "Features"))), "")
    return ""


@functools.cache
def processor() -> str:
    """What -march=native depends on."""
    flags = processor_flags()
    return (
        hashlib.sha256(flags.encode()).hexdigest()
        if flags
        else f"{platform.machine()} {platform.processor()}"
    )


def stored(key: str) -> bytes | None:
    """The object code named `key`, if it is there and sound."""
    with suppress(OSError):
        return _intact(_own_folder() / f"{key}.o")
    return None


def kept(key: str) -> bytes | None:
    """The prepared run, or what is known of a file, that is named `key`, if it is there and sound."""
    with suppress(OSError):
        target = _own_folder() / f"{key}.run"
        content = _intact(target)
        if content is not None:
            os.utime(target)
        return content
    return None


def keep(key: str, content: bytes) -> None:
    """Keep it under a name, in the place of what was there; where that cannot be done, it is made again next time."""
    with suppress(OSError):
        folder = _own_folder()
        known = sorted(folder.glob("[0-9a-f]*.run"), key=lambda path: path.stat().st_mtime)
        for old in known[: max(0, len(known) - MOST_RUNS)]:
            for path in (old, old.with_suffix(".json")):
                path.unlink(missing_ok=True)
        _make(folder, folder / f"{key}.run", lambda draft: draft.write_bytes(content))


@functools.cache
def installation() -> str:
    """What derived equations depend on besides the description: every file of this package, by size and time as Python
    itself tells whether its bytecode is current, and the packages that derive."""
    seen = [sys.version, *map(stamp_of, ("casadi", "llvmlite", "numpy", "pydantic", "ruamel.yaml", "scipy"))]
    waiting = [str(PACKAGE)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting.append(entry.path)
                elif entry.name.endswith((".py", ".hpp", ".cpp", ".so")):
                    about = entry.stat()
                    seen.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
    return digest(*sorted(seen))


def stamp_of(package: str) -> str:
    """What changes with the version of an installed package."""
    for folder in sys.path:  # without loading it
        with suppress(OSError):
            path = os.path.join(folder, *package.split("."), "__init__.py")
            about = os.stat(path)
            return f"{path} {about.st_size} {about.st_mtime_ns}"
    return ""


def store(key: str, make: Callable[[], bytes]) -> bytes:
    """The object code named `key`; `make` makes it where it is missing or damaged.

    Where it cannot be kept, it is made for this process alone, and a warning says so.
    """
    made: list[bytes] = []

    def build(draft: Path) -> None:
        made.append(make())
        draft.write_bytes(made[0])

    content = None
    try:
        content = _intact(_library_in(cache_folder(), f"{key}.o", build))
    except OSError as error:
        _warned(error, "compiled code is not kept")
    return content or (made[0] if made else make())


def library(key: str, build: Callable[[Path], object]) -> Path:
    """The library named `key`; `build(path)` makes it where it is missing or damaged."""
    try:
        return _library_in(cache_folder(), f"{key}.so", build)
    except OSError as error:
        folder = _warned(error, "compiling into a temporary folder")
    try:
        return _library_in(_temporary_folder(), f"{key}.so", build)
    except OSError as error:
        raise OSError(
            error.errno,
            f"neither the cache folder {folder} nor a temporary folder can be used ({_reason(error)}). "
            "Set WHEELWORK_CACHE to a folder you can write to, with room for some megabytes, and TMPDIR as well",
        ) from error


def _warned(error: OSError, remedy: str) -> Path | str:
    """Say once that the cache folder cannot be used, and what is done instead; returns the folder."""
    try:
        folder: Path | str = cache_folder()
    except OSError:
        folder = os.environ.get("WHEELWORK_CACHE", "")
    if folder not in _said:
        _said.add(folder)
        warnings.warn(
            f"the cache folder {folder} cannot be used ({_reason(error)}); {remedy}. "
            "Set WHEELWORK_CACHE to a folder you can write to.",
            CacheWarning,
            stacklevel=3,
        )
    return folder


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _library_in(folder: Path, name: str, build: Callable[[Path], object]) -> Path:
    target = _prepared(folder) / name
    if _intact(target) is None:
        with _one_at_a_time(target.with_suffix(".lock")):
            if _intact(target) is None:  # another process may have built it meanwhile
                _make(folder, target, build)
    return target


@functools.lru_cache(maxsize=1)
def _temporary_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="wheelwork-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _own_folder() -> Path:
    return _prepared(cache_folder())


def _prepared(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        about = folder.stat()
        if about.st_uid != os.getuid():
            raise PermissionError(1, "it belongs to another user")
        if about.st_mode & OTHERS_WRITE:
            _discard(folder)
        if stat.S_IMODE(about.st_mode) & 0o077:
            folder.chmod(0o700)
    return folder


def _discard(folder: Path) -> None:
    """Take away every library that someone else could have put here; other files may be the user's own."""
    folder.chmod(0o700)  # first: nothing is added meanwhile
    for path in folder.iterdir():
        if _OURS.fullmatch(path.name) and not path.is_dir():
            path.unlink(missing_ok=True)


def _content(path: Path) -> bytes:
    """What an ordinary file of this user holds that nobody else may write to; a pipe is not waited for."""
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, os.O_RDONLY | flags), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise PermissionError(1, "it is not an ordinary file")
        if os.name == "posix" and (about.st_uid != os.getuid() or about.st_mode & OTHERS_WRITE):
            raise PermissionError(1, "someone else may write to it")
        return file.read()


def _seal_of(content: bytes) -> bytes:
    return json.dumps({"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}).encode()


def _intact(target: Path) -> bytes | None:
    """What the library holds, if it is there, is what was written, and nobody else could have written it."""
    try:
        content = _content(target)
        return content if _content(target.with_suffix(".json")) == _seal_of(content) else None
    except OSError:
        return None


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    """While one process builds a library, others that need it wait instead of building it too.

    The lock belongs to the open file: the system takes it away when its holder ends, however it ends. After
    `PATIENCE`, or where the file system has no locks, one goes on without: a draft has a name of its own.
    """
    lock = _locked(path)
    try:
        yield
    finally:
        if lock is not None:
            path.unlink(missing_ok=True)
            os.close(lock)


def _locked(path: Path) -> int | None:
    if fcntl is None:
        return None
    until = time.monotonic() + PATIENCE
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock), path.stat()):
                    return lock
        except OSError:
            os.close(lock)
            return None
        os.close(lock)  # its last holder took the file away: this one is nobody's any more


def _make(folder: Path, target: Path, build: Callable[[Path], object]) -> None:
    _remove_old(folder)
    draft = folder / f".{target.stem}.{os.getpid()}.{os.urandom(8).hex()}{target.suffix}"
    seal = draft.with_suffix(".json")
    try:
        build(draft)
        seal.write_bytes(_seal_of(draft.read_bytes()))
        for file in (draft, seal):
            file.chmod(0o600)  # whatever the user's mask is
        # the seal first: a library without its seal, or with an older one, counts as damaged and is built again
        os.replace(seal, target.with_suffix(".json"))
        os.replace(draft, target)
    finally:
        for leftover in (draft, seal):
            leftover.unlink(missing_ok=True)


def _remove_old(folder: Path) -> None:
    """Drafts and locks of processes that were killed an hour ago or more."""
    for path in [
        *(path for kind in ("so", "o", "run") for path in folder.glob(f".*.{kind}")),
        *folder.glob("*.lock"),
    ]:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink()
