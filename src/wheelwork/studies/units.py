"""The unit of what a formula of signals or measures says, where it is that of one of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wheelwork.description import Formula

KEPT = ("abs", "neg", "floor", "ceil")
ALIKE = ("add", "sub", "min", "max", "if_else")
ANGLES = ("asin", "acos", "atan", "atan2")
PURE = ("", "1")
"""Of a number in the text, which is in whatever unit stands beside it; and of what has none."""
SQUARE = " squared"
"""Of what may lie under a root yet: the size of a vector."""


def unit_of(formula: Formula, known: Callable[[str], str | None]) -> str:
    """In which unit a formula is; empty where that would be a new one. `known`: units of its names."""
    stack: list[str | None] = []
    before: object = None
    for kind, what, count in formula.program:
        if kind == "apply":
            by_two = what == "pow" and before == 2
            stack[-count:] = [
                _of_operation("mul", 2 * stack[-2:-1]) if by_two else _of_operation(what, stack[-count:])
            ]
        else:
            stack.append((known(what) or None) if kind == "name" else "")
        before = what
    return "" if (stack[0] or "").endswith(SQUARE) else stack[0] or ""


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
    if operation == "mul" and len(set(others)) == 1 and not (others[0] or SQUARE).endswith(SQUARE):
        return f"{others[0]}{SQUARE}"
    if operation == "sqrt" and (taken[0] or "").endswith(SQUARE):
        return taken[0].removesuffix(SQUARE)  # type: ignore[union-attr]
    if others and operation in ("mul", "sqrt", "pow"):
        return None
    return "rad" if operation in ANGLES else "1"
