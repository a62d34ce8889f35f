"""Values of a description as CasADi expressions in the model's parameters.

Parameters given as plain numbers become symbols, so that everything that depends on them (a joint's position, a
stiffness, an inertia from a shape) can be evaluated again for other values without deriving or compiling anew.
Parameters given as formulas become expressions in those symbols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

if TYPE_CHECKING:
    from wheelwork.model import Formula

Expression = Any
"""A CasADi SX expression or a plain float."""


class SymbolicOps:
    """The functions and operators of formulas, on CasADi expressions."""

    def __getattr__(self, name: str) -> Any:
        spelled = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "abs": "fabs"}
        spelled |= {"min": "fmin", "max": "fmax"}
        return getattr(ca, spelled.get(name, name))

    @staticmethod
    def add(a: Expression, b: Expression) -> Expression:
        return a + b

    @staticmethod
    def sub(a: Expression, b: Expression) -> Expression:
        return a - b

    @staticmethod
    def mul(a: Expression, b: Expression) -> Expression:
        return a * b

    @staticmethod
    def div(a: Expression, b: Expression) -> Expression:
        return a / b

    @staticmethod
    def pow(a: Expression, b: Expression) -> Expression:
        return ca.SX(a) ** b

    @staticmethod
    def neg(a: Expression) -> Expression:
        return -a

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


SYMBOLIC = SymbolicOps()


class ParameterSymbols:
    """The model's independent parameters as one column of symbols, and values in terms of them."""

    def __init__(self, parameters: Mapping[str, float | Formula]):
        self.names = [name for name, value in parameters.items() if isinstance(value, int | float)]
        self.defaults = np.array([float(parameters[name]) for name in self.names])  # type: ignore[arg-type]
        self.column = ca.SX.sym("p", len(self.names))
        self._given = parameters
        self._known: dict[str, Expression] = {name: self.column[k] for k, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> Expression:
        if name not in self._known:
            formula = self._given[name]
            self._known[name] = formula.evaluate(self.__getitem__, SYMBOLIC)  # type: ignore[union-attr]
        return self._known[name]

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def value(self, value: float | Formula) -> ca.SX:
        """One value of the description."""
        if isinstance(value, int | float):
            return ca.SX(float(value))
        return ca.SX(value.evaluate(self.__getitem__, SYMBOLIC))

    def vector(self, values: Sequence[float | Formula]) -> ca.SX:
        return ca.vertcat(*(self.value(value) for value in values))

    def matrix(self, rows: Sequence[Sequence[float | Formula]]) -> ca.SX:
        return ca.horzcat(*(self.vector(row) for row in rows)).T

    def number(self, expression: ca.SX) -> np.ndarray:
        """The expression at the default parameters."""
        expression = ca.SX(expression)
        if not expression.is_constant():
            expression = ca.substitute(expression, self.column, ca.DM(self.defaults))
        return np.array(ca.evalf(expression))
