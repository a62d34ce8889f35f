"""Values of a description as CasADi expressions in the model's parameters.

Parameters become symbols, so that everything that depends on them (a joint's position, a stiffness, an inertia from a
shape) can be evaluated again for other values without deriving or compiling again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.lazy import casadi as ca

if TYPE_CHECKING:
    from wheelwork.description import Formula

Expression = Any
"""A CasADi SX expression or a plain float."""


class SymbolicOps:
    """The functions and operators of formulas, on CasADi expressions."""

    def __getattr__(self, name: str) -> Any:
        spelled = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "abs": "fabs"}
        spelled |= {"min": "fmin", "max": "fmax"}
        return getattr(ca, spelled.get(name, name))

    add, sub, mul = staticmethod(operator.add), staticmethod(operator.sub), staticmethod(operator.mul)
    div, neg = staticmethod(operator.truediv), staticmethod(operator.neg)

    @staticmethod
    def pow(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) ** b

    @staticmethod
    def lt(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) < b

    @staticmethod
    def le(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) <= b

    @staticmethod
    def gt(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) > b

    @staticmethod
    def ge(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) >= b

    @staticmethod
    def if_else(condition: Expression, a: Expression, b: Expression) -> Expression:
        return ca.if_else(ca.SX(condition), a, b)

    @staticmethod
    def step(a: Expression) -> Expression:
        return ca.if_else(ca.SX(a) > 0, 1.0, 0.0)


def known(found: Expression, *compared: Expression) -> Expression:
    """What a comparison of values has found; no number where one of these is none, which a comparison would swallow."""
    for x in map(expression, compared):
        if not (x.is_constant() or x.is_symbolic()):  # time, parameters and states are numbers
            one_or_other = ca.logic_or(x < 1, x > 0)  # as of every number
            found = found + ca.if_else(one_or_other, 0.0, x)
    return found


class KnownOps:
    """The same for what acts on a motion: what is found by comparing no number is none."""

    compared: ClassVar = {"lt": 2, "le": 2, "gt": 2, "ge": 2, "min": 2, "max": 2, "if_else": 1, "step": 1}
    """How many of its values, the first ones, an operation compares."""

    def __getattr__(self, name: str) -> Any:
        operation, count = getattr(SYMBOLIC, name), self.compared.get(name, 0)
        return (lambda *x: known(operation(*x), *x[:count])) if count else operation


SYMBOLIC = SymbolicOps()
KNOWN = KnownOps()


def expression(value: Any) -> ca.SX:
    """A value as an expression; one that is an expression already is not made anew, which takes CasADi 10 us."""
    return value if isinstance(value, ca.SX) else ca.SX(value)


class Template:
    """Expressions that many elements have in common, derived once and then put together in one call: `make` is called
    with symbols, once for each set of shapes.

    CasADi takes as long for a call from Python as for hundreds of operations inside: an expression written operation by
    operation for each of a thousand wheels is what made them wait.
    """

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


class ParameterSymbols:
    """The model's parameters as one column of symbols, and values in terms of them.

    Parameters that are formulas of others are symbols too: their numbers come with the rest when the model is evaluated
    (`Flat.resolve_parameters`), so each of them can be given another value.
    """

    def __init__(self, parameters: Mapping[str, float | Formula]):
        self.names = list(parameters)
        self.column = ca.SX.sym("p", len(self.names))
        self._index = {name: k for k, name in enumerate(self.names)}
        self._of_symbol = dict(zip((x.name() for x in ca.vertsplit(self.column)), self.names, strict=True))
        self.read: set[str] = set()
        """Parameters whose numbers, and not just their symbols, were looked at: equations that were derived hold for
        these numbers alone."""

    def note_read(self, expression: ca.SX) -> None:
        """The number of an expression is looked at."""
        self.read.update(self._of_symbol[symbol.name()] for symbol in ca.symvar(expression))

    def __getitem__(self, name: str) -> Expression:
        return self.column[self._index[name]]

    def find(self, name: str) -> Expression | None:
        index = self._index.get(name)
        return None if index is None else self.column[index]

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def value(self, value: float | Formula) -> ca.SX:
        """One value of the description."""
        if isinstance(value, int | float):
            return ca.SX(float(value))
        return expression(value.evaluate(self.__getitem__, SYMBOLIC))

    def vector(self, values: Sequence[float | Formula]) -> ca.SX:
        numbers = [float(value) for value in values if isinstance(value, float | int)]
        if len(numbers) == len(values):
            return ca.SX(numbers)
        return ca.vertcat(*(self.value(value) for value in values))
