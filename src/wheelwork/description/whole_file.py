"""Files that are there whole or not at all: written as a draft beside the file, which then takes its place.

What is no ordinary file, such as a pipe or a device, is written into when the draft is done, and stays what it is; so
does a file with several names, or of an owner whom the draft cannot have. Symbolic links are followed.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any


class Draft:
    """A context with the path of a draft, which takes its place when the work is done, and goes away when it fails.

    A file that was there before stays until then; the new one has its owner and mode. Entering gives the system's own
    words when the folder is missing or may not be written to. The draft has the ending of the file's name.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.target = Path(path)

    def __enter__(self) -> Path:
        self._before = _status(self.target)
        if self._before is not None and not os.access(self.target, os.W_OK):
            raise PermissionError(13, os.strerror(13), str(self.target))
        self._into = self._before is not None and _must_stay(self.target, self._before)
        if self._into:
            number, name = tempfile.mkstemp(".part" + self.target.suffix, "wheelwork-")
            os.close(number)
            self.partial = Path(name)
            return self.partial
        self._place = Path(os.path.realpath(self.target))
        name = f".{self._place.name}.{os.getpid()}.part{self.target.suffix}"
        self.partial = self._place.with_name(name)
        try:
            self.partial.open("wb").close()
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self.target)) from None
        return self.partial

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if kind is None:
                self._publish()
        except OSError as found:
            error = found
            if self._is_ours(found):
                raise OSError(found.errno, os.strerror(found.errno or 0), str(self.target)) from None
            raise
        finally:
            self.partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and self._is_ours(error):
            raise OSError(error.errno, os.strerror(error.errno or 0), str(self.target)) from None

    def _is_ours(self, error: OSError) -> bool:
        """A disk that fills up has no name; the user knows the file that was to be written."""
        return bool(error.errno) and error.filename in (None, str(self.partial))

    def _publish(self) -> None:
        with self.partial.open("rb+") as file:
            os.fsync(file.fileno())  # some file systems say only now that there is no room
        if self._into or (self._before is not None and not _made_alike(self.partial, self._before)):
            with self.partial.open("rb") as source, self.target.open("wb") as into:
                shutil.copyfileobj(source, into)
        else:
            os.replace(self.partial, self._place)


def _status(target: Path) -> os.stat_result | None:
    """What is there, behind links; None where nothing is."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(21, "is a folder, not a file", str(target))
    return found


def _must_stay(target: Path, found: os.stat_result) -> bool:
    """Whether what is there is to be written into, for another file in its place would not be the same."""
    several = found.st_nlink > 1 or not stat.S_ISREG(found.st_mode)
    open_elsewhere = os.fspath(target).startswith(("/dev/", "/proc/"))  # `/dev/stdout`, where that is a file
    return several or open_elsewhere or not os.access(os.path.realpath(target.parent), os.W_OK)


def _made_alike(partial: Path, before: os.stat_result) -> bool:
    """Whether the draft has the owner and the mode of what was there."""
    own = partial.stat()
    try:
        if (own.st_uid, own.st_gid) != (before.st_uid, before.st_gid):
            os.chown(partial, before.st_uid, before.st_gid)
        if own.st_mode != before.st_mode:
            partial.chmod(stat.S_IMODE(before.st_mode))
    except OSError:
        return False
    return True


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file at once; the one that was there before stays where that fails."""
    with Draft(path) as draft:
        draft.write_bytes(content)
