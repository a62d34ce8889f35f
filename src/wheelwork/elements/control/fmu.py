"""FMU: a controller or load that another program has exported for co-simulation (FMI 2.0 or 3.0).

At a sample the unit steps from the last sample to this one with the inputs that it had, then takes the signals of this
moment and gives its outputs, which stay until the next sample (Gomes et al., ACM Computing Surveys 51 (2018) 49: Jacobi
coupling): an error of the order of `every`. Steps of the run end at each sample. A force takes an output by its name,
NAME.OUTPUT. The unit's binary is run only where the user says that it is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression


class FmuBlock(Block):
    """A functional mock-up unit of another program, run at samples by FMPy (`pip install wheelwork[fmu]`). Its output
    is the first of its outputs; all are NAME.OUTPUT, and what it is given is NAME.INPUT.

    Fields:
        file: the FMU; relative names start in the folder of the model file
        every [s]: from one sample to the next
        first [s]: time of a sample
        inputs: for each input of the unit, its value: formula of `t`, signals and states, or table
        gives: names of outputs of the unit, with their values before the first sample
        start: values of parameters of the unit, in its units
    """

    type: Literal["fmu"] = "fmu"
    file: str
    every: Time
    first: Time = 0.0
    inputs: dict[str, VaryingAny] = Field(default_factory=dict)
    gives: dict[str, AnyNumber]
    start: dict[str, AnyNumber] = Field(default_factory=dict)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        every = value(self.every)
        if every is not None and every <= 0:
            yield Issue("every", f"must be greater than zero, but is {every:g} s")
        if not self.gives:
            yield Issue("gives", "needs one output of the unit at least")
        for name in self.inputs.keys() & self.gives.keys():
            yield Issue("inputs", f"`{name}` is an output too")

    def bind(self, context):
        names = tuple(self.gives), tuple(self.inputs)
        return Binding([], [], list(self.inputs.values()), [], (self.unit, *names), list(self.gives.values()))

    @staticmethod
    def outputs(arguments):
        unit, outputs, inputs = arguments.options
        found = {"": SignalExpression(arguments.states[0], unit, "output of the unit")}
        for name, value in zip(outputs, arguments.states, strict=True):
            found[name] = SignalExpression(value, unit, f"output {name} of the unit")
        for name, value in zip(inputs, arguments.inputs, strict=False):
            found[name] = SignalExpression(value, "1", f"input {name} of the unit, in SI units")
        return found

    @classmethod
    def behaviour(cls, arguments):
        return Effect([])

    def output_names(self):
        return ["", *self.gives, *self.inputs]

    def at_once(self, what):
        return what in self.inputs

    def held(self):
        return list(self.gives)
