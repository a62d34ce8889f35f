"""A run in pieces, and runs that go on from where another ended.

A run is made of steps, and what it needs from one step to the next can be handed over (``core/carried.hpp``): state,
modes of friction and contacts, counted turns, the length of the next step. A piece does not let its steps know where it
ends; what it shows there is interpolated, as an output is, and the next piece makes that step again. So pieces are one
run, to the last digit. Only where a number is changed on the way does a step end at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from pydantic_core import PydanticCustomError

from wheelwork.description import Description, Formula, ModelError, Problem, Simulate
from wheelwork.description.overrides import read_overrides
from wheelwork.description.parameters import read_parameter
from wheelwork.description.validate import element_problems
from wheelwork.description.write import dumps
from wheelwork.engine.engine import RECORDED, Ending, Engine, Event, Integration, later, noted_in
from wheelwork.engine.kept_ending import runtime_digest
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.recorded import OutputCode, RecordedMotion, follows_from_states
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.engine.retrace import Retrace
from wheelwork.problems import did_you_mean
from wheelwork.results import Result
from wheelwork.results.provenance import plain, whole
from wheelwork.system.program import Numbers, Program
from wheelwork.system.signals import SignalCatalogue

from .assemble import assembled
from .continuation import at_state, losses_before, names_of_state
from .options import merged, seconds
from .planned import planned, run_options, warn_of_end
from .prepare import formulas_of, prepare
from .reduction.reduce import needs_reactions

FAR = 1e9
"""End of a run that has none, s."""


@dataclass(frozen=True)
class Snapshot:
    """A moment of a run in pieces, to go back to: `session.restore(snapshot)`."""

    t: float
    """s."""
    about: Mapping[str, Any]
    """What the steps depend on that nothing changes on the way, in words."""
    kept: Mapping[str, Any]
    """What the session had come to, by the names in `KEPT`."""


KEPT = (
    *("_carried", "_given", "_found", "_earlier", "_events", "_ahead", "_refresh", "_held", "_set_at"),
    "_report",
)
"""Of a session: what changes as it goes on."""


class Session:
    """A run in pieces: `advance` it, look at signals, set parameters, go back to what was saved.

    >>> import wheelwork as ww
    >>> from wheelwork import examples
    >>> s = ww.load(examples.path("drive-line")).compile().start()
    >>> s.advance(0.1)
    >>> speed = float(s["motor_shaft.w"])
    >>> s.set("drag", 0.004)
    >>> s.advance(0.2)
    >>> s.result().t[-1]
    0.2
    """

    def __init__(
        self,
        description: Description,
        parameters: Mapping[str, Any] | None = None,
        *,
        start: Any = None,
        units: bool = False,
        attach: Callable[[Engine], None] | None = None,
        **options: Any,
    ) -> None:
        """units: whether FMUs in it are run by whoever makes the session
        attach: gives the engine what it is to call inside steps
        """
        began = start if isinstance(start, Result) else None
        given = float(began.t[-1]) if began is not None else start
        self._settings: Any = merged(
            description, Simulate, {**options, "start": given, "end": FAR}, parameters
        )
        run = run_options(self._settings)
        self._prepared = prepared = prepare(description, parameters, run.method, units=units)
        if attach is not None:
            attach(prepared.engine)
        self._at = at = (
            assembled(prepared, run.start) if began is None else at_state(prepared, began, run.start)
        )
        self._horizon = run.start
        self._before = losses_before(began, run.start)
        plan = planned(at, replace(run, end=run.start + 1e-3), self._settings.formulation)
        waits = attach is None and run.stabilisation == "projection" and follows_from_states(prepared.program)
        self._plan, self._run = plan, replace(run, origin=run.start, states_only=waits)
        system = prepared.engine.system
        self._reduced = None if plan.reduced is None else ReducedSystem(system, *plan.reduced)
        self._numbers = prepared.numbers
        self._given: dict[str, Any] = {}
        self._formulas = formulas_of(prepared.flat)
        uses = {use.name: use for use in prepared.program.forces if use.kernel.states}
        self._inputs = {
            f"{name}.{what}" if what else name: (uses[name].first_state + k, placed.element)
            for name, placed in prepared.flat.blocks.items()
            for k, what in enumerate(placed.element.held())
        }
        self._held: dict[int, float] = {}
        self._set_at: list[float] = []
        drivers = [used for placed, _, used in self._formulas if placed.name in prepared.flat.drivers]
        self._fixed = prepared.program.read.union(*drivers)
        self._carried, self._refresh, self._ahead = b"", False, False
        self._found: list[Integration] = []
        self._earlier: list[Result] = []
        self._events: tuple[Event, ...] = ()
        self._corners: tuple[float, ...] = ()
        self._catalogue, self._code = SignalCatalogue(prepared.program), OutputCode(prepared.program)
        self._here: RecordedMotion | None = None
        self.t = run.start
        """The time that it has come to, s."""
        self._piece(run.start, np.array([run.start]), "the end")

    # -- going on

    def advance(self, until: float | str, output: int = 1) -> None:
        """Go on until a time [s]; `output` equal intervals from here to there are kept for `result`."""
        end = self._seconds(until)
        if not end > self.t:
            raise ValueError(f"`until` must be later than where the run is, {self.t:g} s, but is {end:g} s")
        if end > self._run.start + FAR:
            raise ValueError(f"`until` must be a time up to {FAR:g} s after the start, but is {end:g} s")
        if isinstance(output, bool) or not isinstance(output, int) or output < 1:
            raise ValueError(f"`output` must be a whole number of intervals, 1 or more, but is {output!r}")
        self._check_going()
        self._piece(end, np.linspace(self.t, end, output + 1)[1:], "as if longer")

    def advance_to_sample(self, until: float, between: np.ndarray, sample: bool = True) -> None:
        """The same to a moment at which something will be set: a step ends there, unless it is not a sample. Times in
        between are kept too."""
        self._check_going()
        self._piece(until, np.append(between, until), "the end" if sample else "as if longer")

    def set(self, name: str, value: Any) -> None:
        """Another value of a parameter, or of a state without a rate, from here on.

        value: a number in SI units, or a text with a unit

        What changes lengths, masses, numbers of teeth or the start is refused: equations and state are for these.
        """
        self._check_going()
        program, flat = self._prepared.program, self._prepared.flat
        if name in self._inputs:
            place, block = self._inputs[name]
            number = _number(name, value, block)
            self._cut()
            self._held[place] = number
            self._refresh, self._here = True, None
            if self._set_at[-1:] != [self.t] and not self._begins_anew:
                self._set_at.append(self.t)
            return
        if name not in flat.parameters:
            known = [*self._inputs, *flat.parameters]
            why = (
                f"`{name}` has a rate; its value cannot be set"
                if name in flat.blocks
                else f"there is no parameter or input `{name}`"
            )
            raise ModelError([Problem(why, path=name, hint=did_you_mean(name, known))])
        read = read_overrides({name: value}, flat.parameters, flat.parameter_units)
        given = {**self._given, **read}
        numbers = program.numbers(given)
        different = {n for n, x in numbers.parameters.items() if x != self._numbers.parameters[n]}
        if not different:
            return
        concerned = [(placed, seen) for placed, seen, used in self._formulas if used & different]
        problems = element_problems(concerned, dict(numbers.parameters))
        fixed = program.settled(self._numbers) != program.settled(numbers) or not different.isdisjoint(
            self._fixed
        )
        load_friction = needs_reactions(program, numbers.data) != needs_reactions(program, self._numbers.data)
        if not problems and (fixed or load_friction):
            why = (
                "a coefficient of friction becomes, or ceases to be, zero"
                if load_friction
                else ("lengths, masses, teeth or prescribed motions depend on it")
            )
            problems = [
                Problem(
                    f"cannot be set in a run: {why}",
                    path=f"parameters.{name}",
                    hint="start another run with it",
                )
            ]
        if problems:
            raise ModelError(problems)
        self._cut()
        if len(self._found) > 1 or len(self._found[0].t) > 1:
            self._earlier = [*self._earlier, self.result()]
        self._found = [self._last()]
        self._take(numbers)
        self._given, self._refresh, self._here = given, True, None

    def _check_going(self) -> None:
        """What has ended early has nothing to go on with."""
        if not self.outcome.good:
            raise ValueError(
                f"the run has ended: {self._report.text}. Restore what was saved before, or start again"
            )

    def _cut(self) -> None:
        """End a step where the run is."""
        if self._ahead:
            self._piece(self.t, np.zeros(0), "the end")

    def _take(self, numbers: Numbers) -> None:
        engine = self._prepared.engine
        engine.set_numbers(numbers)
        if self._reduced is not None and self._plan.renewed is not None:
            self._reduced.renew(self._plan.renewed(numbers.data))
        self._numbers = numbers
        self._horizon = self._run.start  # corners may be others

    def _piece(self, end: float, grid: np.ndarray, hand_over: str) -> None:
        """Go on to `end`; steps know of it only where what is handed over is the end itself."""
        if anew := self._begins_anew:
            grid = np.append(self.t, grid)
        found = self._ran(end, grid, hand_over)
        if len(grid):
            # of steps that are made again all is known up to there; what follows from what was set is new
            known = -np.inf if self._refresh or not self._found else self._report.t
            happened = [event for event in found.events if event.t > known]
            self._events += tuple(happened)
            if anew:
                happened = [*self._found.pop().events, *happened]
            self._found.append(replace(found, events=happened, sides=later(found.sides, known)))
        self._report = replace(found.report, formulation=self._plan.words)
        self._here = None
        self.t = float(self._report.t) if not self.outcome.good else end
        self._carried, self._ahead = found.carried, hand_over == "as if longer"
        if self.outcome.good:
            self._refresh, self._held = False, {}
        else:
            warn_of_end(self._report)

    @property
    def _begins_anew(self) -> bool:
        """Whether something was set at the very time of the first record: that is of the moment behind it."""
        return self._refresh and len(self._found) == 1 and len(self._found[0].t) == 1

    def _ran(self, end: float, grid: np.ndarray, hand_over: str) -> Integration:
        """From where the run is to `end`."""
        engine, program, ahead = self._prepared.engine, self._prepared.program, hand_over == "as if longer"
        run = replace(
            self._run,
            end=FAR + self._run.start if ahead else end,
            until=end if ahead else np.inf,
            hand_over=hand_over,
            carried=self._carried,
            refresh=self._refresh,
            held=tuple(self._held.get(k, np.nan) for k in range(program.states)) if self._held else (),
            max_steps=self._run.max_steps + (self._report.steps if self._carried else 0),
        )
        if ahead and program.events + len(program.contacts) + len(program.frictions):
            run = replace(run, largest_step=min(run.largest_step, end - self.t))
        solver: Any = engine.system if self._reduced is None else self._reduced
        self._know_corners(end)
        while True:  # steps are those of a longer run, which knows the corners wherever its steps come to
            done = solver.integrate(self._at.state, grid, replace(run, corners=self._corners), None)
            if done.report.furthest <= self._horizon:
                return Integration.finished(engine.system.tables, done)
            self._know_corners(done.report.furthest)

    def _know_corners(self, end: float) -> None:
        """Corners of functions of time until the end and beyond."""
        if end < self._horizon:
            return
        program, start = self._prepared.program, self._run.start
        self._horizon = start + 2 * max(end - start, 1e-3) if program.switches is not None else np.inf
        self._corners = program.corners(self._numbers, start, self._horizon)

    def _seconds(self, until: float | str) -> float:
        if isinstance(until, int | float) and not isinstance(until, bool):
            return float(until)
        return seconds(self._prepared.description, until, "until")

    # -- looking

    @property
    def program(self) -> Program:
        """Its equations."""
        return self._prepared.program

    @property
    def inputs(self) -> list[str]:
        """States without a rate, which can be set."""
        return list(self._inputs)

    @property
    def steps(self) -> int:
        """Steps so far."""
        return self._report.steps

    @property
    def outcome(self) -> Outcome:
        """How the last piece ended."""
        return self._report.outcome

    @property
    def report(self) -> str:
        """The same in words."""
        return self._report.text

    @property
    def parameters(self) -> Mapping[str, float]:
        """The numbers of all parameters as they are now."""
        return dict(self._numbers.parameters)

    def __getitem__(self, name: str) -> np.ndarray:
        """A signal where the run is: a number, or an array of components."""
        signal = self._catalogue[name]
        if self._here is None:
            self._here = self._motion([self._behind_what_was_set() if self._refresh else self._last()])
        return np.asarray(signal.compute(self._here)[0])

    def _last(self) -> Integration:
        """The last record."""
        last = self._found[-1]
        return last.at(slice(-1, None), events=[], sides=last.sides[:0])

    def _behind_what_was_set(self) -> Integration:
        """The record of this moment with what was set; the run itself sees it with its next step."""
        return replace(self._ran(self.t, np.array([self.t]), "the end"), events=[], sides=self._last().sides)

    def _motion(self, pieces: list[Integration]) -> RecordedMotion:
        t, state, *efforts, sides = (
            np.concatenate([getattr(piece, name) for piece in pieces]) for name in (*RECORDED, "sides")
        )
        program, noted = self._prepared.program, noted_in((*self._before, *self._events))
        known = None if self._run.states_only else efforts
        return RecordedMotion(program, self._numbers, t, state, known, *noted, self._code, sides)

    def end(self, outcome: Outcome, why: str) -> None:
        """Nothing goes on from here, for a reason outside of the run."""
        self._report = replace(self._report, outcome=outcome, worst_element=why, t=self.t)
        warn_of_end(self._report)

    def result(self) -> Result:
        """What was kept since a parameter was last set, or from the start: a result has one value of each."""
        pieces = self._found
        if self._begins_anew:
            pieces = [replace(self._behind_what_was_set(), events=self._found[0].events)]
        motion = self._motion(pieces)
        start = float(motion.t[0])
        own = [event for piece in pieces for event in piece.events]
        before = self._events[: len(self._events) - len(own)]
        result = Result.from_motion(
            motion,
            report=self._report,
            events=own,
            earlier=[*self._before, *(event for event in before if event.lost)],
            description=self._prepared.description,
            settings=self._settings.model_copy(update={"start": start, "end": self.t}),
            engine=Engine.name,
            set_at=[t for t in self._set_at if t >= start],
        )
        if self.outcome.good and not self._refresh:
            run, began = self._run, self._at.state
            result.ending = Ending(
                run.start, began, self._carried, run.method, run.step, self._report.formulation
            )
            if not self._set_at and not self._earlier:
                result.retrace = self._retrace(motion)
        return result

    def _retrace(self, motion: RecordedMotion) -> Retrace:
        """The run until here as one; where it has other numbers by then, it does not come to the same states."""
        ahead = {"end": FAR + self._run.start, "until": self.t, "hand_over": "as if longer"}
        run = replace(self._run, **ahead, corners=self._corners)
        plan, at = self._plan, self._at
        again = lambda grid, run: replace(plan, run=run).carried_out(at, grid)  # noqa: E731
        return Retrace(self._prepared.program, self._numbers, again, motion.t, run, self._report.steps)

    def results(self) -> list[Result]:
        """All that was kept, from the start on: a result for each stretch between two settings of parameters."""
        return [*self._earlier, self.result()]

    # -- going back

    @cached_property
    def _about(self) -> dict[str, Any]:
        """What steps depend on that nothing changes on the way, in words."""
        settings = plain(self._settings)
        return {
            "elements": names_of_state(self._prepared.program),
            "values": {"the coordinates": self._plan.words}
            | {f"`{name}`": settings[name] for name in settings if name not in ("end", "output")}
            | {f"`{name}`": value for name, value in self._prepared.numbers.parameters.items()},
            "model": dumps(whole(self._prepared.description)),
            "version": runtime_digest(),
        }

    def save(self) -> Snapshot:
        """Where the run is, to come back to with `restore`."""
        return Snapshot(self.t, self._about, {name: copy(getattr(self, name)) for name in KEPT})

    def restore(self, saved: Snapshot) -> None:
        """Back to what was saved, with the parameters that it had: from there on the run is the same again.

        What was saved by another session of the same mechanism, with the same settings, will do as well.
        """
        if not isinstance(saved, Snapshot):
            raise ValueError(f"needs what `save` has given, but is {type(saved).__name__}")
        if saved.about != self._about:
            raise ModelError(
                [
                    Problem(
                        _difference(saved.about, self._about),
                        hint="restore it in a session that is made in the same way",
                    )
                ]
            )
        self._take(self._prepared.program.numbers(saved.kept["_given"]))
        for name, value in saved.kept.items():
            setattr(self, name, copy(value))
        self.t, self._here = saved.t, None

    def __repr__(self) -> str:
        return f"<run of {self._prepared.description!r} at t = {self.t:g} s>"


def _number(name: str, value: Any, block: Any) -> float:
    try:
        read = read_parameter(value)
    except PydanticCustomError as error:
        raise ModelError([Problem(error.message(), path=name)]) from None
    if isinstance(read, Formula):
        raise ModelError([Problem(f"needs a number, but is `{value}`", path=name)])
    if wrong := block.setting_fault(read):
        raise ModelError([Problem(wrong, path=name)])
    return float(read)


def _difference(theirs: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Of what was saved to what is here, in words."""
    if theirs["elements"] != own["elements"]:
        names = [f"`{name}`" for name in theirs["elements"] if name not in own["elements"]]
        return f"the saved state belongs to another mechanism{f': it has {names[0]}' if names else ''}"
    if theirs["version"] != own["version"]:
        return "what was saved was integrated by another version of Wheelwork"
    for name, value in theirs["values"].items():
        if value != (here := own["values"].get(name)):
            return f"what was saved was begun with another value of {name}: {value}, and here {here}"
    return "the saved state belongs to another model, with the same names"
