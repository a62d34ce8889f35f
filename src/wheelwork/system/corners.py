"""Times at which the functions of time of a mechanism jump or bend, so that no step of an integration goes over one.

Inside a formula these are the zeros of a function c(t) for each operation that is not smooth:

    a < b, a <= b, a > b, a >= b, min(a, b), max(a, b)     c = a - b
    step(a), sign(a), abs(a)                               c = a
    floor(a), ceil(a)                                      c = sin(pi a)

where c depends on nothing but time. A table of straight lines bends at all its times; a smooth one at its ends only, as
between them two derivatives are continuous.

The zeros are found by :mod:`.corner_times`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wheelwork.equations.values import SYMBOLIC
from wheelwork.lazy import casadi as ca

SWITCHES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("lt", "le", "gt", "ge", "min", "max"), lambda a, b: a - b),
    **dict.fromkeys(("step", "sign", "abs"), lambda a: a),
    **dict.fromkeys(("floor", "ceil"), lambda a: ca.sin(ca.pi * a)),
}
"""c of each operation that is not smooth"""


BENDS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("min", "max"), lambda a, b: (a - b) / (1 + abs(a) + abs(b))),
    "abs": lambda a: a,
}
"""The same of those that bend but do not jump, so that round-off is the same small number whatever the unit"""


class _Tracing:
    """The arithmetic of expressions, which notes where it is not smooth."""

    def __init__(self, noted: dict[str, Callable[..., Any]] = SWITCHES) -> None:
        self.noted = noted
        self.found: list[ca.SX] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operation, switch = getattr(SYMBOLIC, name), self.noted.get(name)
        if switch is None:
            return operation

        def noting(*arguments: Any) -> Any:
            self.found.append(ca.SX(switch(*arguments)))
            return operation(*arguments)

        return noting


def switches(formula: Any, time: ca.SX, look_up: Callable[[str], Any]) -> list[ca.SX]:
    """The functions c of a formula that depend on time and parameters only; `look_up` has None for other names."""
    unknown = ca.SX.sym("unknown")
    tracing = _Tracing()

    def read(name: str) -> Any:
        if name == "t":
            return time
        value = look_up(name)
        return unknown if value is None else value

    formula.evaluate(read, tracing)
    return [c for c in tracing.found if ca.depends_on(c, time) and not ca.depends_on(c, unknown)]


def bends(formula: Any, look_up: Callable[[str], Any]) -> list[ca.SX]:
    """What changes its sign where a formula bends, for a step to end there.

    Where a formula jumps none does: what switches back and forth, such as `-sign(w)` at rest, would end all steps.
    """
    tracing = _Tracing(BENDS)
    formula.evaluate(look_up, tracing)
    return tracing.found
