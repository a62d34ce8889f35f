"""The part of a run that is done, on disk: a run that was killed goes on from there.

A file of pieces, added one by one as the run goes: what was found since the piece before, and what the runtime needs
to go on from there. Each ends with a digest of itself and of the one before; what does not fit is a piece that was
being written when the run was killed, and is left out.

Sweeps and driven motions are found in portions, each of which depends on nothing but those before it (a value of the
parameter, some thousand times): `Portions` takes those that are on disk from there.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork import __version__
from wheelwork.description import ModelError, Problem
from wheelwork.description.write import dumps
from wheelwork.engine.engine import RECORDED, EventKind, Integration, about_locks, about_teeth
from wheelwork.engine.kept_ending import runtime_digest
from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.engine.tables import Tables
from wheelwork.results.provenance import plain, whole

from .prepare import Prepared

FIRST, EVERY = 10.0, 5.0
"""When the first piece is written, and how often from then on, s: what a kill may cost."""
MAGIC = b"wheelwork part 1\n"
_SIZES = struct.Struct("<QQQQd")
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
        ):  # the end of a short run is not a part
            return False
        self._last = now
        return True

    def add(self, records: bytes, sides: bytes = b"", events: bytes = b"", carried: bytes = b"") -> None:
        seconds = self.seconds + time.perf_counter() - self._began
        parts = records, sides, events, carried
        piece = _SIZES.pack(*map(len, parts), seconds) + b"".join(parts)
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

    def pieces(self) -> list[list[bytes]]:
        """What the file holds: records, sides, events, what was carried; from now on pieces are added to it."""
        try:
            content = self.path.read_bytes()
        except OSError as error:
            missing = isinstance(error, FileNotFoundError)
            raise self.refusal("there is no part of a run to go on from" if missing else str(error)) from None
        self._check_head(content)
        found, at = [], len(self._head)
        while at + _SIZES.size <= len(content):
            *sizes, seconds = _SIZES.unpack_from(content, at)
            edges = list(accumulate(sizes, initial=at + _SIZES.size))
            digest = hashlib.sha256(self._digest + content[at : edges[-1]]).digest()
            if content[edges[-1] : edges[-1] + len(digest)] != digest:
                break
            found.append([content[first:end] for first, end in pairwise(edges)])
            self.seconds, self._digest, at = seconds, digest, edges[-1] + len(digest)
        if not found:
            raise self.refusal("the part of a run that it holds is damaged")
        with self.path.open("r+b") as file:
            file.truncate(at)
        self._fresh = False
        return found

    def read(self, tables: Tables, states_only: bool) -> tuple[Integration, bytes]:
        """What was integrated, and what the runtime needs to go on."""
        records, sides, events, carried = zip(*self.pieces(), strict=True)
        efforts = 0 if states_only else tables.nv + tables.rows + tables.sizes["frictions"]
        found, kept = (
            np.frombuffer(b"".join(rows)).reshape(-1, 1 + tables.n + efforts) for rows in (records, sides)
        )
        happened = np.frombuffer(b"".join(events)).reshape(-1, 5)
        done = Integration.from_records(tables, found, happened, np.zeros(0), _NO_REPORT, sides=kept)
        return done, carried[-1]

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
        raise self.refusal(
            f"is the part of another run: {reasons[0]}" if reasons else "is not the part of a run, or damaged"
        )

    def refusal(self, why: str) -> ModelError:
        return ModelError(why, where=str(self.path), hint="run from the start, without `resume`")


Arrays = dict[str, np.ndarray]
NO_PART = Problem("needs `part`, the file to go on from", path="resume")


class Portions:
    """Portions of an analysis, in their order; those that a part holds are taken from there, others are added to it."""

    def __init__(self, part: FinishedPart | None, resume: bool):
        self._part = part
        self._known: deque[Arrays] = deque()
        self._waiting: list[Arrays] = []
        if resume and part is None:
            raise ModelError(NO_PART)
        for records, *_ in part.pieces() if resume and part is not None else []:
            with np.load(io.BytesIO(records), allow_pickle=False) as held:
                portions: dict[str, Arrays] = {}
                for name in held.files:
                    number, _, own = name.partition(".")
                    portions.setdefault(number, {})[own] = held[name]
            self._known.extend(portions.values())

    @property
    def seconds(self) -> float:
        """That earlier parts took."""
        return 0.0 if self._part is None else self._part.seconds

    def next(self, find: Callable[[], Arrays | None]) -> Arrays | None:
        """The next portion; `find` makes it where it is not known, or gives None where it does not get there."""
        if self._known:
            return self._known.popleft()
        found = find()
        if found is not None and self._part is not None:
            self._waiting.append(found)
            if self._part.due(False):
                self._write(self._part)
        return found

    def end(self) -> None:
        """All that is to be found was found, or the user ended it."""
        if self._waiting and self._part is not None and self._part.due(True):
            self._write(self._part)

    def _write(self, part: FinishedPart) -> None:
        file = io.BytesIO()
        held = {f"{k}.{name}": array for k, own in enumerate(self._waiting) for name, array in own.items()}
        np.savez(file, **held)  # type: ignore[arg-type]
        part.add(file.getvalue())
        self._waiting = []


_NO_REPORT = RunReport(0, 0.0, "", 0.0, 0.0, 0, 0, 0, 0)  # type: ignore[arg-type]


def joined(earlier: Integration, now: Integration, skipping: str) -> Integration:
    """Two parts of a run as one; skipping: as in `RunOptions`."""
    arrays = {
        name: np.concatenate([getattr(earlier, name), getattr(now, name)]) for name in (*RECORDED, "sides")
    }
    events = [*earlier.events, *now.events]
    report = replace(now.report, teeth=about_teeth(events), locks=about_locks(events))
    deep = next((event.element for event in events if event.kind is EventKind.DEEP), None)
    if deep is not None and skipping == "stop" and report.outcome is Outcome.REACHED_END:
        report = replace(report, outcome=Outcome.TEETH_TOO_DEEP, worst_element=f"mesh `{deep}`")
    return replace(now, events=events, report=report, **arrays)


def about(prepared: Prepared, *settings: Any) -> dict[str, Any]:
    """What a run depends on, by the names in `WORDS`."""
    return {
        "model": dumps(whole(prepared.description)),
        "parameters": dict(prepared.numbers.parameters),
        "settings": [plain(given) for given in settings],
        "version": __version__,
        "runtime": runtime_digest(),
    }
