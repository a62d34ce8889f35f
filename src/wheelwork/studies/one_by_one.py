"""Variants one by one, each as a run of its own, in threads: for mechanisms that cannot be run in lanes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.simulate import integrate
from wheelwork.description import Description, ModelError
from wheelwork.engine.engine import EventKind, RunOptions, noted_in
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.recorded import RecordedMotion, follows_from_states
from wheelwork.engine.threads import cores, shared_out
from wheelwork.system.signals import SignalCatalogue

from .measures import ArrayOps, Measures
from .span import Span


@dataclass(frozen=True)
class OneResult:
    """Of one variant."""

    outcome: Outcome
    time: float
    text: str
    measured: Mapping[str, np.ndarray]
    steps: int = 0


def run_one(
    description: Description,
    parameters: Mapping[str, float],
    run: RunOptions,
    formulation: str,
    span: Span,
    measures: Measures,
    stop: Callable[[], bool] = lambda: False,
) -> OneResult:
    """One variant; measures are those of its samples. A variant that fails says why."""
    try:
        prepared = prepare(description, parameters, run.method)
        at = assembled(prepared, run.start)
        waits = run.stabilisation == "projection" and follows_from_states(prepared.program)
        grid = np.linspace(span.begin, span.end, span.intervals + 1)
        own = replace(run, states_only=waits)
        integration = integrate(at, grid, own, formulation, lambda t, steps: stop())
    except ModelError as error:
        return OneResult(Outcome.CONSTRAINTS_LOST, run.start, error.problems[0].message, {})
    report = integration.report
    if not report.outcome.good and report.outcome is not Outcome.TEETH_TOO_DEEP:
        return OneResult(report.outcome, report.t, report.text, {}, report.steps)
    t, state, efforts = integration.each_time_once()
    motion = RecordedMotion(
        prepared.program, prepared.numbers, t, state, efforts, *noted_in(integration.events)
    )
    catalogue, numbers = SignalCatalogue(prepared.program), prepared.numbers.parameters

    def values(name: str) -> np.ndarray:
        if name == "t":
            return motion.t
        return np.full(len(t), numbers[name]) if name in numbers else catalogue[name].compute(motion)

    signals = [
        np.broadcast_to(np.asarray(formula.evaluate(values, ArrayOps()), float), (len(t),))
        for formula in measures.signals
    ]
    skips = sum(event.kind is EventKind.SKIPPED for event in integration.events)
    found = measures.from_samples(signals, skips, span.interval, span.intervals)
    return OneResult(report.outcome, report.t, report.text, found, report.steps)


def run_all(
    one: Callable[[int, Callable[[], bool]], OneResult],
    count: int,
    threads: int | None,
    progress: Callable[[int, int], bool],
    take: Callable[[int, OneResult], None],
) -> None:
    """All variants in threads; `take` gets each result as it comes. True from `progress` stops."""
    lock = threading.Lock()

    def work(mine: int, _: int, stopped: Callable[[], bool]) -> tuple[int, int]:
        result = one(mine, stopped)
        if result.outcome is Outcome.INTERRUPTED:
            return 0, 0
        with lock:
            take(mine, result)
        return 1, not result.outcome.good

    shared_out(work, count, 1, threads or cores(), progress)
