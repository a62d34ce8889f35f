"""The engine: a program's tables and kernels in the compiled core, and what an integration leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from enum import IntEnum
from itertools import accumulate
from typing import Any

import numpy as np

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.system.program import Numbers, Program

from .code import kernels
from .compiled_core import core
from .native_system import Finished, NativeSystem
from .options import Progress, RunOptions
from .outcome import STATE_MACHINE, Outcome, RunReport
from .records import record_fields
from .reduced import ReducedSystem
from .tables import Tables, tables_of


class EventKind(IntEnum):
    """Kinds of event; the numbers are those of ``core/switching.hpp``."""

    FORCE = 0
    """A kink in a force; noted only where the force asks for it."""
    STICK = 1
    """A joint with dry friction came to rest."""
    SLIDE = 2
    """A joint with dry friction broke loose."""
    IMPACT = 3
    """A contact closed and rebounds."""
    REST = 4
    """A contact closed and lasts."""
    RELEASE = 5
    """A lasting contact opened."""
    SKIPPED = 6
    """A tooth skipped: the load pushed it past the next one."""
    DEEP = 7
    """Teeth were pressed into each other deeper than their model holds; noted once for each mesh."""
    LOCKED = 8
    """Friction that no finite force fits stopped a sliding joint or mesh in an instant."""
    CLOSED = 9
    """Dogs closed; what was left of their speed the impulse took."""
    OPENED = 10
    """Dogs opened."""
    TOUCHES = 11
    """An elastic contact, stop, clearance or bearing began to touch."""
    PARTS = 12
    """It ceased to touch."""
    TRANSITION = 20
    """A state machine changed its mode."""


@dataclass(frozen=True)
class Event:
    """Something that happened at one moment."""

    t: float
    """When, s."""
    kind: EventKind
    element: str
    """Name of the contact, friction or force."""
    size: float
    """Impulse of an impact (kinds `IMPACT` and `REST`), N s, or along the joint that locked or the dogs that closed,
    N s or N m s; of a tooth that skipped 1 where wheel a went ahead by it, -1 where it fell behind; of a transition the
    number of the new mode; else 0."""
    lost: float = 0.0
    """Kinetic energy that impulses took, J; of several at once it is all in the first event."""

    def __str__(self) -> str:
        """What happened, in words: `t = 0.409091 s: `clutch` sticks`."""
        words = WORDS[self.kind]
        if self.kind is EventKind.TRANSITION:
            words = f"{words} {self.size:g}"
        lost = f", {self.lost:.4g} J are lost" if self.lost > 0 else ""
        return f"t = {self.t:.6g} s: `{self.element}` {words}{lost}"


WORDS = {
    EventKind.FORCE: "has a kink",
    EventKind.STICK: "sticks",
    EventKind.SLIDE: "slides",
    EventKind.IMPACT: "hits and rebounds",
    EventKind.REST: "hits and stays",
    EventKind.RELEASE: "lets go",
    EventKind.SKIPPED: "skips a tooth",
    EventKind.DEEP: "is pressed beyond the validity of its model",
    EventKind.LOCKED: "jams",
    EventKind.CLOSED: "closes",
    EventKind.OPENED: "opens",
    EventKind.TOUCHES: "touches",
    EventKind.PARTS: "parts",
    EventKind.TRANSITION: "changes to mode",
}
"""Of events, after the name of the element."""


@dataclass(frozen=True)
class Ending:
    """What a run left for another that goes on with its very steps."""

    start: float
    """When it began, s."""
    state: np.ndarray
    """With which it began."""
    carried: bytes
    method: str
    step: float | None
    formulation: str


def ending_of(run: RunOptions, state: np.ndarray, done: Integration) -> Ending:
    """Of a run that has begun at a state."""
    start = run.start if run.origin is None else run.origin
    return Ending(start, state, done.carried, run.method, run.step, done.report.formulation)


RECORDED = ("t", "state", "acceleration", "multipliers", "friction")
"""What a record holds, in this order."""


@dataclass(frozen=True)
class Integration:
    """What an integration leaves: states and efforts at the output times, events, the end, a report.

    With `RunOptions.states_only` accelerations, multipliers and friction forces have no columns.
    """

    t: np.ndarray
    state: np.ndarray
    acceleration: np.ndarray
    multipliers: np.ndarray
    friction: np.ndarray
    events: list[Event]
    final_state: np.ndarray
    report: RunReport
    carried: bytes = b""
    """What another run needs to go on from the end (`RunOptions.hand_over`)."""
    sides: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    """Of both sides of every event at which a mode changes or a speed jumps, in pairs: rows of time, state, efforts."""

    def at(self, chosen: Any, **more: Any) -> Integration:
        """The same with some of its records alone; more: other changes."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in RECORDED} | more)

    def each_time_once(self) -> tuple[np.ndarray, np.ndarray, list[np.ndarray] | None]:
        """Times, states, and efforts if there are any; of two records of one time, at a jump, the later."""
        keep: Any = np.append(np.diff(self.t) > 0, True)
        if keep.all():  # as nearly always: nothing is copied
            keep = slice(None)
        t, state, *efforts = (getattr(self, name)[keep] for name in RECORDED)
        return t, state, efforts if self.acceleration.shape[1] else None

    @classmethod
    def from_records(
        cls,
        tables: Tables,
        records: np.ndarray,
        events: np.ndarray,
        final: np.ndarray,
        report: RunReport,
        carried: bytes = b"",
        sides: np.ndarray | None = None,
    ) -> Integration:
        happened = [_event(tables.labels, row) for row in events]
        if happened:
            report = replace(report, teeth=about_teeth(happened), locks=about_locks(happened))
            if report.outcome is Outcome.TOO_MANY_EVENTS and happened[-1].kind is EventKind.TRANSITION:
                report = replace(report, worst_element=f"{STATE_MACHINE}`{happened[-1].element}`")
        edges = list(accumulate((1, tables.n, tables.nv, tables.rows)))
        t, state, acceleration, multipliers, friction = np.split(records, edges, axis=1)
        return cls(
            t[:, 0].copy(),  # every analysis looks through the times, which lie far apart in the records
            state,
            acceleration,
            multipliers,
            friction,
            happened,
            final,
            report,
            carried,
            records[:0] if sides is None else sides,
        )

    @classmethod
    def finished(cls, tables: Tables, done: Finished) -> Integration:
        """What the runtime has left."""
        report = report_of(done.report, tables)
        return cls.from_records(
            tables, done.records, done.events, done.state, report, done.carried, done.sides
        )


OF_FORCES = (
    EventKind.FORCE,
    EventKind.SKIPPED,
    EventKind.DEEP,
    EventKind.TOUCHES,
    EventKind.PARTS,
    EventKind.TRANSITION,
)


def _event(labels: Mapping[str, list[str]], row: np.ndarray) -> Event:
    kind, index = EventKind(int(row[1])), int(row[2])
    if kind in OF_FORCES:
        owners = labels["event_owners"]
    elif kind in (EventKind.STICK, EventKind.SLIDE, EventKind.LOCKED, EventKind.CLOSED, EventKind.OPENED):
        owners = labels["frictions"]
    else:
        owners = labels["contacts"]
    return Event(float(row[0]), kind, owners[index], float(row[3]), float(row[4]))


def later(sides: np.ndarray, t: float) -> np.ndarray:
    """Those of events after a time; their rows are in pairs."""
    return sides[np.repeat(sides[1::2, 0] > t, 2)]


Happened = dict[str, list[tuple[float, float]]]


def noted_in(events: Iterable[Event]) -> tuple[Happened, Happened]:
    """Teeth that skipped and energy that impulses took, as a :class:`~wheelwork.system.motion.Motion` has them."""
    skips, losses = {}, {}
    for event in events:
        if event.kind is EventKind.SKIPPED:
            skips.setdefault(event.element, []).append((event.t, event.size))
        if event.lost:
            losses.setdefault(event.element, []).append((event.t, event.lost))
    return skips, losses


def about_teeth(events: list[Event]) -> str:
    """Words on teeth that skipped, or were pressed too deep."""
    words = []
    for kind, what in ((EventKind.SKIPPED, ""), (EventKind.DEEP, "teeth pressed too deep")):
        of_kind = [event for event in events if event.kind is kind]
        for name in dict.fromkeys(event.element for event in of_kind):
            own = [event for event in of_kind if event.element == name]
            if kind is EventKind.SKIPPED:
                what = f"{len(own)} {'tooth' if len(own) == 1 else 'teeth'} skipped, first"
            elif any(event.element == name and event.kind is EventKind.SKIPPED for event in events):
                continue
            words.append(f"mesh `{name}`: {what} at t = {own[0].t:.6g} s")
    return "; ".join(words)


def about_locks(events: list[Event]) -> str:
    """Words on what friction stopped in an instant."""
    words = []
    own = [event for event in events if event.kind is EventKind.LOCKED]
    for name in dict.fromkeys(event.element for event in own):
        times = [event.t for event in own if event.element == name]
        often = f"{len(times)} times, first" if len(times) > 1 else "once,"
        words.append(f"friction `{name}` locked and stopped the sliding body {often} at t = {times[0]:.6g} s")
    return "; ".join(words)


def kernel_groups(program: Program, implicit: bool) -> list[list[ca.Function]]:
    """The functions of a program, one group for each element type."""
    groups: dict[str, list[ca.Function]] = {}
    for use in program.constraints:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = [kernel.full, kernel.residual, kernel.gamma]
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for use in program.forces:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = list(kernel.functions)
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for friction in program.frictions:
        if friction.load is not None:
            groups[friction.load.name()] = [friction.load]
    for follow in program.follows:
        groups[follow.kernel.follow.name()] = [follow.kernel.follow]
    for mesh in program.meshes:
        groups[mesh.kernel.separating.name()] = [mesh.kernel.separating]
    if program.formulas is not None:
        groups["formulas"] = [program.formulas]
    if program.measuring is not None:
        groups["measuring"] = [program.measuring]
    return list(groups.values())


def report_of(native: Any, tables: Tables) -> RunReport:
    """The runtime's report with names in it."""
    worst = native.worst_constraint
    label = tables.labels["constraints"][worst] if worst >= 0 else ""
    if native.bad_force >= 0:
        pushes = tables.arrays["force"]["acting"][native.bad_force]
        what = ("force" if pushes else "block") if native.outcome == Outcome.NOT_FINITE else "mesh"
        label = f"{what} `{tables.labels['forces'][native.bad_force]}`"
    known = {one.name for one in fields(RunReport)}
    same = {name: getattr(native, name) for name in record_fields("Report") if name in known}
    return RunReport(**{**same, "outcome": Outcome(native.outcome), "worst_element": label})


class Engine:
    """One program with its numbers in machine code, ready to be evaluated and integrated."""

    name = "native"

    def __init__(self, program: Program, numbers: Numbers, implicit: bool = False):
        """`implicit`: with derivatives for `sdirk4`."""
        self.program = program
        runtime = core(program.space.name)
        self.implicit = implicit
        self.code = program.once(  # which must live as long as its addresses are used
            ("code", implicit),
            lambda: kernels([f for group in kernel_groups(program, implicit) for f in group]),
        )
        tables = tables_of(program, implicit)
        self.system = NativeSystem(tables, runtime, self.code.addresses)
        self.derivative, self.repeat_derivative = self.system.derivative, self.system.repeat_derivative
        self.constraints, self.project = self.system.constraints, self.system.project
        self.set_numbers(numbers)
        self.system.alone.hand_over()

    def set_numbers(self, numbers: Numbers) -> None:
        """Other parameter values; nothing is derived or compiled again."""
        self.system.set_numbers(numbers.data, numbers.mass, numbers.inertia, numbers.gravity)
        self.numbers = numbers

    def follow(
        self, times: np.ndarray, y: np.ndarray, tolerance: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
        """A driven motion through given times, from a state on the constraints at the first of them.

        Records (as those of an integration, one for each time reached), soundness at each (goes to zero at singular
        positions), the last state reached, its time, and rounds of Newton's method.
        """
        limits = self.program.finest_tooth(self.numbers), self.program.outline_spans(self.numbers)
        return self.system.follow(times, y, tolerance, *limits)

    def integrate(
        self, y: np.ndarray, grid: np.ndarray, options: RunOptions, progress: Progress | None = None
    ) -> Integration:
        """Integrate from `options.start` to `options.end`, with output at the times in `grid`.

        `progress(t, steps)` is called now and then; true asks to stop.
        """
        return integrated(self.system, y, grid, options, progress)


def integrated(
    system: NativeSystem,
    y: np.ndarray,
    grid: np.ndarray,
    options: RunOptions,
    progress: Progress | None = None,
    reduced: ReducedSystem | None = None,
) -> Integration:
    """Integrate a system; `reduced`: the same in minimal coordinates, in which that is done: they are zero at `y`."""
    return Integration.finished(system.tables, (reduced or system).integrate(y, grid, options, progress))
