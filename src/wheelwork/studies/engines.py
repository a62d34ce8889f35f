"""How the variants of a study are run on this machine: in lanes, on a graphics processor, or one by one in threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.engine.device_run import NoDevice
from wheelwork.engine.devices import OnDevice
from wheelwork.engine.outcome import Outcome
from wheelwork.problems import listed

from .chunks import Found
from .in_lanes import Group
from .one_by_one import OneResult, run_all

if TYPE_CHECKING:
    from .study import Study

ENGINES = ("lanes", "threads", "gpu")
BLOCK = 16_384
"""Variants of one chunk at most; on a graphics processor sixty-four times as many."""
FEWEST = 256
"""Variants of one chunk at least, so that lanes and threads have enough to do."""
FEWEST_OTHERS = 8
"""The same where each variant is a sweep or another analysis, which takes longer."""
PARTS = 64
"""Chunks into which a study that is kept is divided, where these are neither too small nor too large."""

Told = Callable[[int, int], bool]
"""Of a chunk, how many variants are done and how many of them failed; whether to stop."""


class StudyEngine(Protocol):
    name: str
    why: str
    """Why it is not lanes."""

    def run(self, first: int, last: int, threads: int | None, told: Told) -> Found:
        """The variants from number `first` to before `last`."""
        ...


def chosen(study: Study, engine: str | None) -> StudyEngine:
    """The engine that is asked for, or the fastest that the study can have. Raises ModelError."""
    if engine is not None and engine not in ENGINES:
        raise ModelError(
            [Problem(f"there is no engine `{engine}`; there are {listed(ENGINES)}", path="engine")]
        )
    why = ""
    if engine != "threads":
        own, why = study._lanes()
        if own is not None:
            return InLanes(study, own, engine == "gpu")
        if engine is not None:
            where = "on a graphics processor" if engine == "gpu" else "in lanes"
            text = f"the study cannot be run {where}: {why}"
            raise ModelError([Problem(text, path="engine", hint="leave `engine` out")])
    return InThreads(study, why)


def chunk_size(study: Study, engine: str | None, kept: bool) -> int:
    """Variants of a chunk; smaller where chunks are kept as they finish, so that little is computed twice."""
    if engine == "gpu":
        return 64 * BLOCK
    fewest = FEWEST if study.studied is None else FEWEST_OTHERS
    return min(BLOCK, max(fewest, -(-study.variants.count // PARTS))) if kept else BLOCK


class InLanes:
    """Several variants in one vector, in threads beside each other; or each in a thread of a graphics processor."""

    why = ""

    def __init__(self, study: Study, own: list[Group], on_device: bool):
        self.study, self.groups, self.name = study, own, "gpu" if on_device else "lanes"
        if on_device:
            self._to_device()

    def _to_device(self) -> None:
        try:
            for group in self.groups:
                group.lanes = OnDevice(group.program, self.study.options.method)
                group.lanes.code  # noqa: B018  # loads it
        except NoDevice as error:
            text = f"the study cannot be run on a graphics processor: {error}"
            raise ModelError([Problem(text, path="engine", hint="leave `engine` out")]) from None

    def run(self, first: int, last: int, threads: int | None, told: Told) -> Found:
        study = self.study
        out = Found.nothing(study.sizes, last - first)
        done = failed = 0
        for group in self.groups:
            chosen = np.arange(*np.searchsorted(group.members, [first, last]))
            if not len(chosen):
                continue

            def so_far(now: int, bad: int, done: int = done, failed: int = failed) -> bool:
                return told(done + now, failed + bad)

            found = group.run(study.options, study.span, study.variants.values, chosen, threads, so_far)
            whole = (found.outcome == Outcome.REACHED_END) | (found.outcome == Outcome.TEETH_TOO_DEEP)
            span = study.span
            measured = study.measures.from_accumulators(
                found.measured, found.skips, span.interval, span.intervals
            )
            places = group.members[chosen] - first
            out.outcome[places], out.time[places] = found.outcome, found.time
            out.steps += int(found.steps.sum())
            for name, value in measured.items():
                keep = whole.reshape(-1, *[1] * (value.ndim - 1))
                out.measured[name][places] = np.where(keep, value, np.nan)
            done += len(chosen)
            failed += int(np.count_nonzero(found.outcome != Outcome.REACHED_END))
            if told(done, failed):
                break
        return out


class InThreads:
    """A run of its own for each variant, in threads."""

    name = "threads"

    def __init__(self, study: Study, why: str):
        self.study, self.why = study, why

    def run(self, first: int, last: int, threads: int | None, told: Told) -> Found:
        out = Found.nothing(self.study.sizes, last - first)

        def take(k: int, result: OneResult) -> None:
            out.outcome[k], out.time[k] = result.outcome, result.time
            out.steps += result.steps
            if not result.outcome.good:
                out.texts[k] = result.text
            for name, value in result.measured.items():
                out.measured[name][k] = value

        def one(k: int, stop: Callable[[], bool]) -> OneResult:
            return self.study.one(first + k, stop)

        run_all(one, last - first, threads, told, take)
        return out
