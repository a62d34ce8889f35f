"""Texts of measures: calls such as `greatest(mesh1.force)` are taken out of them, and become names in a formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from wheelwork.description import NUMERIC, Formula
from wheelwork.description.formula_parser import FormulaError
from wheelwork.description.units import UnitError, parse_quantity
from wheelwork.problems import did_you_mean


def with_calls_named(
    text: str, calls: Collection[str], name: Callable[[str, list[str]], str]
) -> tuple[Formula, list[str]]:
    """The formula in which for each call stands what `name` gives for it (a name, or a formula of names), and these.

    Raises ValueError.
    """
    if not isinstance(text, str):
        raise ValueError(f"`{text}` is not a text such as `greatest(mesh1.force.transverse)`")
    rest, names, at = "", [], 0
    while at < len(text):
        call = next((one for one in calls if _begins(text, one, at)), None)
        if call is None:
            rest, at = rest + text[at], at + 1
            continue
        opened = text.index("(", at)
        closed = _closing(text, opened)
        names.append(name(call, _split(text[opened + 1 : closed])))
        rest, at = rest + names[-1], closed + 1
    try:
        formula = Formula(rest)
    except FormulaError as error:
        unknown = re.search(r"there is no function `(\w+)`", str(error))
        if unknown is None:
            raise ValueError(f"`{text}`: {error}") from None
        near = did_you_mean(unknown[1], calls) or f"the measures are {', '.join(calls)}"
        said = f"there is no measure or function `{unknown[1]}`; {near}"
        raise ValueError(f"`{text}`: {said}") from None
    outside = sorted(formula.names().difference(*(Formula(one).names() for one in names)))
    if outside or not names:
        what = f"`{outside[0]}` stands outside of a measure" if outside else "no measure stands in it"
        raise ValueError(f"`{text}`: {what}; the measures are {', '.join(calls)}")
    return formula, names


def number_in(text: str) -> float:
    """A number among the arguments, with or without a unit. Raises ValueError."""
    try:
        return float(parse_quantity(text))
    except UnitError:
        formula = Formula(text)
        if formula.names():
            raise ValueError(f"`{text}` has to be a number here, with or without a unit") from None
        return formula.evaluate({}.__getitem__, NUMERIC)


def whole_in(text: str, least: int = 1) -> int:
    """A whole number among the arguments. Raises ValueError."""
    value = number_in(text)
    if value != int(value) or value < least:
        raise ValueError(f"`{text}` has to be a whole number of at least {least} here")
    return int(value)


def _begins(text: str, name: str, at: int) -> bool:
    if not text.startswith(name, at):
        return False
    before = text[at - 1] if at else " "
    return not (before.isalnum() or before in "_.`") and text[at + len(name) :].lstrip().startswith("(")


def _closing(text: str, opened: int) -> int:
    depth = 0
    for k in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if depth == 0:
            return k
    raise ValueError(f"`{text}`: a parenthesis is not closed")


def _split(inside: str) -> list[str]:
    parts, depth = [""], 0
    for c in inside:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]
