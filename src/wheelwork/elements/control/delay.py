"""Delay: y(t) = u(t - T), from samples of the input.

The input is sampled N times in the time T, and the output runs on straight lines between the samples: of a smooth input
it is right to (T/N)^2 u''/8.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block, clipped
from wheelwork.equations.forces import Binding, Effect, SignalExpression


class Delay(Block):
    """A signal as it was some time ago.

    Fields:
        input: number, formula of `t`, signals and states, or table
        time [s]: by which it is late
        samples: of the input in that time; steps of a run end at each
        initial: output until the first input comes through
    """

    in_unit: ClassVar[tuple[str, ...]] = ("input", "initial")
    through_states = True
    type: Literal["delay"] = "delay"
    input: VaryingAny
    time: Time
    samples: Annotated[int, Field(strict=True, ge=1, le=1000)] = 20
    initial: AnyNumber = 0.0
    positive = ("time",)

    def bind(self, context):
        place = context.place
        every = place.value(self.time) / self.samples
        start = [self.initial] * (self.samples + 1)
        return Binding([], [every], [self.input], [], (self.unit,), [*start, 0.0], (every, 0.0))

    @staticmethod
    def outputs(arguments):
        late, later, when = arguments.states[-3:]
        part = clipped((arguments.time - when) / arguments.data[0], 0.0, 1.0)
        return {"": SignalExpression(later + part * (late - later), arguments.options[0], "delayed signal")}

    @classmethod
    def behaviour(cls, arguments):
        *kept, _, _ = arguments.states
        return Effect([], updates=[arguments.inputs[0], *kept, arguments.time])
