"""One value of a sweep: what to do there, how it is measured, and how the next value begins where it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wheelwork.description import Formula, ModelError
from wheelwork.engine.engine import RECORDED, noted_in
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import Watch
from wheelwork.system.motion import Motion
from wheelwork.system.signals import Signal

from ..assemble import Assembled, with_turns
from ..prepare import Prepared
from ..simulate import integrate, run_options
from .measures import open_share, order_amplitudes, section, statistics
from .settling import Windows, find_changes

FINE = 4096
"""Samples of which means are made at least where no period is known."""

JUMP = 1e-6
"""A driver that would have to jump by more than this (rad or m) between two values is an error."""


@dataclass(frozen=True)
class Plan:
    """What to do at each value, in numbers."""

    parameter: str
    parameters: Mapping[str, Any]
    frequency: Formula | float | None
    settle: float
    measure: float
    samples: int
    extensions: int
    signals: list[Signal]
    contacts: list[Signal]
    orders: np.ndarray
    settings: Any

    def spans(self, prepared: Prepared) -> tuple[float, float, int]:
        """Seconds to settle and to measure, and number of samples."""
        if self.frequency is None:
            return self.settle, self.measure, self.samples
        f = prepared.numbers.value(self.frequency)
        if not f > 0:
            raise ModelError(f"needs to be greater than zero, but is {f:g} Hz", path="frequency")
        return self.settle / f, self.measure / f, int(self.samples * self.measure)


@dataclass(frozen=True)
class Point:
    """What was measured at one value."""

    value: float
    frequency: float
    statistics: dict[str, np.ndarray]
    orders: np.ndarray
    section: np.ndarray
    open: np.ndarray
    history: np.ndarray
    step: float
    steps: int
    skipped: int
    """Teeth that skipped while it settled and was measured."""
    unsettled: np.ndarray
    """What is left of decays, as part of the vibration (signals)."""
    spans: int
    """How often it was integrated for `settle` and `measure`."""

    def after(self, before: Point) -> Point:
        """The same as one that was measured after another, at the same value."""
        return replace(
            self,
            steps=before.steps + self.steps,
            skipped=before.skipped + self.skipped,
            unsettled=np.maximum(self.unsettled, find_changes(before.statistics, self.statistics)),
            spans=before.spans + 1,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it, to be kept."""
        own = {name: np.asarray(value) for name, value in vars(self).items() if name != "statistics"}
        return {**own, **{f"statistics.{name}": value for name, value in self.statistics.items()}}

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Point:
        own: dict[str, Any] = {name: array if array.ndim else array.item() for name, array in arrays.items()}
        of_statistics = [name for name in own if name.startswith("statistics.")]
        return cls(statistics={name.partition(".")[2]: own.pop(name) for name in of_statistics}, **own)


def measure_point(
    at: Assembled, plan: Plan, value: float, watch: Watch
) -> tuple[Point | None, np.ndarray, str]:
    """One value: settle and measure; the state at the end; words where it did not get there."""
    settle, measure, count = plan.spans(at.prepared)
    periodic = plan.frequency is not None
    every = 1 if periodic else -(-FINE // count)
    step = measure / count / every
    windows = Windows.of(count * every, int(settle / step + 1e-9), plan.samples if periodic else 1)
    grid = at.t + settle + step * windows.numbers
    options = plan.settings.model_copy(update={"start": at.t, "end": at.t + settle + measure})
    run = integrate(
        at,
        grid,
        run_options(options),
        plan.settings.formulation,
        lambda t, n: watch.step((t - at.t) / (settle + measure), n),
    )
    if run.report.outcome is not Outcome.REACHED_END or not np.all(np.isfinite(run.final_state)):
        where = f"{plan.parameter} = {value:.6g}"
        return None, run.final_state, f"stopped at {where}: {run.report.text}"
    keep = np.searchsorted(run.t, grid + 1e-6 * step, "right") - 1  # of two sides of a moment the later one
    kept = [getattr(run, name)[keep] for name in RECORDED]
    skips, losses = noted_in(run.events)
    motion = Motion(at.prepared.program, at.prepared.numbers, *kept, skips=skips, losses=losses)

    def sampled(signals: list[Signal]) -> np.ndarray:
        columns = [signal.compute(motion) for signal in signals]
        return np.column_stack(columns) if columns else np.zeros((motion.count, 0))

    seen = sampled(plan.signals)
    x = seen[-count * every :]
    point = Point(
        value,
        plan.measure / measure if periodic else float("nan"),
        statistics(x),
        order_amplitudes(x, plan.samples, plan.orders),
        section(x, plan.samples) if periodic else x[:0],
        open_share(sampled(plan.contacts)[-count * every :]),
        x[::every],
        step * every,
        run.report.steps,
        sum(map(len, motion.skips.values())),
        windows.find_left(seen),
        1,
    )
    return point, run.final_state, ""


def find_driver_speeds(prepared: Prepared, state: np.ndarray) -> np.ndarray:
    """What the drivers prescribe at velocity level at the start."""
    program = prepared.program
    rows = [program.constraints[c].first_row for c in program.driver_constraints.values()]
    return prepared.engine.constraints(0.0, state)[3][rows]


def go_on(prepared: Prepared, state: np.ndarray, speeds: np.ndarray, plan: Plan) -> Assembled:
    """The state as the beginning of the next value: at time 0, on the constraints as they are now."""
    program, engine = prepared.program, prepared.engine
    y = with_turns(program, prepared.numbers.data, state)
    for index in program.driver_constraints.values():
        use = program.constraints[index]
        residual = float(engine.constraints(0.0, y)[0][use.first_row])
        turns = 2 * np.pi * np.round(residual / (2 * np.pi))
        if turns and use.turns:
            y[program.nq + program.nv + use.turns[0]] -= turns
        elif turns and program.space.V == 3 and use.kernel.row_names[0] == "angle":
            y[program.space.Q * use.b + 2] -= turns
    g = engine.constraints(0.0, y)[0]
    for name, index in program.driver_constraints.items():
        left = float(g[program.constraints[index].first_row])
        if abs(left) > JUMP:
            why = f"would have to jump by {left:.3g} between two values of `{plan.parameter}`"
            hint = "give `frequency`, so that each value takes whole periods in which the driver repeats"
            if plan.frequency is not None:
                periods = plan.settle + plan.measure
                why += f": in the {periods:g} periods of a value it does not return to where it began"
                hint = "choose `settle` and `measure` so that together they are whole turns of the driver"
            raise ModelError(prepared.flat.drivers[name].problem(why, hint))
    faster = find_driver_speeds(prepared, y)
    if np.any(speeds):
        ratio = float(faster @ speeds / (speeds @ speeds))
        if ratio > 0 and np.allclose(faster, ratio * speeds, rtol=1e-9):
            y[program.nq : program.nq + program.nv] *= ratio
    projected, done = engine.project(0.0, y, 1e-11, 100)
    if not done:
        why = "the mechanism cannot be brought from one value to the next: a geometry may depend on the parameter"
        raise ModelError(why, path=plan.parameter)
    return Assembled(prepared, with_turns(program, prepared.numbers.data, projected), [], 0.0)
