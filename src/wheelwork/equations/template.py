"""Expressions that many elements have in common, derived once and then put together in one call.

CasADi takes as long for a call from Python as for hundreds of operations inside: an expression written operation by
operation for each of a thousand wheels is what made them wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wheelwork.lazy import casadi as ca


class Template:
    """A function of expressions: `make` is called once, with symbols, for each set of shapes."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._made: dict[tuple[tuple[int, int], ...], Any] = {}

    def __call__(self, *parts: ca.SX) -> Sequence[ca.SX]:
        shapes = tuple(part.shape for part in parts)
        function = self._made.get(shapes)
        if function is None:
            symbols = [ca.SX.sym(f"x{k}", *shape) for k, shape in enumerate(shapes)]
            function = self._made[shapes] = ca.Function("template", symbols, self._make(*symbols))
        return function.call(parts)
