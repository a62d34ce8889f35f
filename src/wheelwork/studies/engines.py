"""How the variants of a study are run on this machine: in lanes, on a graphics processor, or one by one in threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from wheelwork.description import ModelError
from wheelwork.engine.device_run import NoDevice
from wheelwork.engine.devices import OnDevice
from wheelwork.engine.outcome import Outcome
from wheelwork.problems import listed

from .chunks import NOT_RUN, VariantResults
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

Progress = Callable[[int, int], bool]
"""Of a chunk, how many variants are done and how many of them failed; whether to stop."""


OF_LANES = (
    Outcome.BRANCH_IN_DOUBT,
    Outcome.CONSTRAINTS_LOST,
    Outcome.NOT_FINITE,
    Outcome.STEP_TOO_SMALL,
)
"""How variants end in lanes that a run of its own may get through: there, rows of loops are chosen again at every step,
and equations do without the divisions of straight-line code."""

OF_TEETH = (Outcome.TEETH_SKIPPED, Outcome.TEETH_TOO_DEEP)
"""The same where teeth that skip are counted (`skipping: count`): lanes end at the first."""


class StudyEngine(Protocol):
    name: str
    why: str
    """Why it is not lanes."""
    again: int
    """Variants that lanes did not get through, and that were run by themselves."""

    def run(self, first: int, last: int, threads: int | None, progress: Progress) -> VariantResults:
        """The variants from number `first` to before `last`."""
        ...


def chosen(study: Study, engine: str | None) -> StudyEngine:
    """The engine that is asked for, or the fastest that the study can have. Raises ModelError."""
    if engine is not None and engine not in ENGINES:
        raise ModelError(f"there is no engine `{engine}`; there are {listed(ENGINES)}", path="engine")
    why = ""
    if engine != "threads":
        own, why = study._lanes()
        if own is not None:
            return InLanes(study, own, engine == "gpu")
        if engine is not None:
            where = "on a graphics processor" if engine == "gpu" else "in lanes"
            text = f"the study cannot be run {where}: {why}"
            raise ModelError(text, path="engine", hint="leave `engine` out")
    return InThreads(study, why)


def chunk_size(study: Study, engine: str | None, kept: bool) -> int:
    """Variants of a chunk; smaller where chunks are kept as they finish, so that little is computed twice."""
    if engine == "gpu":
        return 64 * BLOCK
    fewest = FEWEST if study.studied is None else FEWEST_OTHERS
    return min(BLOCK, max(fewest, -(-study.variants.count // PARTS))) if kept else BLOCK


class InLanes:
    """Several variants in one vector, in threads beside each other; or each in a thread of a graphics processor.

    What ends for a reason that may be that of the lanes (`OF_LANES`) is run once more, by itself.
    """

    why = ""

    def __init__(self, study: Study, own: list[Group], on_device: bool):
        self.study, self.groups, self.name, self.again = study, own, "gpu" if on_device else "lanes", 0
        if on_device:
            self._to_device()

    def _to_device(self) -> None:
        try:
            for group in self.groups:
                group.lanes = OnDevice(group.program, self.study.options.method)
                group.lanes.code  # noqa: B018  # loads it
        except NoDevice as error:
            text = f"the study cannot be run on a graphics processor: {error}"
            raise ModelError(text, path="engine", hint="leave `engine` out") from None

    def run(self, first: int, last: int, threads: int | None, progress: Progress) -> VariantResults:
        study = self.study
        out = VariantResults.not_run(study.sizes, last - first)
        done = failed = 0
        left, stopped = np.zeros(last - first, bool), False
        for group in self.groups:
            chosen = np.arange(*np.searchsorted(group.members, [first, last]))
            if not len(chosen):
                continue

            so_far = _beyond(progress, done, failed)
            found = group.run(study.options, study.span, study.variants.values, chosen, threads, so_far)
            whole = (found.outcome == Outcome.REACHED_END) | (found.outcome == Outcome.TEETH_TOO_DEEP)
            counting = study.options.skipping == "count"
            again = np.isin(found.outcome, OF_LANES + OF_TEETH if counting else OF_LANES)
            span = study.span
            measured = study.measures.from_accumulators(
                found.measured, found.skips, span.interval, span.intervals
            )
            places = group.members[chosen] - first
            out.outcome[places] = np.where(again, NOT_RUN, found.outcome)
            out.time[places] = np.where(again, np.nan, found.time)
            out.steps += int(found.steps[~again].sum())
            for name, value in measured.items():
                keep = whole.reshape(-1, *[1] * (value.ndim - 1))
                out.measured[name][places] = np.where(keep, value, np.nan)
            left[places] = again
            done += int(np.count_nonzero(~again))
            failed += int(np.count_nonzero(~again & (found.outcome != Outcome.REACHED_END)))
            stopped = progress(done, failed)
            if stopped:
                break
        if left.any() and not stopped:
            rest = np.flatnonzero(left)
            self.again += one_by_one(study, first, rest, threads, _beyond(progress, done, failed), out)
        return out


def _beyond(progress: Progress, done: int, failed: int) -> Progress:
    """Tells what comes on top of what is done."""
    return lambda now, bad: progress(done + now, failed + bad)


def one_by_one(
    study: Study, first: int, places: np.ndarray, threads: int | None, progress: Progress, out: VariantResults
) -> int:
    """Some variants of a range that begins with `first`, each as a run of its own, into `out`; how many were run."""
    count = 0

    def take(k: int, result: OneResult) -> None:
        nonlocal count
        place, count = int(places[k]), count + 1
        out.outcome[place], out.time[place] = result.outcome, result.time
        out.steps += result.steps
        if not result.outcome.good:
            out.texts[place] = result.text
        for name, value in result.measured.items():
            out.measured[name][place] = value

    run_all(lambda k, stop: study.one(first + int(places[k]), stop), len(places), threads, progress, take)
    return count


class InThreads:
    """A run of its own for each variant, in threads."""

    name, again = "threads", 0

    def __init__(self, study: Study, why: str):
        self.study, self.why = study, why

    def run(self, first: int, last: int, threads: int | None, progress: Progress) -> VariantResults:
        out = VariantResults.not_run(self.study.sizes, last - first)
        one_by_one(self.study, first, np.arange(last - first), threads, progress, out)
        return out
