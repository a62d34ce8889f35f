"""Values given at points of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Any, Literal, SupportsFloat

from pydantic import PlainValidator
from pydantic_core import PydanticCustomError

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.dimensions import TIME
from wheelwork.description.units import Quantity, UnitError, parse_quantity
from wheelwork.description.validation_errors import shown


def _fault(text: str) -> PydanticCustomError:
    return PydanticCustomError("fault", "{text}", {"text": text})


def _number(given: Any) -> float:
    """A number or a quantity; a table holds no formulas."""
    if isinstance(given, str):
        try:
            quantity = parse_quantity(given)
        except UnitError as error:
            raise _fault(f"needs a number or a quantity; {error}") from None
        return quantity if any(quantity.exponents) else float(quantity)
    if isinstance(given, bool) or not isinstance(given, SupportsFloat):
        raise _fault(f"needs a number, but is {shown(given)}")
    try:
        number = given if isinstance(given, Quantity) else float(given)
    except OverflowError:  # a whole number of more than 308 digits
        number = math.inf
    if not math.isfinite(number):
        raise _fault(f"needs a finite number, but is {shown(given)}")
    return number


def _instant(given: Any) -> float:
    number = _number(given)
    if isinstance(number, Quantity) and number.exponents != TIME.exponents:
        raise _fault(f"needs a time (such as `{TIME.example}`), but `{number.text}` is {number.words}")
    return number


class Table(Part):
    """Values at points of time; before the first and after the last the end values hold.

    Fields:
        time [s]: strictly increasing, two or more
        value: one for each time, in the unit of the field the table stands in
        interpolation: `smooth` (cubic spline with continuous second derivative) or `linear`
    """

    time: tuple[Annotated[float, PlainValidator(_instant, json_schema_input_type=float | str)], ...]
    value: tuple[Annotated[float, PlainValidator(_number, json_schema_input_type=float | str)], ...]
    interpolation: Literal["smooth", "linear"] = "smooth"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len(self.time) < 2:
            yield Issue("time", f"needs two or more points of time, but has {len(self.time)}")
        if len(self.time) != len(self.value):
            yield Issue(
                "value", f"needs one value for each of the {len(self.time)} times, but has {len(self.value)}"
            )
        for i in range(1, len(self.time)):
            if self.time[i] <= self.time[i - 1]:
                yield Issue(
                    f"time.{i}", f"times must increase, but {self.time[i]:g} follows {self.time[i - 1]:g}"
                )
                break
