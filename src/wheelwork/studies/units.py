"""The unit of what a formula of signals or measures says, where it is that of one of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wheelwork.description import Formula

KEPT = ("abs", "neg", "floor", "ceil")
ALIKE = ("add", "sub", "min", "max", "if_else")
ANGLES = ("asin", "acos", "atan", "atan2")
PURE = ("", "1")
"""Of a number in the text, which is in whatever unit stands beside it; and of what has none."""


def unit_of(formula: Formula, known: Callable[[str], str | None]) -> str:
    """In which unit a formula is; empty where that would be a new one. `known`: units of its names."""
    stack: list[str | None] = []
    for kind, what, count in formula.program:
        if kind == "apply":
            stack[-count:] = [_of_operation(what, stack[-count:])]
        else:
            stack.append((known(what) or None) if kind == "name" else "")
    return stack[0] or ""


def _of_operation(operation: str, taken: Sequence[str | None]) -> str | None:
    """None: not known."""
    if operation in KEPT or all(unit == "" for unit in taken):
        return taken[0]
    if operation in ALIKE:
        units = set(taken[1:] if operation == "if_else" else taken) - {""}
        return units.pop() if len(units) == 1 else None if units else ""
    others = [unit for unit in taken if unit not in PURE]
    if operation == "mul" and len(others) == 1:
        return others[0]
    if operation == "div" and others:
        return taken[0] if taken[1] in PURE else "1" if taken[0] == taken[1] is not None else None
    if others and operation in ("mul", "sqrt", "pow"):
        return None
    return "rad" if operation in ANGLES else "1"
