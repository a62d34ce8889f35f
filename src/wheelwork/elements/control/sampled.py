"""Sampled: memory that changes at samples, by formulas; steps of a run end at each.

    m := update(m, signals)   at first, first + every, first + 2 every ...

All updates see the memory from before the sample; in between it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.problems import did_you_mean


class Sampled(Block):
    """A sampled controller by formulas with memory. Its output is the first entry of its memory; all are NAME.ENTRY.

    Fields:
        every [s]: from one sample to the next
        first [s]: time of a sample
        memory: names of its entries, with their values before the first sample
        update: for each entry, what it becomes at a sample: formula of `t`, signals, and its own memory (NAME.ENTRY)
    """

    in_unit: ClassVar[tuple[str, ...]] = ("memory",)
    through_states = True
    type: Literal["sampled"] = "sampled"
    every: Time
    first: Time = 0.0
    memory: dict[str, AnyNumber]
    update: dict[str, VaryingAny]
    positive = ("every",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if not self.memory:
            yield Issue("memory", "needs one entry at least: the output")
        for name in self.memory:
            if not name.isidentifier():
                yield Issue("memory", f"needs names of letters and digits, but has `{name}`")
            if name not in self.update:
                yield Issue("update", f"does not say what `{name}` becomes at a sample")
        for name in self.update:
            if name not in self.memory:
                yield Issue("update", f"there is no memory `{name}`", did_you_mean(name, list(self.memory)))

    def bind(self, context):
        names, memory = tuple(self.memory), list(self.memory.values())
        inputs = [self.update[name] for name in names]
        return Binding([], [], inputs, [], (self.unit, names), memory, (self.every, self.first))

    @staticmethod
    def outputs(arguments):
        unit, names = arguments.options
        found = {"": SignalExpression(arguments.states[0], unit, "output of the controller")}
        pairs = list(zip(names, arguments.states, strict=True))
        return found | {name: SignalExpression(x, unit, f"memory {name}") for name, x in pairs}

    @classmethod
    def behaviour(cls, arguments):
        return Effect([], updates=list(arguments.inputs))

    def output_names(self):
        return ["", *self.memory]
