"""FMU: a controller or load that another program has exported (FMI 2.0 or 3.0), sampled or continuous.

**Sampled**, with `every`, by co-simulation: at a sample the unit steps from the last sample to this one with the inputs
that it had, then takes the signals of this moment and gives its outputs, which stay until the next sample (Gomes et
al., ACM Computing Surveys 51 (2018) 49: Jacobi coupling): an error of the order of `every`. Steps of the run end at
each sample.

**Continuous**, without `every`, by model exchange: the unit's states x are states of the run, and wherever forces are
evaluated it is asked for x' and its outputs at these states and the inputs of this very moment. One integration, with
one error control, so there is no error of coupling. Where inputs depend on its outputs at the same moment, or units on
each other, they are asked again until nothing changes.

A force takes an output by its name, NAME.OUTPUT. The unit's binary is run only where the user says that it is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca


class FmuBlock(Block):
    """A functional mock-up unit of another program, run by FMPy (`pip install wheelwork[fmu]`). Its output is the first
    of its outputs; all are NAME.OUTPUT, what it is given is NAME.INPUT, and its states are NAME.STATE.

    Fields:
        file: the FMU; relative names start in the folder of the model file
        every [s]: from one sample to the next, for co-simulation; left out: continuous, for model exchange
        first [s]: time of a sample
        inputs: for each input of the unit, its value: formula of `t`, signals and states, or table
        gives: names of outputs of the unit, with their values before the first sample
        states: names of the unit's states where it is continuous, all of them, with their values at the start
        start: values of parameters of the unit, in its units
    """

    type: Literal["fmu"] = "fmu"
    file: str
    every: Time | None = None
    first: Time = 0.0
    inputs: dict[str, VaryingAny] = Field(default_factory=dict)
    gives: dict[str, AnyNumber]
    states: dict[str, AnyNumber] = Field(default_factory=dict)
    start: dict[str, AnyNumber] = Field(default_factory=dict)
    is_fmu = True
    positive = ("every",)

    @property
    def continuous(self) -> bool:
        return self.every is None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.states and not self.continuous:
            yield Issue(
                "states", "belong to a continuous unit, but `every` makes it a sampled one", "leave out one"
            )
        if not self.gives:
            yield Issue("gives", "needs one output of the unit at least")
        for name in self.inputs.keys() & self.gives.keys():
            yield Issue("inputs", f"`{name}` is an output too")

    def bind(self, context):
        names = tuple(self.gives), tuple(self.inputs), tuple(self.states)
        held = [*self.states.values(), *self.gives.values()]
        held += [0.0] * len(self.inputs) if self.continuous else []
        options = (self.unit, *names, self.continuous)
        return Binding([], [], list(self.inputs.values()), [], options, held)

    @staticmethod
    def outputs(arguments):
        unit, outputs, inputs, states, _ = arguments.options
        own, given = arguments.states[: len(states)], arguments.states[len(states) :]
        found = {"": SignalExpression(given[0], unit, "output of the unit")}
        for name, value in zip(states, own, strict=True):
            found[name] = SignalExpression(value, "1", f"state {name} of the unit, in SI units")
        for name, value in zip(outputs, given, strict=False):
            found[name] = SignalExpression(value, unit, f"output {name} of the unit")
        for name, value in zip(inputs, arguments.inputs, strict=False):
            found[name] = SignalExpression(value, "1", f"input {name} of the unit, in SI units")
        return found

    @classmethod
    def behaviour(cls, arguments):
        """Of a continuous unit: its inputs stand in the place of their rates, where ``core/forces.hpp`` takes them."""
        _, outputs, inputs, states, continuous = arguments.options
        none = [ca.SX(0)] * (len(states) + len(outputs))
        return Effect([], rates=[*none, *arguments.inputs[: len(inputs)]] if continuous else None)

    def output_names(self):
        return list(dict.fromkeys(["", *self.gives, *self.inputs, *self.states]))

    @property
    def asked_before_forces(self):
        return self.continuous

    def at_once(self, what):
        return what in self.inputs

    def held(self):
        return [] if self.continuous else list(self.gives)
