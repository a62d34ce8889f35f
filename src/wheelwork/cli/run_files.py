"""Where a run leaves its files: a folder with `result.nc` and `report.html`, or a single file."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wheelwork.lazy import reports

from .show import error_console

RESULT, REPORT = "result.nc", "report.html"
PART = ".part"
"""Ending of the file with what a run has done so far, beside that of the result."""


@dataclass
class OutputPlace:
    """Files of one run; `written` lists those that are there."""

    result: Path
    report: Path | None
    folder: Path | None = None
    written: list[Path] = field(default_factory=list)
    _made: bool = False
    complete: bool = True
    """Whether the report that was asked for is there."""

    @classmethod
    def of(cls, out: Path | None, stem: str, report: bool | None) -> OutputPlace:
        """From the options of a command; `stem` is the name of the model's file."""
        if out is not None and out.suffix == ".nc":
            return cls(out, out.with_suffix(".html") if report else None)
        folder = Path(f"{stem}-run") if out is None else out
        return cls(folder / RESULT, None if report is False else folder / REPORT, folder)

    def make(self) -> None:
        """Before a long run: whether there is room for what it finds."""
        if self.folder is not None:
            _check_folder(self.folder)
            self._made = not self.folder.exists()
            self.folder.mkdir(exist_ok=True)
        for path in (self.result, self.report):
            if path is not None:
                check_file(path)

    def leave(self) -> None:
        """Where the run failed: no empty folder stays."""
        if self.folder is not None and self._made:
            with suppress(OSError):  # there is something in it
                self.folder.rmdir()

    @property
    def part(self) -> Path:
        return self.result.with_suffix(PART)

    def save(self, found: Any) -> None:
        self.add(self.result, found.save)

    def add(self, path: Path, write: Callable[[Path], object]) -> None:
        write(path)
        self.written.append(path)

    def write_report(self, found: Any) -> None:
        """After the result was saved: an error here is reported, and what is saved stays."""
        if self.report is None:
            return
        try:
            self.add(self.report, lambda path: reports.write_report(found, path))
        except Exception as error:  # the result is on disk already, and is still shown
            self.complete = False
            words = f"the report could not be written ({type(error).__name__}: {error}); the result is in {self.result}"
            error_console().print(words, markup=False)


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(20, "is a file, not a folder", str(folder))
    if not folder.parent.is_dir():
        raise FileNotFoundError(2, f"there is no folder `{folder.parent}` to make it in", str(folder))
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK):
        raise PermissionError(13, "may not be written to", str(folder))


def check_file(path: Path) -> None:
    """Before any work: whether it could be written."""
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder, not a file", str(path))
    if not path.parent.is_dir():
        raise FileNotFoundError(2, f"there is no folder `{path.parent}` to write it in", str(path))
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PermissionError(13, "may not be written to", str(path))


def look_for_part(part: Path, resume: bool) -> None:
    """Before a run: a word where it takes the place of a part that could be gone on from."""
    if part.exists() and not resume:
        text = f"{part} holds part of an earlier run; `--resume` would go on from it. It will be replaced"
        error_console().print(text, markup=False)


def done_with(part: Path, interrupted: bool) -> None:
    """After the result was saved: the part of a run that the user ended stays, to go on from."""
    if not interrupted:
        part.unlink(missing_ok=True)
    elif part.exists():
        error_console().print("interrupted; `--resume` goes on from there", markup=False)
