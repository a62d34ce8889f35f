"""Saturation: y = u between low and high."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, VaryingAny
from wheelwork.elements.control.base import Block, clipped
from wheelwork.elements.control.integrator import ordered
from wheelwork.equations.forces import Binding, Effect, SignalExpression


class Saturation(Block):
    """A signal between two limits.

    Fields:
        input: number, formula of `t`, signals and states, or table
        low: limit from below
        high: limit from above
    """

    in_unit: ClassVar[tuple[str, ...]] = ("input", "low", "high")
    type: Literal["saturation"] = "saturation"
    input: VaryingAny
    low: AnyNumber
    high: AnyNumber

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from ordered(self, value)

    def bind(self, context):
        return Binding(
            [], [context.place.value(x) for x in (self.low, self.high)], [self.input], [], (self.unit,)
        )

    @staticmethod
    def outputs(arguments):
        y = clipped(arguments.inputs[0], arguments.data[0], arguments.data[1])
        return {"": SignalExpression(y, arguments.options[0], "input between the limits")}

    @classmethod
    def behaviour(cls, arguments):
        return Effect([], events=[arguments.inputs[0] - arguments.data[k] for k in range(2)])
