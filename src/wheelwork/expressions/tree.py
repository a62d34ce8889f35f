"""Expressions as they are written: a tree that printers walk and that can be evaluated.

Nodes are plain data. How an expression gets its shape (what is factored out, in which order a sum is written) is the
matter of :mod:`.arrange`; a printer only spells what it finds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .symbols import Symbol


@dataclass(frozen=True)
class Constant:
    value: float


@dataclass(frozen=True)
class Sum:
    terms: tuple[Tree, ...]


@dataclass(frozen=True)
class Product:
    """A coefficient and factors; a power with negative exponent belongs below the fraction line."""

    coefficient: float
    factors: tuple[Tree, ...]


@dataclass(frozen=True)
class Power:
    base: Tree
    exponent: Fraction


@dataclass(frozen=True)
class Call:
    """A function by its name here: `sin`, `atan2`, `lt`, ..."""

    function: str
    arguments: tuple[Tree, ...]


Tree = Symbol | Constant | Sum | Product | Power | Call

ZERO, ONE = Constant(0.0), Constant(1.0)


def _sign(x: float) -> float:
    return math.copysign(1.0, x) if x else 0.0


FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": math.fabs,
    "acos": math.acos,
    "acosh": math.acosh,
    "and": lambda a, b: float(bool(a) and bool(b)),
    "asin": math.asin,
    "asinh": math.asinh,
    "atan": math.atan,
    "atan2": math.atan2,
    "atanh": math.atanh,
    "ceil": math.ceil,
    "copysign": math.copysign,
    "cos": math.cos,
    "cosh": math.cosh,
    "eq": lambda a, b: float(a == b),
    "erf": math.erf,
    "exp": math.exp,
    "expm1": math.expm1,
    "floor": math.floor,
    "fmod": math.fmod,
    "hypot": math.hypot,
    "if": lambda condition, x: x if condition else 0.0,
    "le": lambda a, b: float(a <= b),
    "log": math.log,
    "log1p": math.log1p,
    "lt": lambda a, b: float(a < b),
    "max": max,
    "min": min,
    "ne": lambda a, b: float(a != b),
    "not": lambda a: float(not a),
    "or": lambda a, b: float(bool(a) or bool(b)),
    "pow": math.pow,
    "round": lambda x: math.floor(x + 0.5),
    "sign": _sign,
    "sin": math.sin,
    "sinh": math.sinh,
    "tan": math.tan,
    "tanh": math.tanh,
}
"""Functions of written equations and what they compute."""


def evaluate(tree: Tree, values: Mapping[Symbol, float]) -> float:
    """The number behind an expression."""
    match tree:
        case Constant(value):
            return value
        case Symbol():
            return values[tree]
        case Sum(terms):
            return math.fsum(evaluate(term, values) for term in terms)
        case Product(coefficient, factors):
            return coefficient * math.prod(evaluate(factor, values) for factor in factors)
        case Power(base, exponent):
            whole = exponent.denominator == 1
            return evaluate(base, values) ** (exponent.numerator if whole else float(exponent))
        case Call(function, arguments):
            return FUNCTIONS[function](*(evaluate(argument, values) for argument in arguments))


def symbols_of(tree: Tree) -> list[Symbol]:
    """The symbols in an expression, in the order of their first appearance."""
    found: dict[Symbol, None] = {}

    def look(node: Any) -> None:
        match node:
            case Symbol():
                found.setdefault(node)
            case Sum(parts) | Product(_, parts) | Call(_, parts):
                for part in parts:
                    look(part)
            case Power(base, _):
                look(base)

    look(tree)
    return list(found)
