"""Formulas of gear ratios: fractions of polynomials in the symbols N(i,j), calculated exactly.

N(i,j) is the ratio of the gear pair with the wheels i and j, theta(j,c) = N(i,j) theta(i,c), its sign included (Chen,
before (1)). Its inverse is N(j,i).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from wheelwork.expressions.division import ONE, common_monomial, divided, gcd, shifted, times_monomial
from wheelwork.expressions.polynomial import Monomial, Polynomial, multiplied
from wheelwork.expressions.symbols import Symbol

Pairs = Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Symbolic:
    """numerator / denominator, in lowest terms: an element of a field.

    The denominator has no factor that is a power of a symbol; such powers are in the numerator, with negative
    exponents.
    """

    numerator: Polynomial
    denominator: Polynomial

    @staticmethod
    def symbol(name: str) -> Symbolic:
        return Symbolic(Polynomial.atom(Symbol(name)), ONE)

    @staticmethod
    def of(value: Symbolic | Fraction | int) -> Symbolic:
        if isinstance(value, Symbolic):
            return value
        return Symbolic(Polynomial.number(Fraction(value)), ONE)

    def __add__(self, other: Symbolic | Fraction | int) -> Symbolic:
        b = Symbolic.of(other)
        if self.denominator == b.denominator:
            return _lowest(self.numerator + b.numerator, self.denominator)
        top = multiplied(self.numerator, b.denominator) + multiplied(b.numerator, self.denominator)
        return _lowest(top, multiplied(self.denominator, b.denominator))

    def __mul__(self, other: Symbolic | Fraction | int) -> Symbolic:
        b = Symbolic.of(other)
        return _lowest(multiplied(self.numerator, b.numerator), multiplied(self.denominator, b.denominator))

    def __neg__(self) -> Symbolic:
        return self * -1

    def __sub__(self, other: Symbolic | Fraction | int) -> Symbolic:
        return self + -Symbolic.of(other)

    def __rtruediv__(self, other: Fraction | int) -> Symbolic:
        return Symbolic.of(other) * _lowest(self.denominator, self.numerator)

    def __truediv__(self, other: Symbolic | Fraction | int) -> Symbolic:
        b = Symbolic.of(other)
        return self * _lowest(b.denominator, b.numerator)

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Symbolic | Fraction | int):
            return NotImplemented
        b = Symbolic.of(other)
        return self.numerator == b.numerator and self.denominator == b.denominator

    __hash__ = None  # type: ignore[assignment]

    def evaluate(self, values: Mapping[str, Fraction]) -> Fraction:
        """The number for given values of the symbols."""
        return _value(self.numerator, values) / _value(self.denominator, values)

    def text(self, pairs: Pairs, latex: bool = False) -> str:
        """As a formula; `pairs` gives the wheels (i, j) behind each symbol."""
        top, bottom = (_sum_text(p, pairs, latex) for p in (self.numerator, self.denominator))
        if self.denominator == ONE:
            return top
        if latex:
            return rf"\frac{{{top}}}{{{bottom}}}"
        return f"{_bracketed(top, self.numerator)}/({bottom})"


def _lowest(top: Polynomial, bottom: Polynomial) -> Symbolic:
    if not bottom.terms:
        raise ZeroDivisionError("a formula of gear ratios is divided by zero")
    if not top.terms:
        return Symbolic(top, ONE)
    over, under = common_monomial(top), common_monomial(bottom)
    top, bottom = shifted(top, over, -1), shifted(bottom, under, -1)
    if len(bottom) > 1 and len(top) > 1:
        common = gcd(top, bottom)
        if common != ONE:
            even_top, even_bottom = divided(top, common), divided(bottom, common)
            assert even_top is not None
            assert even_bottom is not None
            top, bottom = even_top, even_bottom
    # Of the constant factors, one choice: the denominator's shortest term gets the coefficient 1.
    inverse = 1 / Fraction(bottom.terms[min(bottom.terms, key=_shortest)])
    top = shifted(top, times_monomial(over, under, -1))
    return Symbolic(top.scaled(inverse), bottom.scaled(inverse))


def _shortest(monomial: Monomial) -> tuple[Fraction, list[tuple[str, Fraction]]]:
    """For sorting: the sum of exponents, whatever their signs, then the names."""
    return sum((abs(p) for _, p in monomial), Fraction(0)), _named(monomial)


def _named(monomial: Monomial) -> list[tuple[str, Fraction]]:
    return sorted((atom.letter, power) for atom, power in monomial if isinstance(atom, Symbol))


def _value(polynomial: Polynomial, values: Mapping[str, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in polynomial.terms.items():
        factor = Fraction(coefficient)
        for name, power in _named(monomial):
            factor *= values[name] ** int(power)
        total += factor
    return total


def _sum_text(polynomial: Polynomial, pairs: Pairs, latex: bool) -> str:
    if not polynomial.terms:
        return "0"
    text = ""
    for monomial in sorted(polynomial.terms, key=_shortest):
        coefficient = polynomial.terms[monomial]
        factors = _product_text(monomial, pairs, latex)
        size = "" if abs(coefficient) == 1 and factors else str(abs(coefficient))
        term = f"{size} {factors}".strip()
        if text:
            text += f" - {term}" if coefficient < 0 else f" + {term}"
        else:
            text = f"-{term}" if coefficient < 0 else term
    return text


def _product_text(monomial: Monomial, pairs: Pairs, latex: bool) -> str:
    """Factors in the order of the chain of wheels, as one writes them: N(4,11) N(11,10) N(10,9)."""
    ends = [_ends(pairs[name], power) for name, power in _named(monomial) for _ in range(abs(int(power)))]
    ordered: list[tuple[str, str]] = []
    while ends:
        into = {j for _, j in ends}
        start = ordered[-1][1] if ordered else None
        following = next((e for e in ends if e[0] == start), None)
        first = following or next((e for e in ends if e[0] not in into), ends[0])
        ends.remove(first)
        ordered.append(first)
    return " ".join(f"N_{{{i},{j}}}" if latex else f"N({i},{j})" for i, j in ordered)


def _ends(pair: tuple[str, str], power: Fraction) -> tuple[str, str]:
    return pair if power > 0 else (pair[1], pair[0])


def _bracketed(text: str, polynomial: Polynomial) -> str:
    return f"({text})" if len(polynomial) > 1 else text
