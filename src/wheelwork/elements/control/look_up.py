"""Look-up tables in one and two dimensions: straight lines between points, end values beyond them.

y = sum N_i(u) y_i,    y = sum N_i(u) M_j(v) z_ij,   N_i and M_j the hats over the points
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import AnyNumber, VaryingAny
from wheelwork.elements.control.base import Block, clipped
from wheelwork.equations.forces import Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca


def hats(u: ca.SX, x: list[ca.SX]) -> list[ca.SX]:
    """1 at its own point, 0 at all others, straight in between."""
    up = [clipped((u - a) / (b - a), 0.0, 1.0) for a, b in pairwise(x)]
    return [a - b for a, b in pairwise([ca.SX(1), *up, ca.SX(0)])]


def rising(block: Block, name: str, value: Evaluate) -> Iterator[Issue]:
    """An issue where points are too few, or not in order."""
    numbers = [value(x) for x in getattr(block, name)]
    if len(numbers) < 2:
        yield Issue(name, f"needs two points at least, but has {len(numbers)}")
    for k, (a, b) in enumerate(pairwise(numbers)):
        if a is not None and b is not None and b <= a:
            yield Issue(f"{name}.{k + 1}", f"must be above the point before it, {a:g}, but is {b:g}")


class LookUp(Block):
    """A table over one signal.

    Fields:
        input: number, formula of `t`, signals and states, or table over time
        points: of the input, in rising order
        values: of the output at these
    """

    in_unit: ClassVar[tuple[str, ...]] = ("values",)
    type: Literal["look_up"] = "look_up"
    input: VaryingAny
    points: tuple[AnyNumber, ...]
    values: tuple[AnyNumber, ...]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from rising(self, "points", value)
        if len(self.values) != len(self.points):
            yield Issue(
                "values", f"needs one for each of the {len(self.points)} points, but has {len(self.values)}"
            )

    def bind(self, context):
        data = [context.place.value(x) for x in (*self.points, *self.values)]
        return Binding([], data, [self.input], [], (self.unit, len(self.points)))

    @staticmethod
    def outputs(arguments):
        unit, n = arguments.options
        data = [arguments.data[k] for k in range(2 * n)]
        y = sum(
            (hat * y for hat, y in zip(hats(arguments.inputs[0], data[:n]), data[n:], strict=True)), ca.SX(0)
        )
        return {"": SignalExpression(y, unit, "value of the table")}

    @classmethod
    def behaviour(cls, arguments):
        return Effect(
            [], events=[arguments.inputs[0] - arguments.data[k] for k in range(arguments.options[1])]
        )


class LookUp2(Block):
    """A table over two signals: straight lines along each.

    Fields:
        input: first signal: number, formula of `t`, signals and states, or table over time
        second: the other signal
        points: of the first signal, in rising order
        second_points: of the other
        values: a row for each point of the first signal, with a number for each of the other
    """

    in_unit: ClassVar[tuple[str, ...]] = ("values",)
    type: Literal["look_up_2"] = "look_up_2"
    input: VaryingAny
    second: VaryingAny
    points: tuple[AnyNumber, ...]
    second_points: tuple[AnyNumber, ...]
    values: tuple[tuple[AnyNumber, ...], ...]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from rising(self, "points", value)
        yield from rising(self, "second_points", value)
        if len(self.values) != len(self.points):
            yield Issue(
                "values", f"needs a row for each of the {len(self.points)} points, but has {len(self.values)}"
            )
        for k, row in enumerate(self.values):
            if len(row) != len(self.second_points):
                yield Issue(f"values.{k}", f"needs {len(self.second_points)} numbers, but has {len(row)}")

    def bind(self, context):
        numbers = [*self.points, *self.second_points, *(x for row in self.values for x in row)]
        options = (self.unit, len(self.points), len(self.second_points))
        return Binding([], [context.place.value(x) for x in numbers], [self.input, self.second], [], options)

    @staticmethod
    def outputs(arguments):
        unit, n, m = arguments.options
        data = [arguments.data[k] for k in range(n + m + n * m)]
        N, M = hats(arguments.inputs[0], data[:n]), hats(arguments.inputs[1], data[n : n + m])
        values = data[n + m :]
        y = sum(
            (N[i] * sum((M[j] * values[i * m + j] for j in range(m)), ca.SX(0)) for i in range(n)), ca.SX(0)
        )
        return {"": SignalExpression(y, unit, "value of the table")}

    @classmethod
    def behaviour(cls, arguments):
        _, n, m = arguments.options
        return Effect([], events=[arguments.inputs[k >= n] - arguments.data[k] for k in range(n + m)])
