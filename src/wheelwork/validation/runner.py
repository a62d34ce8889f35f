"""All cases, running them one after the other, and outcomes as plain data for JSON and for the page."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from math import isfinite
from typing import Any

from wheelwork import __version__
from wheelwork.problems import ModelError, Problem

from .case import Case, Way
from .finding import Comparison

MODULES = (
    "iftomm", "andrews", "andrews_planar", "adams", "modelica_first", "modelica_gear_constraint", "modelica_backlash",
    "modelica_drives", "planar_planetary", "lin_parker", "shigley", "manipulator", "top", "slider_crank", "khk",
    "iso6336", "transmissions", "efficiencies",
)  # fmt: skip
"""Files in `cases`; each has a tuple CASES."""


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case, loaded when first asked for."""
    modules = (vars(import_module(f"{__package__}.cases.{module}")) for module in MODULES)
    return tuple(case for names in modules for case in names.values() if isinstance(case, Case))


def chosen(names: Sequence[str]) -> tuple[Case, ...]:
    """Cases whose names begin with one of these; all where none is given.

    A name that fits nothing is the user's mistake, with the nearest ones.
    """
    cases = all_cases()
    problems = []
    for name in names:
        if not any(case.name.startswith(name) for case in cases):
            near = get_close_matches(name, [case.name for case in cases], n=3, cutoff=0.3)
            hint = f"near ones: {', '.join(near)}; " if near else ""
            problems.append(
                Problem(f"there is no case `{name}`", path="--only", hint=f"{hint}`--list` shows all")
            )
    if problems:
        raise ModelError(problems)
    return tuple(case for case in cases if not names or case.name.startswith(tuple(names)))


# -- running cases one after the other; one that breaks does not stop the others


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


# -- outcomes as plain data, for JSON and for the page


def as_data(cases: Sequence[Case], outcomes: Sequence[CaseOutcome], complete: bool) -> dict[str, Any]:
    """The table: cases with source, refusals, and findings of each way."""
    done = {case.name: [outcome for outcome in outcomes if outcome.case is case] for case in cases}
    return {
        "wheelwork": __version__,
        "complete": complete,
        "passed": complete and all(outcome.passed for outcome in outcomes),
        "cases": [_case(case, done[case.name]) for case in cases if done[case.name]],
    }


def _case(case: Case, outcomes: Sequence[CaseOutcome]) -> dict[str, Any]:
    return {
        "name": case.name,
        "title": case.title,
        "source": case.source,
        "ways": [
            {
                "way": str(outcome.way),
                "formulation": outcome.way.formulation,
                "mesh": outcome.way.mesh,
                "passed": outcome.passed,
                "error": outcome.error,
                "findings": [
                    {
                        **{name: _number(x) if isinstance(x, float) else x for name, x in vars(f).items()},
                        "passed": f.passed,
                    }
                    for f in outcome.findings
                ],
            }
            for outcome in outcomes
        ],
        "refusals": [{"way": str(refusal), "why": refusal.why} for refusal in case.refusals],
    }


def _number(value: float) -> float | None:
    """JSON knows neither infinity nor nan"""
    return value if isfinite(value) else None
