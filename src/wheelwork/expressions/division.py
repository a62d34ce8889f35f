"""Division of polynomials: quotients without remainder, greatest common divisors; exact with `Fraction` coefficients.

For polynomials of plain symbols with whole exponents that are not negative, unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from .polynomial import Monomial, Polynomial, multiplied
from .symbols import Symbol

ONE = Polynomial.number(1)


def times_monomial(a: Monomial, b: Monomial, sign: int = 1) -> Monomial:
    """a b, or a / b for sign -1; exponents may become negative."""
    powers = dict(a)
    for symbol, power in b:
        powers[symbol] = powers.get(symbol, Fraction(0)) + sign * power
    return frozenset((s, p) for s, p in powers.items() if p)


def shifted(a: Polynomial, b: Monomial, sign: int = 1) -> Polynomial:
    """a times a monomial, or over it for sign -1."""
    return Polynomial({times_monomial(m, b, sign): x for m, x in a.terms.items()})


def common_monomial(a: Polynomial) -> Monomial:
    """The largest monomial that divides all terms, with negative exponents where there are any."""
    monomials = [dict(m) for m in a.terms]
    lowest = {s: min(m.get(s, Fraction(0)) for m in monomials) for m in monomials for s in m}
    return frozenset((s, p) for s, p in lowest.items() if p)


def divided(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b where it comes out even, else None."""
    order = _lexicographic(_variables(a, b))
    quotient, lead = Polynomial({}), max(b.terms, key=order)
    while a.terms:
        top = max(a.terms, key=order)
        step = times_monomial(top, lead, -1)
        if any(power < 0 for _, power in step):
            return None
        term = Polynomial({step: a.terms[top] / b.terms[lead]})
        quotient, a = quotient + term, a - multiplied(term, b)
    return quotient


def gcd(a: Polynomial, b: Polynomial) -> Polynomial:
    """A greatest common divisor, by Euclid's method in one variable after the other."""
    if not a.terms or not b.terms:
        return a if a.terms else b
    variables = _variables(a, b)
    if not variables:
        return ONE
    x = variables[0]
    one, two = _content(a, x), _content(b, x)
    a, b = _even(a, one), _even(b, two)
    while b.terms:
        if not max(_by_power(b, x)):
            a = ONE
            break
        a, b = b, _pseudo_remainder(a, b, x)
        if b.terms:
            b = _even(b, _content(b, x))
    return multiplied(gcd(one, two), a)


def _variables(*polynomials: Polynomial) -> list[Symbol]:
    found = {atom for p in polynomials for m in p.terms for atom, _ in m if isinstance(atom, Symbol)}
    return sorted(found, key=lambda symbol: symbol.key)


def _lexicographic(variables: list[Symbol]) -> Callable[[Monomial], list[Fraction]]:
    """By the power of the first variable, then of the second, ...: multiplying keeps the order."""
    return lambda monomial: [dict(monomial).get(v, Fraction(0)) for v in variables]


def _even(a: Polynomial, b: Polynomial) -> Polynomial:
    out = divided(a, b)
    assert out is not None
    return out


def _by_power(a: Polynomial, x: Symbol) -> dict[Fraction, Polynomial]:
    """Coefficients of the powers of x."""
    found: dict[Fraction, Polynomial] = {}
    for monomial, c in a.terms.items():
        rest = Polynomial({frozenset((s, p) for s, p in monomial if s != x): c})
        power = dict(monomial).get(x, Fraction(0))
        found[power] = found[power] + rest if power in found else rest
    return found


def _content(a: Polynomial, x: Symbol) -> Polynomial:
    """Greatest common divisor of the coefficients of the powers of x."""
    return reduce(gcd, _by_power(a, x).values())


def _pseudo_remainder(a: Polynomial, b: Polynomial, x: Symbol) -> Polynomial:
    powers = _by_power(b, x)
    degree = max(powers)
    while a.terms and (power := max(_by_power(a, x))) >= degree:
        shift = frozenset({(x, power - degree)}) if power > degree else frozenset()
        top = shifted(_by_power(a, x)[power], shift)
        a = multiplied(a, powers[degree]) - multiplied(b, top)
    return a
