"""Transfer function: y = (b0 s^m + ... + bm)/(a0 s^n + ... + an) u, from rest, in controllable canonical form.

x1' = x2, ..., xn' = (u - an x1 - ... - a1 xn)/a0,   y = sum over b of its power of s applied to x1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca


class TransferFunction(Block):
    """A linear filter, given by the polynomials of its transfer function.

    Fields:
        input: number, formula of `t`, signals and states, or table
        numerator: coefficients, that of the highest power of s first
        denominator: coefficients, that of the highest power of s first; as many as in the numerator or more
    """

    type: Literal["transfer_function"] = "transfer_function"
    input: VaryingAny
    numerator: tuple[AnyNumber, ...]
    denominator: tuple[AnyNumber, ...]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not self.numerator:
            yield Issue("numerator", "needs one coefficient at least")
        if len(self.denominator) < 2:
            yield Issue("denominator", "needs two coefficients at least", "for a pure gain use a `formula`")
        elif value(self.denominator[0]) == 0:
            yield Issue("denominator.0", "must not be zero: it is that of the highest power")
        if len(self.numerator) > len(self.denominator):
            yield Issue(
                "numerator",
                f"is of degree {len(self.numerator) - 1}, which is above that of the denominator, "
                f"{len(self.denominator) - 1}: it would differentiate",
                "give the denominator a fast pole",
            )

    def bind(self, context):
        b, a = ([context.place.value(x) for x in given] for given in (self.numerator, self.denominator))
        return Binding([], [*b, *a], [self.input], [], (self.unit, len(b), len(a)), [0.0] * (len(a) - 1))

    @staticmethod
    def chain(arguments):
        """x1 and its derivatives up to the highest; the last needs the input."""
        _, m, n = arguments.options
        a, x = arguments.data[m : m + n], arguments.states
        if not arguments.inputs:
            return [*x, ca.SX(0)]
        last = arguments.inputs[0] - sum((a[n - 1 - k] * x[k] for k in range(n - 1)), ca.SX(0))
        return [*x, last / a[0]]

    @staticmethod
    def outputs(arguments):
        unit, m, _ = arguments.options
        chain = TransferFunction.chain(arguments)
        y = sum((arguments.data[m - 1 - k] * chain[k] for k in range(m)), ca.SX(0))
        return {"": SignalExpression(y, unit, "output of the filter")}

    @classmethod
    def behaviour(cls, arguments):
        return Effect([], rates=TransferFunction.chain(arguments)[1:])

    def at_once(self, what):
        return len(self.numerator) == len(self.denominator)
