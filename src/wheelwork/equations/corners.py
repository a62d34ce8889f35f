"""Times at which the functions of time of a mechanism jump or bend, so that no step of an integration goes over one.

Inside a formula these are the zeros of a function c(t) for each operation that is not smooth:

    a < b, a <= b, a > b, a >= b, min(a, b), max(a, b)     c = a - b
    step(a), sign(a), abs(a)                               c = a
    floor(a), ceil(a)                                      c = sin(pi a)

where c depends on nothing but time. A table of straight lines bends at all its times; a smooth one at its ends only, as
between them two derivatives are continuous.

The zeros are looked for between samples, as many as it takes until twice no more are found; a pulse shorter than one
part in 260 000 of the run may be missed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np

from .values import SYMBOLIC

FEWEST, MOST = 2**12, 2**18  # samples
HALVINGS = 60  # of a bracket: to the last digit


SWITCHES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("lt", "le", "gt", "ge", "min", "max"), lambda a, b: a - b),
    **dict.fromkeys(("step", "sign", "abs"), lambda a: a),
    **dict.fromkeys(("floor", "ceil"), lambda a: ca.sin(ca.pi * a)),
}
"""c of each operation that is not smooth"""


class _Tracing:
    """The arithmetic of expressions, which notes where it is not smooth."""

    def __init__(self) -> None:
        self.found: list[ca.SX] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operation, switch = getattr(SYMBOLIC, name), SWITCHES.get(name)
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


def corners(
    functions: ca.Function | None, parameters: np.ndarray, knots: np.ndarray, start: float, end: float
) -> tuple[float, ...]:
    """All corners from start to end, in order; `functions(t, parameters)` gives the c."""
    found = [np.asarray(knots, float)]
    if functions is not None:
        found.append(_zeros(lambda t: _values(functions, t, parameters), start, end))
    every = np.unique(np.concatenate(found))
    hair = 1e-14 * max(abs(start), abs(end))
    every = every[(every >= start - hair) & (every <= end + hair)]
    if len(every) > 1:  # the same corner by two operations is one
        every = every[np.append(True, np.diff(every) > hair)]
    return tuple(float(t) for t in every)


def _values(functions: ca.Function, t: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """c of each function (rows) at each time (columns)."""
    columns = np.repeat(np.asarray(parameters, float).reshape(-1, 1), len(t), axis=1)
    return np.array(functions(t.reshape(1, -1), columns))


def _zeros(c: Callable[[np.ndarray], np.ndarray], start: float, end: float) -> np.ndarray:
    samples, before = FEWEST, -1
    while True:
        t = np.linspace(start, end, samples + 1)
        values = c(t)
        signs = values > 0
        row, place = np.nonzero(signs[:, 1:] != signs[:, :-1])
        if samples >= MOST or len(place) == before == 0 or (len(place) == before and samples > FEWEST):
            break
        samples, before = 4 * samples, len(place)
    zero = 1e-14 * np.max(np.abs(values), axis=1, keepdims=True)
    at_ends = t[[0, -1]][np.any(np.abs(values[:, [0, -1]]) <= zero, axis=0)]
    if not len(place):
        return at_ends
    low, high, first = t[place], t[place + 1], signs[row, place]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = (c(middle)[row, np.arange(len(middle))] > 0) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.concatenate([at_ends, high])
