"""PID: proportional, integral and derivative parts of a signal, with a filtered derivative, limits and anti-windup.

    u = kp e + i + kd (e - d)/Tf,   y = u between low and high
    i' = ki e + (y - u)/Tt,         d' = (e - d)/Tf

Without limits this is kp + ki/s + kd s/(Tf s + 1). At a limit the integral follows the output (back-calculation, Astrom
and Hagglund, PID Controllers (1995), sec. 3.5) with the time constant Tt. The filter starts at d = `initial_error`:
from zero, an error e that is there at the start gives a derivative part of kd e/Tf, which dies away with Tf.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, without_effect
from wheelwork.description.values import AnyNumber, Time, VaryingAny
from wheelwork.elements.control.base import Block, clipped
from wheelwork.elements.control.integrator import ordered
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca

FAR = 1e30
"""A limit that is none."""


class Pid(Block):
    """A PID controller of an error signal, with limits of the output and anti-windup.

    Fields:
        input: the error: formula of `t`, signals and states
        proportional: gain of the error
        integral [per s]: gain of its integral
        derivative [s]: gain of its derivative
        filter_time [s]: time constant with which the derivative is filtered
        low: limit of the output from below
        high: limit of the output from above
        tracking_time [s]: time constant with which the integral follows an output that is at its limit
        initial: integral part at the start
        initial_error: filtered error at the start; where it is the error itself, the derivative part starts at zero
    """

    in_unit: ClassVar[tuple[str, ...]] = ("initial", "low", "high")
    type: Literal["pid"] = "pid"
    input: VaryingAny
    proportional: AnyNumber = 0.0
    integral: AnyNumber = 0.0
    derivative: AnyNumber = 0.0
    filter_time: Time = 1e-3
    low: AnyNumber | None = None
    high: AnyNumber | None = None
    tracking_time: Time | None = None
    initial: AnyNumber = 0.0
    initial_error: AnyNumber = 0.0
    positive = ("filter_time", "tracking_time")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from ordered(self, value)
        limited = self.low is not None or self.high is not None
        if limited and self.tracking_time is None and self.integral != 0:
            why = "is needed where the output is limited and there is an integral part"
            yield Issue("tracking_time", why, "take about the time in which the loop settles")
        if self.derivative == 0:
            yield from without_effect(
                self, "without a `derivative` part, whose filter starts there", "initial_error"
            )
        if not limited:
            yield from without_effect(
                self, "without `low` or `high`, which limit the output", "tracking_time"
            )

    def bind(self, context):
        limited = self.low is not None or self.high is not None
        numbers = (
            self.proportional,
            self.integral,
            self.derivative,
            self.filter_time,
            -FAR if self.low is None else self.low,
            FAR if self.high is None else self.high,
            1.0 if self.tracking_time is None else self.tracking_time,
        )
        data = [context.place.value(x) for x in numbers]
        return Binding([], data, [self.input], [], (self.unit, limited), [self.initial, self.initial_error])

    @staticmethod
    def parts(arguments):
        """The error, both parts with states, and the sum before limits."""
        e = arguments.inputs[0] if arguments.inputs else ca.SX(0)  # who needs the integral alone gives none
        i, d = arguments.states
        proportional, _, derivative, filter_time = (arguments.data[k] for k in range(4))
        damping = derivative * (e - d) / filter_time
        return e, i, damping, proportional * e + i + damping

    @staticmethod
    def outputs(arguments):
        e, i, damping, u = Pid.parts(arguments)
        unit, limited = arguments.options
        y = clipped(u, arguments.data[4], arguments.data[5]) if limited else u
        return {
            "": SignalExpression(y, unit, "output of the controller"),
            "error": SignalExpression(e, "1", "error"),
            "integral": SignalExpression(i, unit, "integral part"),
            "derivative": SignalExpression(damping, unit, "derivative part"),
        }

    @classmethod
    def behaviour(cls, arguments):
        e, _, _, u = Pid.parts(arguments)
        data, (_, d) = arguments.data, arguments.states
        rate, events = data[1] * e, []
        if arguments.options[1]:
            rate += (clipped(u, data[4], data[5]) - u) / data[6]
            events = [u - data[4], u - data[5]]
        return Effect([], rates=[rate, (e - d) / data[3]], events=events)

    def output_names(self):
        return ["", "error", "integral", "derivative"]

    def at_once(self, what):
        if what == "":
            return self.proportional != 0 or self.derivative != 0
        return what != "integral"
