"""Formula: a signal with a name, for other formulas and for results.

y = value
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import VaryingAny
from wheelwork.elements.control.base import Block
from wheelwork.equations.forces import Binding, SignalExpression


class FormulaBlock(Block):
    """A formula with a name: an error, a reference, a measured signal.

    Fields:
        value: number, formula of `t`, signals and states, or table
    """

    in_unit: ClassVar[tuple[str, ...]] = ("value",)
    type: Literal["formula"] = "formula"
    value: VaryingAny

    def bind(self, context):
        return Binding([], [], [self.value], [], (self.unit,))

    @staticmethod
    def outputs(arguments):
        return {"": SignalExpression(arguments.inputs[0], arguments.options[0], "value of the formula")}
