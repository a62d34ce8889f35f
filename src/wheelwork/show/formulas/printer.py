"""What all printers share: where signs, brackets and fraction lines go. A printer says how each is spelt."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction

from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.expressions.tree import Call, Constant, Power, Product, Sum, Tree

DIGITS = 6
"""Significant digits of a number."""

COMPARISONS = {"lt": "<", "le": "≤", "eq": "=", "ne": "≠"}


class Printer(ABC):
    """Spells trees; subclasses say how."""

    minus, letter_pi = "-", "π"
    between, fences = " ", "({})"
    """Between factors; around what is in brackets."""

    def __call__(self, tree: Tree) -> str:
        return self._sum(tree)

    # -- structure

    def _sum(self, tree: Tree) -> str:
        return self.sum(self._parts(tree))

    def _parts(self, tree: Tree) -> list[tuple[bool, str]]:
        """Terms of a sum, each with whether it is negative."""
        parts = []
        for term in tree.terms if isinstance(tree, Sum) else (tree,):
            negative, size = _split(term)
            parts.append((negative, self._product(size)))
        return parts

    def lines(self, tree: Tree, longest: int, length: Callable[[Tree], int]) -> list[str]:
        """A long sum in several lines; `length` measures a term."""
        out, line, used = [], [], 0
        terms = tree.terms if isinstance(tree, Sum) else (tree,)
        for part, term in zip(self._parts(tree), terms, strict=True):
            needed = length(term) + 3
            if line and used + needed > longest:
                out.append(self.sum(line, continued=bool(out)))
                line, used = [], 0
            line.append(part)
            used += needed
        return [*out, self.sum(line, continued=bool(out))]

    def _product(self, tree: Tree) -> str:
        """A term without its sign."""
        match tree:
            case Product(coefficient, factors):
                return self._fraction(coefficient, factors)
            case Power(_, exponent) if exponent < 0:
                return self._fraction(1.0, (tree,))
            case Sum():
                return self.brackets(self._sum(tree))
        return self._factor(tree)

    def _fraction(self, coefficient: float, factors: Sequence[Tree]) -> str:
        above, below = [], []
        for factor in factors:
            if isinstance(factor, Power) and factor.exponent < 0:
                exponent = -factor.exponent
                below.append(factor.base if exponent == 1 else Power(factor.base, exponent))
            else:
                above.append(factor)
        number, under = simple_fraction(coefficient)
        constants = all(isinstance(f, Symbol) and f.rank == Rank.CONSTANT for f in factors)
        if factors and constants and under == 1 and number % 1 == 0.5:
            number, under = 2 * number, 2.0
        numbers_above = [] if decimal(number) == ("1", 0) and above else [self.number(number)]
        numbers_below = [] if under == 1 else [self.number(under)]
        if not below and not numbers_below:
            return self.product([*numbers_above, *(self._factor(f) for f in above)])
        bottom = self._row(numbers_below, below)
        if not below and times_pi(under) not in (None, 1):  # 2 pi is a product
            bottom = (bottom[0], 1)
        return self.fraction(self._row(numbers_above, above), bottom)

    def _row(self, numbers: list[str], factors: list[Tree]) -> tuple[str, int]:
        """A product above or below a fraction line, and how tightly it holds together (0: a sum, 1: a product)."""
        if not numbers and len(factors) == 1:
            (only,) = factors
            if isinstance(only, Sum):
                return self._sum(only), 0
            return self._factor(only), 2
        if not factors and len(numbers) == 1:
            return numbers[0], 2
        return self.product([*numbers, *(self._factor(f) for f in factors)]), 1

    def _factor(self, tree: Tree) -> str:
        match tree:
            case Constant(value):
                return self._fraction(value, ()) if value >= 0 else self.brackets(self._sum(tree))
            case Symbol():
                return self.symbol(tree)
            case Sum() | Product():
                return self.brackets(self._sum(tree))
            case Power(base, exponent):
                return self._power(base, exponent)
            case Call(function, arguments):
                return self._call(function, arguments)

    def _power(self, base: Tree, exponent: Fraction) -> str:
        if exponent == Fraction(1, 2):
            return self.root(self._sum(base), isinstance(base, Symbol | Constant))
        if isinstance(base, Call) and len(base.arguments) == 1 and base.function not in ("abs", "not"):
            return self.call(base.function, [self._argument(base)], self.exponent(exponent))
        if isinstance(base, Symbol):
            return self.symbol_power(base, self.exponent(exponent))
        return self.power(self._factor(base), self.exponent(exponent))

    def _call(self, function: str, arguments: tuple[Tree, ...]) -> str:
        if function in COMPARISONS:
            one, two = (self._sum(a) for a in arguments)
            return self.condition(one, COMPARISONS[function], two)
        if function == "if":
            return self.product([self._factor(a) for a in arguments])
        if len(arguments) == 1:
            return self.call(function, [self._argument(Call(function, arguments))], "")
        return self.call(function, [(self._sum(a), True) for a in arguments], "")

    def _argument(self, call: Call) -> tuple[str, bool]:
        """The text of the only argument, and whether it needs brackets."""
        (argument,) = call.arguments
        bare = isinstance(argument, Symbol) and call.function in ("sin", "cos", "tan")
        return self._sum(argument), not bare

    # -- spelling

    def sum(self, parts: Sequence[tuple[bool, str]], continued: bool = False) -> str:
        """Terms, each with whether it is negative; `continued`: with a sign before the first, too."""
        text = "".join(f" {self.minus if negative else '+'} {term}" for negative, term in parts)
        if continued:
            return text[1:]
        return text[3:] if text[1] == "+" else self.minus + text[3:]

    def product(self, factors: Sequence[str]) -> str:
        return self.between.join(factors)

    @abstractmethod
    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> str: ...

    def brackets(self, text: str) -> str:
        return self.fences.format(text)

    def number(self, value: float) -> str:
        """A whole multiple of pi as such, others with at most a few digits and a power of ten."""
        turns = times_pi(value)
        return self.decimal(*decimal(value)) if turns is None else self.pi("" if turns == 1 else str(turns))

    def pi(self, times: str) -> str:
        return times + self.letter_pi

    @abstractmethod
    def decimal(self, digits: str, power: int) -> str: ...

    @abstractmethod
    def symbol(self, symbol: Symbol) -> str: ...

    @abstractmethod
    def exponent(self, exponent: Fraction) -> str: ...

    @abstractmethod
    def power(self, base: str, exponent: str) -> str: ...

    def symbol_power(self, symbol: Symbol, exponent: str) -> str:
        return self.power(self.symbol(symbol), exponent)

    @abstractmethod
    def root(self, text: str, short: bool) -> str: ...

    def call(self, function: str, arguments: Sequence[tuple[str, bool]], exponent: str) -> str:
        """A function of texts, each with whether it needs brackets."""
        name = self.function(function) + exponent
        if len(arguments) == 1 and not arguments[0][1]:
            return f"{name} {arguments[0][0]}"
        return name + self.brackets(", ".join(text for text, _ in arguments))

    def function(self, name: str) -> str:
        """The name of a function."""
        return name

    @abstractmethod
    def condition(self, one: str, sign: str, two: str) -> str:
        """1 where it holds, otherwise 0 (Iverson's brackets)."""


def _split(term: Tree) -> tuple[bool, Tree]:
    match term:
        case Constant(value) if value < 0:
            return True, Constant(-value)
        case Product(coefficient, factors) if coefficient < 0:
            if coefficient == -1 and len(factors) == 1:
                return True, factors[0]
            return True, Product(-coefficient, factors)
    return False, term


def simple_fraction(value: float) -> tuple[float, float]:
    """A number as (above, below) where it is a simple fraction, or one with pi; otherwise (value, 1)."""
    if not value or f"{value:.12g}" == f"{value:.4g}":
        return value, 1.0
    for scale, above, below in ((1.0, 1.0, 1.0), (math.pi, math.pi, 1.0), (1 / math.pi, 1.0, math.pi)):
        ratio = _simple(value / scale)
        if ratio is not None:
            return ratio.numerator * above, ratio.denominator * below
    return value, 1.0


def _simple(value: float) -> Fraction | None:
    """The fraction with small numbers that this is, if it is one."""
    nearest = Fraction(value).limit_denominator(12)
    close = nearest and abs(float(nearest) - value) <= 1e-12 * abs(value)
    return nearest if close and abs(nearest.numerator) <= 360 else None


def times_pi(value: float) -> int | None:
    """n where the number is n pi."""
    ratio = None if value == 0 else _simple(value / math.pi)
    return ratio.numerator if ratio is not None and ratio.denominator == 1 else None


def decimal(value: float) -> tuple[str, int]:
    """Digits and power of ten: 0.00012 -> (`1.2`, -4); 0.04 -> (`0.04`, 0)."""
    rounded = round(value)
    if abs(value - rounded) <= 1e-12 * max(1.0, abs(value)) and abs(rounded) < 10**DIGITS:
        return str(rounded), 0
    text = f"{value:.{DIGITS}g}"
    digits, _, power = text.partition("e")
    return digits, int(power or 0)
