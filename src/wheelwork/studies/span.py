"""The measuring span of a run: when signals are looked at."""

from __future__ import annotations

from dataclasses import dataclass

from wheelwork.description import ModelError, Problem
from wheelwork.description.units import parse_quantity
from wheelwork.engine.engine import RunOptions


@dataclass(frozen=True)
class Span:
    """When is measured: from `begin` to the end of the run, at so many intervals."""

    begin: float
    intervals: int
    end: float

    @property
    def interval(self) -> float:
        return (self.end - self.begin) / self.intervals


def read_span(run: RunOptions, run_in: float | str, samples: int) -> Span:
    """Of a run of which `run_in` is not measured. Raises ModelError."""
    try:
        given = float(parse_quantity(run_in)) if isinstance(run_in, str) else float(run_in)
    except ValueError as error:
        raise ModelError(str(error), path="run_in") from None
    problems = []
    if not 0 <= given < run.end - run.start:
        problems.append(
            Problem(
                f"the run takes {run.end - run.start:g} s, and {given:g} s of it leave nothing to measure",
                path="run_in",
            )
        )
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        problems.append(Problem(f"needs a whole number of at least 2, and is {samples}", path="samples"))
    if run.method == "rk4" and run.step is None:
        problems.append(Problem("`rk4` needs a step", path="step"))
    if problems:
        raise ModelError(problems)
    return Span(run.start + given, samples, run.end)
