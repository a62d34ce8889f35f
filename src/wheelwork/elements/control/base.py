"""What blocks share: what a block says of itself beside its law."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import AfterValidator

from wheelwork.description.base import Element
from wheelwork.description.units import UnitError, parse_unit
from wheelwork.equations.forces import Arguments, Binding, Effect, SignalExpression
from wheelwork.lazy import casadi as ca

if TYPE_CHECKING:
    from wheelwork.equations.context import Context


def _of_si(unit: str) -> str:
    """Values are in SI units, whatever they are called; units that are not known (V, A, K) are taken as they are."""
    try:
        factor, _ = parse_unit(unit)
    except UnitError:
        return unit
    if abs(factor - 1) > 1e-12:
        raise ValueError(f"needs an SI unit, in which its values are, but `{unit}` is {factor:.6g} of one")
    return unit


class Block(Element):
    """A signal that is computed from others; formulas use it by the block's name.

    Fields:
        unit: of the output, SI; for results alone
        comment: free text
    """

    collection: ClassVar[str] = "control"
    noun: ClassVar[str] = "block"
    unit: Annotated[str, AfterValidator(_of_si)] = "1"

    @abstractmethod
    def bind(self, context: Context) -> Binding:
        """Its numbers, inputs, and states of its own; `options` begin with the unit."""

    @staticmethod
    @abstractmethod
    def outputs(arguments: Arguments) -> dict[str, SignalExpression]:
        """Its signals by what stands behind its name; the output itself has an empty text."""

    @classmethod
    def behaviour(cls, arguments: Arguments) -> Effect:
        """Rates of its states, what they become at samples, kinks: all but the signals."""
        return Effect([])

    @classmethod
    def effect(cls, arguments: Arguments) -> Effect:
        found = cls.behaviour(arguments)
        found.signals.update(cls.outputs(arguments))
        return found

    def output_names(self) -> list[str]:
        """Of its signals."""
        return [""]

    def held(self) -> list[str]:
        """Of its states, in their order, by what stands behind its name: those that are set from outside."""
        return []

    def at_once(self, what: str) -> bool:
        """Whether a signal depends on the inputs at the same moment, and not only through states."""
        return True


def clipped(x: ca.SX, low: ca.SX | float, high: ca.SX | float) -> ca.SX:
    """x between two limits."""
    return ca.fmin(ca.fmax(x, low), high)
