"""Kernels of forces: wrenches, events, signals, and exact derivatives, as functions of records and numbers.

An input of a force (a torque that may vary) is one of three things, and the kernel is made accordingly:

  constant     a number in the force's data
  time         a function of time, computed once for the whole mechanism and passed in as value and derivatives
  state        a formula with signals of the mechanism, woven into the kernel together with the frames it looks at, and
               with the blocks of a control whose outputs it uses
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from wheelwork.equations.forces import Arguments, Effect, EventType
from wheelwork.equations.frames import BodyFrame
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .kernels import short_name
from .space import SPATIAL, Space


@dataclass(frozen=True)
class Symbols:
    """What a kernel's expressions are made of."""

    frames: list[BodyFrame]
    data: ca.SX
    inputs: ca.SX
    turns: ca.SX
    time: ca.SX


@dataclass(frozen=True)
class InputPlan:
    """How one input is made. `make` is for state-dependent inputs; `kinks` change their sign where these bend."""

    mode: str
    index: int = 0
    make: Callable[[Symbols], ca.SX] | None = None
    kinks: Callable[[Symbols], list[ca.SX]] | None = None

    def value(self, symbols: Symbols) -> ca.SX:
        if self.mode == "constant":
            return symbols.data[self.index]
        if self.mode == "time":
            return symbols.inputs[3 * self.index]
        assert self.make is not None
        return self.make(symbols)


class ForceKernel:
    """Functions of one type of force. All take (bodies..., data, inputs, turns, time).

    wrench    -> V numbers for each body that the force acts on
    event     -> event functions, if there are any
    rate      -> rates of its own states, if it has any
    update    -> its own states after a sample or a change of mode, where there are such
    signals   -> potential energy, then the signals in the order of `signal_names`
    jacobian  -> d wrench / d (small motion, twist) of all bodies it sees: (V n) x (2V n_seen)
    state_jacobian -> the same of the rates, and of both by the states

    V is the number of velocities of a body: 6 in space, 3 in the plane.
    """

    def __init__(
        self,
        key: str,
        equations: Any,
        bodies: int,
        data: int,
        time_inputs: int,
        turns: int,
        inputs: list[InputPlan],
        options: tuple[Any, ...],
        space: Space = SPATIAL,
        own_states: tuple[int, int] = (0, 0),
    ):
        """own_states: where they begin among `turns`, and how many they are"""
        self.key = space.key(key)
        self.space = space
        self.equations = equations
        self.bodies = bodies
        self._records = [ca.SX.sym(f"b{k}", space.record) for k in range(bodies)]
        self._data = ca.SX.sym("d", data)
        self._inputs = ca.SX.sym("u", 3 * time_inputs)
        self._turns = ca.SX.sym("z", turns)
        self._time = ca.SX.sym("t")
        self._plans = inputs
        self.options = options
        self._own_states = own_states

    @property
    def data_size(self) -> int:
        return self._data.numel()

    @property
    def _symbols(self) -> list[ca.SX]:
        return [*self._records, self._data, self._inputs, self._turns, self._time]

    def _effect(self, frames: list[BodyFrame]) -> Effect:
        symbols = Symbols(frames, self._data, self._inputs, self._turns, self._time)
        values = [plan.value(symbols) for plan in self._plans]
        first, count = self._own_states
        states = ca.vertsplit(self._turns[first : first + count]) if count else []
        arguments = Arguments(frames, self._data, values, self._turns, self._time, self.options, states)
        effect = self.equations.effect(arguments)
        moving = ca.vertcat(*self._records, self._turns)
        found = [c for plan in self._plans if plan.kinks is not None for c in plan.kinks(symbols)]
        kinks = [c for c in found if ca.depends_on(c, moving)]  # others are corners in time
        return replace(effect, events=[*effect.events, *kinks]) if kinks else effect

    @cached_property
    def effect(self) -> Effect:
        return self._effect([self.space.frame(record) for record in self._records])

    def _function(self, kind: str, outputs: list[ca.SX]) -> ca.Function:
        return ca.Function(short_name(kind, self.key), self._symbols, ca.cse(outputs))

    @property
    def has_formula(self) -> bool:
        """Whether a formula with signals is woven into it."""
        return any(plan.mode not in ("constant", "time") for plan in self._plans)

    @property
    def acting(self) -> int:
        """How many of the bodies it acts on (the first ones)."""
        return len(self.effect.wrenches)

    @property
    def event_types(self) -> list[EventType]:
        """Of the values of `event`, in their order."""
        teeth = [] if self.effect.teeth is None else [EventType.SKIP, EventType.DEEP]
        limits, friction = [], self.effect.friction
        if friction is not None:
            limits = [EventType.LIMIT] * 4 + ([] if friction.dogs is None else [EventType.KINK] * 3)
        changes = [EventType.CHANGE] * len(self.effect.changes)
        return [EventType.KINK] * len(self.effect.events) + limits + teeth + changes

    def event_mode(self, index: int) -> int:
        """2 where one of its values gets above zero as it begins to touch; 1: there are such; 0: there are none."""
        return 2 if index < self.effect.touches else int(self.effect.touches > 0)

    @property
    def states(self) -> int:
        """States of its own."""
        return self._own_states[1]

    @property
    def states_act(self) -> bool:
        """Whether its wrenches or friction depend on its own states."""
        first, count = self._own_states
        return self.acts_by(first, count)

    def acts_by(self, turn: int, count: int = 1) -> bool:
        """Whether its wrenches or friction depend on some of its turns, from this one on, at the same moment."""
        return any(self._turns_that_act[turn : turn + count])

    @cached_property
    def _turns_that_act(self) -> list[bool]:
        friction, acts = self.effect.friction, [self._column(self.effect)]
        if friction is not None:
            acts += [friction.slides_up, friction.slides_down, friction.starts_up, friction.starts_down]
            acts += [] if friction.dogs is None else vars(friction.dogs).values()
        found = set(ca.jacobian_sparsity(ca.vertcat(*acts), self._turns).get_triplet()[1])
        return [k in found for k in range(self._turns.numel())]

    @property
    def updates(self) -> bool:
        """Whether its states change at samples or changes of mode."""
        return self.effect.updates is not None

    @property
    def functions(self) -> Iterator[ca.Function]:
        """All that a run calls, but for derivatives."""
        yield self.wrench
        if self.events:
            yield self.event
        if self.states:
            yield self.rate
        if self.updates:
            yield self.update

    @property
    def events(self) -> int:
        return len(self.event_types)

    @property
    def signal_names(self) -> list[str]:
        return list(self.effect.signals)

    def _column(self, effect: Effect) -> ca.SX:
        return ca.vertcat(
            ca.SX(0, 1), *(self.space.columns(force, torque) for force, torque in effect.wrenches)
        )

    @cached_property
    def wrench(self) -> ca.Function:
        return self._function("wrench", [ca.densify(self._column(self.effect))])

    @cached_property
    def event(self) -> ca.Function:
        values, teeth, friction = list(self.effect.events), self.effect.teeth, self.effect.friction
        if friction is not None:
            values += [friction.slides_up, friction.slides_down, friction.starts_up, friction.starts_down]
            values += [] if friction.dogs is None else vars(friction.dogs).values()
        if teeth is not None:
            values += [teeth.ahead, 1 - teeth.depth]
        return self._function("event", [ca.densify(ca.vertcat(*values, *self.effect.changes))])

    @cached_property
    def rate(self) -> ca.Function:
        return self._function("rate", [ca.densify(self._rates(self.effect))])

    def _rates(self, effect: Effect) -> ca.SX:
        return ca.SX.zeros(self.states, 1) if effect.rates is None else ca.vertcat(*effect.rates)

    @cached_property
    def update(self) -> ca.Function:
        return self._function("update", [ca.densify(ca.vertcat(*(self.effect.updates or [])))])

    @cached_property
    def signals(self) -> ca.Function:
        values = [self.effect.potential, *(signal.value for signal in self.effect.signals.values())]
        return self._function("signals", [ca.densify(ca.vertcat(*values))])

    @cached_property
    def jacobian(self) -> ca.Function:
        return self._function("fjac", [self._by_motion(self._column)])

    @cached_property
    def state_jacobian(self) -> ca.Function:
        """d wrench/d z, d rate/d (small motion, twist), d rate/d z, z being all of `turns`."""
        by_state = [ca.jacobian(of(self.effect), self._turns) for of in (self._column, self._rates)]
        parts = [by_state[0], self._by_motion(self._rates), by_state[1]]
        return self._function("zjac", [ca.densify(part) for part in parts])

    def _by_motion(self, of: Callable[[Effect], ca.SX]) -> ca.SX:
        """Derivatives of a column by small motion and twist of all bodies it sees."""
        space, V = self.space, self.space.V
        nudge = ca.SX.sym("nudge", 2 * V, self.bodies)
        frames = [
            space.nudged(space.frame(record), nudge[:V, k], nudge[V:, k])
            for k, record in enumerate(self._records)
        ]
        derivative = ca.jacobian(of(self._effect(frames)), ca.vec(nudge))
        derivative = ca.substitute(derivative, ca.vec(nudge), ca.SX.zeros(nudge.numel(), 1))
        return ca.densify(derivative)
