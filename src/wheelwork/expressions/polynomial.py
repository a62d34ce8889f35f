"""Expressions in a normal form: sums of products of powers of atoms, multiplied out.

An atom is a symbol, a function of expressions, or a sum in brackets (for what is not multiplied out: roots,
denominators, products that would grow too long). Numbers that are `Fraction` or `int` are exact. Of floats,
those that differ in the last digits only are the same number, so that a product of rotation matrices gives back its
zeros and ones.

Products of sines and cosines are written as sums of single ones where that makes an expression shorter::

    cos a cos b = (cos(a - b) + cos(a + b))/2, ...    so that  cos a cos b + sin a sin b = cos(a - b)
    atan2(c sin a, c cos a)   = a            (c > 0, and a an angle of an element, which is between -pi and pi)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from .symbols import Rank, Symbol
from .tree import FUNCTIONS

LONGEST = 400
"""Terms of a product at most; a longer one stays in brackets."""
CLOSE = 1e-13
"""Relative difference below which numbers are the same."""


@dataclass(frozen=True)
class Function:
    """A function of expressions, as an atom."""

    name: str
    arguments: tuple[Polynomial, ...]


@dataclass(frozen=True)
class Bracket:
    """A sum in brackets, as an atom."""

    inner: Polynomial


Atom = Symbol | Function | Bracket
Monomial = frozenset[tuple[Atom, Fraction]]
UNIT: Monomial = frozenset()
Coefficient = Any
"""A `float`; or an `int` or `Fraction`, which stay exact."""


class Polynomial:
    """A sum of products; `terms` keeps the order in which they were first written."""

    def __init__(self, terms: Mapping[Monomial, Coefficient]):
        self.terms = dict(terms)

    @classmethod
    def number(cls, value: Coefficient) -> Polynomial:
        return cls({UNIT: value} if value else {})

    @classmethod
    def atom(cls, atom: Atom, exponent: Fraction | int = 1) -> Polynomial:
        return cls({frozenset({(atom, Fraction(exponent))}): 1})

    @cached_property
    def _set(self) -> frozenset[tuple[Monomial, Coefficient]]:
        return frozenset(
            (monomial, float(f"{c:.12g}") if isinstance(c, float) else c)
            for monomial, c in self.terms.items()
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self._set)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self._set == other._set

    def __len__(self) -> int:
        return len(self.terms)

    def __repr__(self) -> str:
        """The same in every run, whatever the order of terms."""
        terms = sorted(
            f"{float(c):.12g} * {sorted(f'{atom!r}^{exponent}' for atom, exponent in monomial)}"
            for monomial, c in self.terms.items()
        )
        return f"Polynomial({' + '.join(terms)})"

    @property
    def value(self) -> Coefficient | None:
        """Its number, if it is one."""
        if not self.terms:
            return 0
        return self.terms[UNIT] if set(self.terms) == {UNIT} else None

    @property
    def is_simple(self) -> bool:
        """Whether it is a number, or a single symbol with or without a minus."""
        if len(self) > 1 or self.value is not None:
            return self.value is not None
        ((monomial, c),) = self.terms.items()
        return (
            abs(c) == 1 and all(isinstance(a, Symbol) and e == 1 for a, e in monomial) and len(monomial) == 1
        )

    # -- arithmetic

    def __add__(self, other: Polynomial) -> Polynomial:
        return added([self, other])

    def __neg__(self) -> Polynomial:
        return self.scaled(-1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def scaled(self, factor: Coefficient) -> Polynomial:
        return Polynomial({m: factor * c for m, c in self.terms.items()} if factor else {})

    def __mul__(self, other: Polynomial) -> Polynomial:
        for one, two in ((self, other), (other, self)):
            if one.value is not None:
                return two.scaled(one.value)
        if len(self) * len(other) > LONGEST:
            one, two = (p if len(p) == 1 else Polynomial.atom(Bracket(p)) for p in (self, other))
            return multiplied(one, two)
        return multiplied(self, other)

    def power(self, exponent: Fraction) -> Polynomial:
        if self.value is not None and (self.value > 0 or exponent.denominator == 1) and self.value != 0:
            return Polynomial.number(self.value ** float(exponent))
        if exponent.denominator == 1 and len(self) == 1:
            ((monomial, c),) = self.terms.items()
            return Polynomial({frozenset((a, e * exponent) for a, e in monomial): c ** float(exponent)})
        if exponent.denominator == 1 and 0 <= exponent <= 4 and len(self) ** int(exponent) <= LONGEST:
            out = Polynomial.number(1.0)
            for _ in range(int(exponent)):
                out = out * self
            return out
        return Polynomial.atom(Bracket(self.together()), exponent)

    def over(self, other: Polynomial) -> Polynomial:
        return self * other.power(Fraction(-1))

    # -- functions

    def apply(self, name: str, *more: Polynomial) -> Polynomial:
        """A function of this (and more) expressions."""
        arguments = tuple(p.together() for p in (self, *more))
        values = [p.value for p in arguments]
        numbers = [v for v in values if v is not None]
        if len(numbers) == len(values):
            return Polynomial.number(float(FUNCTIONS[name](*numbers)))
        if name in ("sin", "cos"):
            angle, sign = _upright(arguments[0])
            return Polynomial.atom(Function(name, (angle,))).scaled(sign if name == "sin" else 1.0)
        if name == "atan2":
            angle = _angle(*arguments)
            if angle is not None:
                return angle
        if name == "floor":
            inner = arguments[0] - Polynomial.number(0.5)
            if len(inner) < len(arguments[0]):
                return Polynomial.atom(Function("round", (inner,)))
        return Polynomial.atom(Function(name, arguments))

    def together(self) -> Polynomial:
        """With products of sines and cosines put together."""
        return _rotations_joined(self)

    def replaced(self, values: Mapping[Atom, Polynomial]) -> Polynomial:
        """With atoms replaced, also inside functions and brackets."""
        products = []
        for monomial, c in self.terms.items():
            product = Polynomial.number(c)
            for atom, exponent in monomial:
                product = product * _replaced(atom, values).power(exponent)
            products.append(product)
        return added(products)

    def atoms(self) -> set[Atom]:
        """All atoms, also those inside functions and brackets."""
        found: set[Atom] = set()
        for monomial in self.terms:
            for atom, _ in monomial:
                found.add(atom)
                if isinstance(atom, Bracket):
                    found |= atom.inner.atoms()
                elif isinstance(atom, Function):
                    found = found.union(*(argument.atoms() for argument in atom.arguments))
        return found


def _replaced(atom: Atom, values: Mapping[Atom, Polynomial]) -> Polynomial:
    if atom in values:
        return values[atom]
    if isinstance(atom, Bracket):
        inner = atom.inner.replaced(values)
        return Polynomial.atom(Bracket(inner)) if inner.value is None else inner
    if isinstance(atom, Function):
        first, *more = (argument.replaced(values) for argument in atom.arguments)
        return first.apply(atom.name, *more)
    return Polynomial.atom(atom)


def added(parts: Iterable[Polynomial]) -> Polynomial:
    out: dict[Monomial, Coefficient] = {}
    for part in parts:
        for monomial, c in part.terms.items():
            _add(out, monomial, c)
    return Polynomial(out)


def _add(terms: dict[Monomial, Coefficient], monomial: Monomial, c: Coefficient) -> None:
    before = terms.get(monomial, 0)
    after = before + c
    if abs(after) <= (CLOSE * max(abs(before), abs(c)) if isinstance(after, float) else 0):
        terms.pop(monomial, None)
    else:
        terms[monomial] = after


def multiplied(one: Polynomial, two: Polynomial) -> Polynomial:
    """The product, however long."""
    parts: list[Polynomial] = []
    plain: dict[Monomial, Coefficient] = {}
    for m1, c1 in one.terms.items():
        for m2, c2 in two.terms.items():
            monomial, opened = _product(m1, m2)
            if opened:
                inner = Polynomial({monomial: c1 * c2})
                for group in opened:
                    inner = inner * group
                parts.append(inner)
            else:
                _add(plain, monomial, c1 * c2)
    return added([Polynomial(plain), *parts]) if parts else Polynomial(plain)


def _product(one: Monomial, two: Monomial) -> tuple[Monomial, list[Polynomial]]:
    """The product, and brackets that are to be multiplied out because a root over them has gone."""
    if not one or not two:
        return one or two, []
    exponents = dict(one)
    opened = []
    for atom, exponent in two:
        before = exponents.get(atom, Fraction(0))
        total = before + exponent
        if total == 0:
            del exponents[atom]
        elif total == 1 and before.denominator != 1 and isinstance(atom, Bracket):
            del exponents[atom]
            opened.append(atom.inner)
        else:
            exponents[atom] = total
    return frozenset(exponents.items()), opened


# -- sines and cosines


def _upright(angle: Polynomial) -> tuple[Polynomial, float]:
    """An angle in the order in which it is written, and the sign to put before it: its last body turns forward."""

    def order(item: tuple[Monomial, float]) -> tuple[int, int, float]:
        symbols = [atom for atom, _ in item[0] if isinstance(atom, Symbol)]
        variable = any(symbol.rank != Rank.CONSTANT for symbol in symbols)
        return (-int(variable), -max((symbol.place for symbol in symbols), default=-1), -item[1])

    ordered = sorted(angle.terms.items(), key=order)
    sign = math.copysign(1.0, ordered[0][1])
    return Polynomial({monomial: sign * c for monomial, c in ordered}), sign


def _split(monomial: Monomial) -> tuple[list[Function], Monomial]:
    """Sines and cosines, each as often as it occurs, and the rest."""
    waves, rest = [], []
    for atom, exponent in monomial:
        if isinstance(atom, Function) and atom.name in ("sin", "cos") and exponent in (1, 2, 3, 4):
            waves += [atom] * int(exponent)
        else:
            rest.append((atom, exponent))
    return sorted(waves, key=lambda wave: wave.name), frozenset(rest)


def _linear(waves: list[Function]) -> Polynomial:
    """A product of sines and cosines as a sum of single ones."""
    if not waves:
        return Polynomial.number(1.0)
    out = Polynomial.atom(waves[0])
    for wave in waves[1:]:
        b = wave.arguments[0]
        parts = []
        for monomial, c in out.terms.items():
            ((first,), _) = _split(monomial) if monomial else ((None,), None)
            if first is None:
                parts.append(Polynomial.atom(wave).scaled(c))
                continue
            a = first.arguments[0]
            minus, plus = a - b, a + b
            match first.name, wave.name:
                case "cos", "cos":
                    pair = minus.apply("cos"), plus.apply("cos")
                case "sin", "sin":
                    pair = minus.apply("cos"), -plus.apply("cos")
                case "sin", "cos":
                    pair = plus.apply("sin"), minus.apply("sin")
                case _:
                    pair = plus.apply("sin"), -minus.apply("sin")
            parts += [half.scaled(c / 2) for half in pair]
        out = added(parts)
    return out


def _rotations_joined(polynomial: Polynomial) -> Polynomial:
    """Products of sines and cosines as single ones wherever that makes fewer terms."""
    split = {monomial: _split(monomial) for monomial in polynomial.terms}
    groups: dict[Monomial, list[Monomial]] = {}
    for monomial, (_, rest) in split.items():
        groups.setdefault(rest, []).append(monomial)
    better: dict[Monomial, Polynomial] = {}
    for rest, members in groups.items():
        if len(members) == 1 or max(len(split[m][0]) for m in members) not in (2, 3, 4):
            continue
        linear = added(_linear(split[m][0]).scaled(polynomial.terms[m]) for m in members)
        if len(linear) < len(members):
            better[members[0]] = linear * Polynomial({rest: 1.0})
            better |= {m: Polynomial({}) for m in members[1:]}
    if not better:
        return polynomial
    return added(better.get(m, Polynomial({m: c})) for m, c in polynomial.terms.items())


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def _angle(sine: Polynomial, cosine: Polynomial) -> Polynomial | None:
    """a of atan2(c sin a, c cos a) where a is made of constants only: it is a principal value."""
    if len(sine) != 1 or len(cosine) != 1:
        return None
    ((m1, c1),), ((m2, c2),) = sine.terms.items(), cosine.terms.items()
    if len(m1) != 1 or len(m2) != 1 or not _close(abs(c1), abs(c2)):
        return None
    ((f1, e1),), ((f2, e2),) = m1, m2
    if not (isinstance(f1, Function) and isinstance(f2, Function)) or e1 != 1 or e2 != 1:
        return None
    if f1.name != "sin" or f2.name != "cos" or f1.arguments != f2.arguments:
        return None
    symbols = f1.arguments[0].atoms()
    if not all(isinstance(symbol, Symbol) and symbol.rank == Rank.CONSTANT for symbol in symbols):
        return None
    angle = f1.arguments[0].scaled(math.copysign(1.0, c1 * c2))
    return angle if c2 > 0 else angle + Polynomial.number(math.pi)
