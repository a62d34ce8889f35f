"""Files that are there whole or not at all: written under a name of their own, and then renamed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


class reserved:
    """A partial file that takes its place when the work on it is done, and goes away when it fails.

    A file that was there before stays until then. Opening it here gives the system's own words when the folder is
    missing or may not be written to.
    """

    def __init__(self, target: Path, partial: Path):
        self.target, self.partial = target, partial

    def __enter__(self) -> None:
        if self.target.is_dir():
            raise IsADirectoryError(21, "is a folder, not a file", str(self.target))
        try:
            self.partial.open("wb").close()
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self.target)) from None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if kind is None:
                os.replace(self.partial, self.target)
        finally:
            self.partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and error.filename in (None, str(self.partial)):
            # a disk that fills up has no name; the user knows the file that was to be written
            raise OSError(error.errno, os.strerror(error.errno), str(self.target)) from None


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file at once; the one that was there before stays where that fails."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    with reserved(target, partial), partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # some file systems say only now that there is no room
