"""Parameters: numbers with a name, and formulas of other parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from wheelwork.description.base import Value
from wheelwork.description.field_marks import FieldMark, fault
from wheelwork.description.formula import Formula
from wheelwork.description.units import Quantity, UnitError, looks_like_quantity, parse_quantity
from wheelwork.description.validation_errors import TRUTH, shown
from wheelwork.description.values import finite


class _ParameterReader(FieldMark):
    """A parameter keeps the dimension it is given with, whatever that is."""

    @staticmethod
    def read(given: Any) -> Value:
        if isinstance(given, Quantity):
            return given
        if isinstance(given, Formula):
            given = given.text
        if isinstance(given, str):
            if looks_like_quantity(given):
                try:
                    quantity = parse_quantity(given)
                except UnitError as error:
                    raise fault(f"in `{given}` {error}") from None
                return quantity if any(quantity.exponents) or "%" in given else finite(float(quantity))
            try:
                formula = Formula(given)
            except ValueError as error:
                raise fault(f"needs a number, a quantity or a formula; {error}") from None
            if "t" in formula.names():
                raise fault(f"must stay the same during a run, but `{formula}` uses the time `t`")
            return formula
        if isinstance(given, bool):
            raise fault(f"needs a number, but is {shown(given)}", hint=TRUTH)
        if not hasattr(given, "__float__") or getattr(given, "shape", ()) != ():
            raise fault(f"needs a number, a quantity such as `50 um` or a formula, but is {shown(given)}")
        return finite(given)

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}],
            "description": "a number in SI units, a quantity such as `50 um`, or a formula of other parameters",
        }


read_parameter = _ParameterReader.read
ParameterValue = Annotated[Value, _ParameterReader()]
