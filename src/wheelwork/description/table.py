"""Values given at points of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, SupportsFloat

from pydantic import ConfigDict, PlainValidator, model_validator

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.csv_file import Column, chosen, read_columns, unit_of
from wheelwork.description.dimensions import TIME, in_words
from wheelwork.description.field_marks import fault
from wheelwork.description.source import read_text
from wheelwork.description.union import ByShape
from wheelwork.description.units import Quantity, UnitError, parse_quantity, parse_unit
from wheelwork.description.validation_errors import TRUTH, shown
from wheelwork.problems import ModelError


def _number(given: Any) -> float:
    """A number or a quantity; a table holds no formulas."""
    if isinstance(given, str):
        try:
            quantity = parse_quantity(given)
        except UnitError as error:
            raise fault(f"needs a number or a quantity; {error}") from None
        return quantity if any(quantity.exponents) else float(quantity)
    if isinstance(given, bool):
        raise fault(f"needs a number, but is {shown(given)}", TRUTH)
    if not isinstance(given, SupportsFloat):
        raise fault(f"needs a number, but is {shown(given)}")
    try:
        number = given if isinstance(given, Quantity) else float(given)
    except OverflowError:  # a whole number of more than 308 digits
        number = math.inf
    if not math.isfinite(number):
        raise fault(f"needs a finite number, but is {shown(given)}")
    return number


def _instant(given: Any) -> float:
    number = _number(given)
    if isinstance(number, Quantity) and number.exponents != TIME.exponents:
        raise fault(f"needs a time (such as `{TIME.example}`), but `{number.text}` is {number.words}")
    return number


_Heading = Annotated[str | int, ByShape()]


class Table(Part):
    """Values at points of time; before the first and after the last the end values hold.

    The points are given here, or are two columns of a CSV file. There a heading may have a unit, `torque [N*m]`; a
    column without one is in SI units. The file is looked for beside the file that names it.

    Fields:
        time [s]: strictly increasing, two or more
        value: one for each time, in the unit of the field the table stands in
        interpolation: `smooth` (cubic spline with continuous second derivative) or `linear`
        file: CSV file with the points, in place of `time` and `value`
        columns: headings of the columns of times and values in it, or their numbers from 1; the first two where left
            out
        units: of the two columns, where their headings do not tell
    """

    model_config = ConfigDict(
        json_schema_extra={"anyOf": [{"required": ["time", "value"]}, {"required": ["file"]}]}
    )

    time: tuple[Annotated[float, PlainValidator(_instant, json_schema_input_type=float | str)], ...] = ()
    value: tuple[Annotated[float, PlainValidator(_number, json_schema_input_type=float | str)], ...] = ()
    interpolation: Literal["smooth", "linear"] = "smooth"
    file: str | None = None
    columns: tuple[_Heading, _Heading] | None = None
    units: tuple[str | None, str | None] | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, given: Any) -> Any:
        """The points of a file, where there is one: relative names start in the working folder here."""
        if not isinstance(given, dict) or given.get("file") is None:
            return given
        try:
            return {**given, **points_in_file(given, str(given["file"]))}
        except ModelError as error:
            raise fault("; ".join(str(problem) for problem in error.problems)) from None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        for name in ("columns", "units"):
            if self.file is None and getattr(self, name) is not None:
                yield Issue(name, f"`{name}` belong to a `file`, and there is none")
        if len(self.time) < 2:
            text = f"needs two or more points of time, but has {len(self.time) or 'none'}"
            yield Issue("time", text, "" if self.time else "give `time` and `value`, or a `file`")
            return
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

    @property
    def dimension(self) -> Quantity | None:
        """One of the unit that its column of values is in."""
        return None if self.units is None or self.units[1] is None else parse_quantity(f"1 {self.units[1]}")


def points_in_file(given: dict[str, Any], file: str, text: str | None = None) -> dict[str, Any]:
    """`time`, `value` and `units` of a table whose points are in a file; what is wrong is a `ModelError`.

    given: its fields as they were written
    file: as it can be opened
    text: of the file, where it was read before
    """
    for name in ("time", "value"):
        if given.get(name):
            raise ModelError(f"has `{name}` and a `file`: give one or the other")
    columns = read_columns(read_text(Path(file)) if text is None else text, file)
    pair = given.get("columns")
    names = (1, 2) if pair is None else pair
    asked = given.get("units") or (None, None)
    for name, value, needed in (("columns", names, str | int), ("units", asked, str | None)):
        if (
            not isinstance(value, list | tuple)
            or len(value) != 2
            or not all(isinstance(x, needed) for x in value)
        ):
            raise ModelError(f"`{name}` needs two, of times and of values, but is {shown(value)}")
    times, values = (chosen(columns, name, file) for name in names)
    units = unit_of(times, asked[0]), unit_of(values, asked[1])
    factors = [1.0 if unit is None else parse_unit(unit)[0] for unit in units]
    if units[0] is not None and parse_unit(units[0])[1] != TIME.exponents:
        words = in_words(parse_unit(units[0])[1])
        raise ModelError(f"the column `{times.name}` needs a time, but `{units[0]}` is {words}", where=file)
    seconds = times.numbers(factors[0])
    _increasing(times, seconds)
    found = {"time": seconds, "value": values.numbers(factors[1])}
    return {**found, "units": units} if any(units) else found


def _increasing(column: Column, seconds: list[float]) -> None:
    for cell, before, now in zip(column.cells[1:], seconds, seconds[1:], strict=False):
        if not now > before:
            where = f"{column.file}:{cell.line}"
            raise ModelError(f"times must increase, but {now:g} s follows {before:g} s", where=where)
