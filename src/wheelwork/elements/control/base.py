"""What blocks share, and what others ask a block for besides its law."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import AfterValidator

from wheelwork.description.base import Element, Evaluate, Issue
from wheelwork.description.dimensions import Exponents, in_words, si_unit
from wheelwork.description.table import Table
from wheelwork.description.units import Quantity, UnitError, parse_unit
from wheelwork.equations.forces import Arguments, Binding, Effect, SignalExpression
from wheelwork.equations.values import known
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


def _inside(path: str, value: object) -> Iterator[tuple[str, Quantity]]:
    """Quantities in the value of a field, with their places."""
    if isinstance(value, Quantity):
        yield path, value
    elif isinstance(value, Table):
        yield from ((path, x) for x in (value.dimension, *value.value) if isinstance(x, Quantity))
    elif isinstance(value, dict):  # of a memory the first entry is the output
        yield from ((f"{path}.{name}", x) for name, x in [*value.items()][:1] if isinstance(x, Quantity))
    elif isinstance(value, tuple):
        for k, one in enumerate(value):
            yield from _inside(f"{path}.{k}", one)


def _per_time(exponents: Exponents, power: int) -> Exponents:
    metre, kilogram, second, radian = exponents
    return metre, kilogram, second - power, radian


def _misfit(quantity: Quantity, needed: Exponents) -> str:
    if quantity.exponents == needed:
        return ""
    return f"needs {in_words(needed)} (in {si_unit(needed)}), but `{quantity.text}` is {quantity.words}"


class Block(Element):
    """A signal that is computed from others; formulas use it by the block's name.

    Fields:
        unit: of the output, SI: results show it, and quantities in its fields must fit it
        comment: free text
    """

    collection: ClassVar[str] = "control"
    noun: ClassVar[str] = "block"
    # Whether another program computes it: a functional mock-up unit, which only `simulate` runs.
    is_fmu: ClassVar[bool] = False
    # Whether none of its signals depends on the inputs at the same moment.
    through_states: ClassVar[bool] = False
    in_unit: ClassVar[tuple[str, ...]] = ()
    """Fields whose quantities are of the output's dimension."""
    per_second: ClassVar[tuple[str, ...]] = ()
    """Fields whose quantities are of that dimension per time."""
    unit: Annotated[str, AfterValidator(_of_si)] = "1"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        found = [(path, x, 0) for path, x in self._quantities(self.in_unit)]
        found += [(path, x, 1) for path, x in self._quantities(self.per_second)]
        if not found:
            return
        _, first, power = found[0]
        needed = self.dimension or _per_time(first.exponents, -power)
        for path, quantity, power in found:
            if wrong := _misfit(quantity, _per_time(needed, power)):
                yield Issue(path, wrong)

    @property
    def dimension(self) -> Exponents | None:
        """Of the output, where its unit is given and known."""
        try:
            return parse_unit(self.unit)[1] if "unit" in self.model_fields_set else None
        except UnitError:
            return None

    def setting_fault(self, given: object) -> str:
        """Why a quantity is no value of the output; empty: it is one."""
        return _misfit(given, self.dimension) if isinstance(given, Quantity) and self.dimension else ""

    def _quantities(self, fields: tuple[str, ...]) -> Iterator[tuple[str, Quantity]]:
        for name in fields:
            yield from _inside(name, getattr(self, name))

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

    @property
    def asked_before_forces(self) -> bool:
        """Whether its inputs have to be known before the forces."""
        return False

    def at_once(self, what: str) -> bool:
        """Whether a signal depends on the inputs at the same moment, and not only through states."""
        return not self.through_states


def clipped(x: ca.SX, low: ca.SX | float, high: ca.SX | float) -> ca.SX:
    """x between two limits."""
    return known(ca.fmin(ca.fmax(x, low), high), x)
