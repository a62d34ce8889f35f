"""State: a quantity with a rate, integrated together with the motion.

x' = rate, x(0) = initial. Without a rate it stays as it is: an input, which a run in pieces or a controller sets.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import AnyNumber, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression


class State(Block):
    """A quantity with a rate of its own, which formulas use by its name.

    Fields:
        initial: value at the start, SI
        rate [per s]: number, formula of `t`, signals and states, or table; without it the state stays as it is, an
            input that a run in pieces or a controller sets
    """

    collection: ClassVar[str] = "states"
    noun: ClassVar[str] = "state"
    in_unit: ClassVar[tuple[str, ...]] = ("initial",)
    per_second: ClassVar[tuple[str, ...]] = ("rate",)
    through_states = True
    type: Literal["state"] = "state"
    initial: AnyNumber = 0.0
    rate: VaryingAny | None = None

    def bind(self, context):
        inputs = [] if self.rate is None else [self.rate]
        return Binding([], [], inputs, [], (self.unit, self.rate is None), [self.initial])

    @staticmethod
    def outputs(arguments):
        return {"": SignalExpression(arguments.states[0], arguments.options[0], "state")}

    @classmethod
    def behaviour(cls, arguments):
        return Effect([], rates=None if arguments.options[1] else [arguments.inputs[0]])

    def held(self):
        return [""] if self.rate is None else []
