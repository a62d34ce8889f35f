"""Integrator: y' = gain u, between limits.

At a limit the rate is zero while it would lead beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca


class Integrator(Block):
    """The integral of a signal over time, between limits where these are given.

    Fields:
        input: number, formula of `t`, signals and states, or table
        gain: of the input
        initial: value at the start
        low: limit from below
        high: limit from above
    """

    in_unit: ClassVar[tuple[str, ...]] = ("initial", "low", "high")
    through_states = True
    type: Literal["integrator"] = "integrator"
    input: VaryingAny
    gain: AnyNumber = 1.0
    initial: AnyNumber = 0.0
    low: AnyNumber | None = None
    high: AnyNumber | None = None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from ordered(self, value)
        low, high, initial = (None if x is None else value(x) for x in (self.low, self.high, self.initial))
        if initial is None:
            return
        if low is not None and initial < low:
            yield Issue("initial", f"must be at least `low`, {low:g}, but is {initial:g}")
        elif high is not None and initial > high:
            yield Issue("initial", f"must be at most `high`, {high:g}, but is {initial:g}")

    def bind(self, context):
        numbers = [context.place.value(x) for x in (self.gain, self.low, self.high) if x is not None]
        options = (self.unit, self.low is not None, self.high is not None)
        return Binding([], numbers, [self.input], [], options, [self.initial])

    @staticmethod
    def outputs(arguments):
        return {"": SignalExpression(arguments.states[0], arguments.options[0], "integral")}

    @classmethod
    def behaviour(cls, arguments):
        (y,), (_, low, high) = arguments.states, arguments.options
        rate = arguments.data[0] * arguments.inputs[0]
        events = []
        if low:
            rate = ca.if_else(y > arguments.data[1], rate, ca.fmax(rate, 0))
            events.append(y - arguments.data[1])
        if high:
            limit = arguments.data[1 + low]
            rate = ca.if_else(y < limit, rate, ca.fmin(rate, 0))
            events.append(y - limit)
        return Effect([], rates=[rate], events=events)


def ordered(block: Block, value: Evaluate) -> Iterator[Issue]:
    """An issue where `low` is not below `high`."""
    given = [getattr(block, name) for name in ("low", "high")]
    low, high = (None if x is None else value(x) for x in given)
    if low is not None and high is not None and low >= high:
        yield Issue("high", f"must be above `low`, {low:g}, but is {high:g}")
