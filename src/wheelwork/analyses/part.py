"""The part of a run that is done, on disk: a run that was killed goes on from there.

A file of pieces, added one by one as the run goes: what was found since the piece before, and what the runtime needs
to go on from there. Each ends with a digest of itself and of the one before; what does not fit is a piece that was
being written when the run was killed, and is left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import time
import warnings
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.engine.compiler import RUNTIME
from wheelwork.engine.engine import EventKind, Integration, about_locks, about_teeth
from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.system.program import Program

FIRST, EVERY = 10.0, 5.0
"""When the first piece is written, and how often from then on, s: what a kill may cost."""
MAGIC = b"wheelwork part 1\n"
_SIZES = struct.Struct("<QQQd")
WORDS = {
    "model": "the model was changed since",
    "parameters": "parameters have other values",
    "settings": "the analysis has other settings",
    "version": "it was made by another version of Wheelwork",
    "runtime": "it was made by another version of Wheelwork",
}


class PartWarning(UserWarning):
    """The part of a run that is done cannot be kept on disk."""


class FinishedPart:
    """A file with the part of one run that is done; see `RunOptions.keep`.

    about: what the run depends on, by the names in `WORDS`
    """

    def __init__(self, path: str | os.PathLike[str], about: Mapping[str, Any]):
        self.path = Path(path)
        self._head = MAGIC + json.dumps(dict(about), sort_keys=True).encode() + b"\n"
        self._digest = hashlib.sha256(self._head).digest()
        self._about = about
        self._fresh = True
        self._broken = False
        self._last = time.monotonic() + FIRST - EVERY
        self._began = time.perf_counter()
        self.seconds = 0.0
        """That earlier parts of the run took."""

    def due(self, last: bool) -> bool:
        now = time.monotonic()
        if self._broken or (
            self._fresh if last else now - self._last < EVERY
        ):  # the end of a short run is no part
            return False
        self._last = now
        return True

    def add(self, records: bytes, events: bytes, carried: bytes) -> None:
        seconds = self.seconds + time.perf_counter() - self._began
        piece = _SIZES.pack(len(records), len(events), len(carried), seconds) + records + events + carried
        self._digest = hashlib.sha256(self._digest + piece).digest()
        try:
            with self.path.open("wb" if self._fresh else "ab") as file:
                file.write((self._head if self._fresh else b"") + piece + self._digest)
        except OSError as error:
            self._broken = True
            text = (
                f"the part of the run that is done cannot be kept in {self.path}: {error.strerror or error}"
            )
            warnings.warn(f"{text}. The run goes on; do not kill it", PartWarning, stacklevel=2)
        self._fresh = False

    def read(self, program: Program, states_only: bool) -> tuple[Integration, bytes]:
        """What the file holds, and what the runtime needs to go on; from now on pieces are added to it."""
        try:
            content = self.path.read_bytes()
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            raise self._refusal(
                "there is no part of a run to go on from" if missing else str(error)
            ) from None
        self._check_head(content)
        records, events, carried, at = [], [], b"", len(self._head)
        while at + _SIZES.size <= len(content):
            *sizes, seconds = _SIZES.unpack_from(content, at)
            end = at + _SIZES.size + sum(sizes)
            piece = content[at:end]
            digest = hashlib.sha256(self._digest + piece).digest()
            if content[end : end + len(digest)] != digest:
                break
            inside = at + _SIZES.size
            records.append(content[inside : inside + sizes[0]])
            events.append(content[inside + sizes[0] : inside + sizes[0] + sizes[1]])
            carried, self.seconds, self._digest, at = (
                content[end - sizes[2] : end],
                seconds,
                digest,
                end + len(digest),
            )
        if not carried:
            raise self._refusal("the part of a run that it holds is damaged")
        with self.path.open("r+b") as file:
            file.truncate(at)
        self._fresh = False
        efforts = 0 if states_only else program.nv + program.rows + len(program.frictions)
        found = np.frombuffer(b"".join(records)).reshape(-1, 1 + program.n + efforts)
        happened = np.frombuffer(b"".join(events)).reshape(-1, 5)
        return Integration.from_records(program, found, happened, np.zeros(0), _NO_REPORT), carried

    def _check_head(self, content: bytes) -> None:
        if content.startswith(self._head):
            return
        try:
            found = json.loads(content.split(b"\n", 2)[1]) if content.startswith(MAGIC) else None
        except (ValueError, IndexError, RecursionError):
            found = None
        known = found if isinstance(found, dict) else {}
        reasons = [
            words for name, words in WORDS.items() if known and known.get(name) != self._about.get(name)
        ]
        raise self._refusal(
            f"is the part of another run: {reasons[0]}" if reasons else "is not the part of a run, or damaged"
        )

    def _refusal(self, why: str) -> ModelError:
        return ModelError([Problem(why, where=str(self.path), hint="run from the start, without `resume`")])


_NO_REPORT = RunReport(0, 0.0, "", 0.0, 0.0, 0, 0, 0, 0)  # type: ignore[arg-type]


def joined(earlier: Integration, now: Integration, skipping: str) -> Integration:
    """Two parts of a run as one; skipping: as in `RunOptions`."""
    arrays = {
        field.name: np.concatenate([getattr(earlier, field.name), getattr(now, field.name)])
        for field in fields(Integration)
        if field.name in ("t", "state", "acceleration", "multipliers", "friction")
    }
    events = [*earlier.events, *now.events]
    report = replace(now.report, teeth=about_teeth(events), locks=about_locks(events))
    deep = next((event.element for event in events if event.kind is EventKind.DEEP), None)
    if deep is not None and skipping == "stop" and report.outcome is Outcome.REACHED_END:
        report = replace(report, outcome=Outcome.TEETH_TOO_DEEP, worst_element=f"mesh `{deep}`")
    return replace(now, events=events, report=report, **arrays)


def runtime_digest() -> str:
    """Of the runtime: what it hands over, only the same one can read."""
    text = b"".join(path.read_bytes() for path in sorted(RUNTIME.glob("*pp")))
    return hashlib.sha256(text).hexdigest()
