"""Running cases one after the other; one that breaks does not stop the others."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .case import Case, Way
from .finding import Comparison


@dataclass(frozen=True)
class CaseOutcome:
    """What one way of running one case has given.

    findings: those made until the end, or until the error
    error: what went wrong; empty if nothing did
    seconds: processor time
    """

    case: Case
    way: Way
    findings: tuple[Comparison, ...]
    error: str
    seconds: float

    @property
    def passed(self) -> bool:
        return not self.error and bool(self.findings) and all(finding.passed for finding in self.findings)


def run_case(case: Case, way: Way) -> CaseOutcome:
    """Run a case in one way. An exception becomes the error of the outcome; Ctrl-C is passed on."""
    began = time.process_time()
    findings: list[Comparison] = []
    error = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # a run that stops early is an error of the way anyhow
            findings.extend(case.run(way))
    except Exception as problem:
        words = "".join(traceback.format_exception_only(problem)).strip()
        error = words.removeprefix("RuntimeError: ")
    return CaseOutcome(case, way, tuple(findings), error, time.process_time() - began)


def run_cases(
    cases: Sequence[Case], watch: Callable[[int, int, Case, Way], None] | None = None
) -> Iterator[CaseOutcome]:
    """Run all ways of all cases; `watch` hears (done, in all, case, way) before each."""
    jobs = [(case, way) for case in cases for way in case.ways]
    for done, (case, way) in enumerate(jobs):
        if watch is not None:
            watch(done, len(jobs), case, way)
        yield run_case(case, way)
