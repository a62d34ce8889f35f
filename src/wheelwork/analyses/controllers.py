"""Sampled controllers that are functions of Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from wheelwork.description import Description, ModelError, Problem, Simulate
from wheelwork.description.values import LARGEST_NUMBER
from wheelwork.engine.engine import Engine
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import Watch
from wheelwork.problems import did_you_mean
from wheelwork.results import Result
from wheelwork.system.unknown_signal import UnknownSignal

from .feasible import check_run
from .options import merged, seconds
from .session import Session

INTERRUPTED = "interrupted"
PIECES = 50
"""Of a run without samples: between them it looks whether it is to stop."""


class InsideSteps(Protocol):
    """Something that an engine calls inside steps."""

    failed: str
    """Why the run must end; empty: it need not."""

    def attach(self, engine: Engine) -> None:
        """To be called from now on."""


@dataclass(frozen=True)
class SampledController:
    """A function that is called at samples and sets states without a rate; steps of the run end there.

    >>> import wheelwork as ww
    >>> m = ww.Mechanism("shaft")
    >>> _ = m.add("rotor", ww.Rotor(inertia=0.1))
    >>> _ = m.add("torque", ww.State(unit="N m"))
    >>> _ = m.add("motor", ww.Torque(body="rotor", value=(0, 0, "torque")))
    >>> hold = ww.SampledController(every="1 ms", call=lambda t, w: 2 * (5 - w), inputs=["rotor.w"], outputs=["torque"])
    >>> r = m.simulate(end=0.3, controllers=[hold])
    """

    every: float | str
    """From one sample to the next, s."""
    call: Callable[..., Any]
    """`call(t, *inputs)` gives a number, or as many as there are outputs."""
    inputs: Sequence[str] = ()
    """Names of the signals that it is given, or one: a number each, an array of a vector."""
    outputs: Sequence[str] = ()
    """Names of the states, without a rate, that it sets, or one."""
    first: float | str = 0.0
    """Time of a sample, s."""
    name: str = "controller"

    def __post_init__(self) -> None:
        for field in ("inputs", "outputs"):  # a text is one name
            if isinstance(given := getattr(self, field), str):
                object.__setattr__(self, field, (given,))

    def asked(self, t: float, given: list[Any]) -> list[float]:
        """What it sets at a sample; ValueError, with the reason, where that is not usable."""
        try:
            found = self.call(t, *given)
        except Exception as error:
            raise ValueError(f"raised {type(error).__name__}: {error}") from error
        several = isinstance(found, list | tuple | np.ndarray)
        values = list(np.ravel(found) if isinstance(found, np.ndarray) else found if several else [found])
        if len(values) != len(self.outputs):
            what = f"{len(values)} numbers" if several else f"{found!r:.60}"
            raise ValueError(f"returned {what} for {len(self.outputs)} outputs")
        return [_number(name, value) for name, value in zip(self.outputs, values, strict=True)]


def _number(name: str, value: Any) -> float:
    """What a controller returned for a state; ValueError, in words, where it is no number."""
    if isinstance(value, np.ndarray) and value.size == 1:  # a product of matrices
        value = value.item()
    counts = hasattr(value, "__float__") and not isinstance(value, np.ndarray)
    number = float(value) if counts else np.nan
    if not abs(number) <= LARGEST_NUMBER:
        needed = f"needs a number of at most {LARGEST_NUMBER:g} in size"
        raise ValueError(f"returned {value if counts else repr(value)[:60]} for `{name}`, which {needed}")
    return number


def controlled(
    description: Description,
    controllers: Sequence[SampledController],
    end: Any,
    start: Any,
    parameters: Mapping[str, Any] | None,
    progress: bool | None,
    options: dict[str, Any],
    inside: InsideSteps | None = None,
) -> Result:
    """A run with controllers, as `simulate` gives it; and with what is called inside its steps."""
    begin = float(start.t[-1]) if isinstance(start, Result) else start
    settings: Any = merged(description, Simulate, {**options, "start": begin, "end": end}, parameters)
    attach = None if inside is None else inside.attach
    s = Session(description, parameters, start=start, units=True, attach=attach, **options)
    check_run(s.program, s.t, float(settings.end), settings.output, float(settings.rtol))
    grid = np.linspace(float(settings.start), float(settings.end), settings.output + 1)
    clocks = [_Clock(s, one, description) for one in controllers]
    failed, piece = "" if inside is None else inside.failed, 1 + settings.output // PIECES
    with Watch(s.t, float(settings.end), progress, description.name) as watch:
        while s.t < grid[-1] and s.outcome.good and not failed:
            try:  # all of them see what was before
                asked = [clock.asked(s) for clock in clocks if clock.due(s)]
            except ValueError as error:
                failed = str(error)
                break
            for found in asked:
                for name, value in found.items():
                    s.set(name, value)
            until = min(
                [clock.next for clock in clocks],
                default=grid[np.searchsorted(grid, s.t, "right") :][:piece][-1],
            )
            # an output that is meant to be at the sample is there
            close = grid[np.argmin(np.abs(grid - until))]
            until = float(min(grid[-1], close if abs(close - until) <= 1e-9 * abs(until) else until))
            s.advance_to_sample(until, grid[(grid > s.t) & (grid < until)], bool(clocks))
            failed = inside.failed if inside is not None else ""
            if watch.step(s.t, s.steps):
                failed = INTERRUPTED
    if failed:
        s.end(Outcome.INTERRUPTED if failed == INTERRUPTED else Outcome.CONTROLLER_FAILED, failed)
    return s.result().kept_at(grid)


class _Clock:
    """When a controller is to act next."""

    def __init__(self, s: Session, controller: SampledController, description: Description):
        self._controller = controller
        label = f"controllers.{controller.name}"
        self._every, self._first = (
            seconds(description, getattr(controller, name), f"{label}.{name}") for name in ("every", "first")
        )
        problems: list[Problem] = []

        def wrong(why: str, field: str, hint: str = "") -> None:
            problems.append(Problem(why, path=f"{label}.{field}", hint=hint))

        if not self._every > 0:
            wrong(f"must be greater than zero, but is {self._every:g} s", "every")
        for k, name in enumerate(controller.outputs):
            if name in controller.outputs[:k]:
                wrong(f"names `{name}` twice", "outputs")
            if name not in s.inputs:
                hint = did_you_mean(name, s.inputs) or "add one to `states`"
                wrong(f"`{name}` is not a state without a rate", "outputs", hint)
        for name in controller.inputs:
            try:
                s[name]
            except UnknownSignal as error:
                wrong(str(error), "inputs")
        if not controller.outputs:
            wrong("needs names of states to set", "outputs")
        if problems:
            raise ModelError(problems)
        self._count = int(np.ceil((s.t - self._first) / self._every - 1e-9))

    @property
    def next(self) -> float:
        return self._first + self._count * self._every

    def due(self, s: Session) -> bool:
        return self.next <= s.t + 1e-9 * self._every

    def asked(self, s: Session) -> dict[str, float]:
        """What the controller sets at this sample, by name; ValueError, in words, where that is of no use."""
        self._count += 1
        one = self._controller
        given = [s[name] if s[name].ndim else float(s[name]) for name in one.inputs]
        try:
            return dict(zip(one.outputs, one.asked(s.t, given), strict=True))
        except ValueError as error:
            raise ValueError(f"controller `{one.name}` {error}") from error
