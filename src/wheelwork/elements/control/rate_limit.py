"""Rate limit: y' = (u - y)/T between -fall and rise.

The output follows the input with the time constant T, and no faster than the limits.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block, clipped
from wheelwork.equations.forces import Binding, Effect, SignalExpression


class RateLimit(Block):
    """A signal that follows another no faster than it may.

    Fields:
        input: number, formula of `t`, signals and states, or table
        rise [per s]: largest rate
        fall [per s]: largest rate downwards, a positive number; as `rise` where left out
        time_constant [s]: of what is left between input and output below these rates
        initial: value at the start
    """

    in_unit: ClassVar[tuple[str, ...]] = ("input", "initial")
    per_second: ClassVar[tuple[str, ...]] = ("rise", "fall")
    through_states = True
    type: Literal["rate_limit"] = "rate_limit"
    input: VaryingAny
    rise: AnyNumber
    fall: AnyNumber | None = None
    time_constant: Time = 1e-3
    initial: AnyNumber = 0.0
    positive = ("rise", "fall", "time_constant")

    def bind(self, context):
        numbers = (self.rise, self.rise if self.fall is None else self.fall, self.time_constant)
        data = [context.place.value(x) for x in numbers]
        return Binding([], data, [self.input], [], (self.unit,), [self.initial])

    @staticmethod
    def outputs(arguments):
        return {"": SignalExpression(arguments.states[0], arguments.options[0], "output")}

    @classmethod
    def behaviour(cls, arguments):
        rise, fall, time = (arguments.data[k] for k in range(3))
        wanted = (arguments.inputs[0] - arguments.states[0]) / time
        return Effect([], rates=[clipped(wanted, -fall, rise)], events=[wanted - rise, wanted + fall])
