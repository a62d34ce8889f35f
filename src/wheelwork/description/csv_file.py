"""Columns of numbers in CSV files: headings with units, numbers with the lines they stand in."""

from __future__ import annotations

import csv
import math
import re
from contextlib import suppress
from typing import NamedTuple

from wheelwork.description.units import UnitError, parse_unit
from wheelwork.problems import ModelError, Problem, did_you_mean

SEPARATORS = ",;\t"
_HEADING = re.compile(r"\s*([^\[\]]+?)\s*(?:\[(.*)\])?\s*")


class Cell(NamedTuple):
    """What stands in a line, counted from 1."""

    line: int
    text: str


class Column(NamedTuple):
    """A column as it is written. `name` is the heading without its unit; without headings the column's number."""

    file: str
    name: str
    unit: str | None
    cells: list[Cell]

    def numbers(self, factor: float = 1.0) -> list[float]:
        """Its numbers times a factor; the first cell that is none is a `ModelError` with its line."""
        return [self._number(cell, factor) for cell in self.cells]

    def _number(self, cell: Cell, factor: float) -> float:
        try:
            number = factor * float(cell.text)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
        hint = "numbers have a decimal point" if re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell.text) else ""
        message = f"`{cell.text.strip()}` in the column `{self.name}` is not a finite number"
        raise ModelError(message, where=f"{self.file}:{cell.line}", hint=hint)


def read_columns(text: str, file: str) -> list[Column]:
    """The columns of a CSV text. Empty lines and lines that begin with `#` are passed over.

    What separates is a comma, a semicolon or a tab, whichever the first line has. A first line of numbers alone is
    already data, and the columns have numbers, from 1, for names.

    file: what messages call the text
    """
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip() and line[0] != "#"]
    if not lines:
        raise ModelError("has no columns: it is empty", where=file)
    separator = next((s for s in SEPARATORS if s in lines[0][1]), ",")
    try:
        rows = [(n, next(csv.reader([line], delimiter=separator, strict=True))) for n, line in lines]
    except csv.Error as error:
        raise ModelError(f"is not a CSV file: {error}", where=file) from None
    with_headings = not all(_is_number(cell) for cell in rows[0][1])
    body = rows[1:] if with_headings else rows
    if not body:
        raise ModelError("has no row of values below its headings", where=file)
    problems: list[Problem] = []
    columns: dict[str, Column] = {}
    for k, heading in enumerate(rows[0][1]):
        match = _HEADING.fullmatch(heading) if with_headings else None
        if with_headings and match is None:
            message = f"the heading `{heading}` is not a name, with or without `[unit]`"
            problems.append(Problem(message, where=f"{file}:{rows[0][0]}"))
            continue
        name, unit = (match[1], match[2]) if match else (str(k + 1), None)
        if name in columns:
            problems.append(Problem(f"there are two columns `{name}`", where=f"{file}:{rows[0][0]}"))
        columns[name] = Column(file, name, unit, [Cell(n, row[k] if k < len(row) else "") for n, row in body])
    if problems:
        raise ModelError(problems)
    return list(columns.values())


def chosen(columns: list[Column], name: str | int, file: str) -> Column:
    """The column of a name, or of a number counted from 1."""
    if isinstance(name, int):
        if 1 <= name <= len(columns):
            return columns[name - 1]
        raise ModelError(f"there is no column {name}: the file has {len(columns)}", where=file)
    found = next((column for column in columns if column.name == name), None)
    if found is not None:
        return found
    known = [column.name for column in columns]
    hint = did_you_mean(name, known) or f"the columns are {', '.join(f'`{k}`' for k in known[:12])}"
    raise ModelError(f"there is no column `{name}`", where=file, hint=hint)


def unit_of(column: Column, given: str | None) -> str | None:
    """The unit of a column: what is asked for or what its heading says, which must agree."""
    units = [unit for unit in (given, column.unit) if unit is not None]
    try:
        found = [parse_unit(unit) for unit in units]
    except UnitError as error:
        raise ModelError(f"column `{column.name}`: {error}", where=column.file) from None
    if len(found) == 2 and found[0] != found[1]:
        message = (
            f"the column `{column.name}` is in `{column.unit}` by its heading, but `{given}` is asked for"
        )
        raise ModelError(message, where=column.file, hint="give one of them, or make them equal")
    return units[0] if units else None


def _is_number(cell: str) -> bool:
    with suppress(ValueError):
        float(cell)
        return True
    return False
