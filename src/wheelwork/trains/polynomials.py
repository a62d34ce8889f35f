"""Polynomials in named variables with whole-number exponents, as far as formulas of gear trains need them.

A polynomial is a dictionary from monomial to coefficient (a `Fraction`); a monomial is a sorted tuple of pairs
(variable, exponent) without zero exponents.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
ONE: Polynomial = {(): Fraction(1)}


def times_monomial(a: Monomial, b: Monomial, sign: int = 1) -> Monomial:
    """a b, or a / b for sign -1; exponents may become negative."""
    powers = dict(a)
    for variable, power in b:
        powers[variable] = powers.get(variable, 0) + sign * power
    return tuple(sorted((v, p) for v, p in powers.items() if p))


def plus(a: Polynomial, b: Polynomial, factor: Fraction | int = 1) -> Polynomial:
    out = dict(a)
    for monomial, coefficient in b.items():
        value = out.get(monomial, Fraction(0)) + factor * coefficient
        if value:
            out[monomial] = value
        else:
            out.pop(monomial, None)
    return out


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    out: Polynomial = {}
    for first, x in a.items():
        out = plus(out, {times_monomial(first, second): x * y for second, y in b.items()})
    return out


def common_monomial(*polynomials: Polynomial) -> Monomial:
    """The largest monomial that divides all terms, with negative exponents where there are any."""
    monomials = [dict(m) for p in polynomials for m in p]
    variables = {v for m in monomials for v in m}
    lowest = {v: min(m.get(v, 0) for m in monomials) for v in variables}
    return tuple(sorted((v, p) for v, p in lowest.items() if p))


def divided_by_monomial(a: Polynomial, b: Monomial) -> Polynomial:
    return {times_monomial(m, b, -1): x for m, x in a.items()}


def divided(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b where it comes out even, else None; exponents not negative."""
    quotient: Polynomial = {}
    lead = max(b, key=_order)
    while a:
        top = max(a, key=_order)
        step = times_monomial(top, lead, -1)
        if any(power < 0 for _, power in step):
            return None
        term = {step: a[top] / b[lead]}
        quotient = plus(quotient, term)
        a = plus(a, times(term, b), -1)
    return quotient


def _order(monomial: Monomial) -> list[tuple[str, int]]:
    """Lexicographic, with earlier variables weighing more: multiplying keeps the order."""
    # Pad with what sorts below every variable: ("b", 1) < ("a", 1) < ("a", 2).
    return [(_reverse(variable), power) for variable, power in monomial]


def _reverse(text: str) -> str:
    return "".join(chr(0x10FFFF - ord(c)) for c in text) + chr(0x10FFFF)


def gcd(a: Polynomial, b: Polynomial) -> Polynomial:
    """A greatest common divisor, by Euclid's method in one variable after the other; exponents not negative."""
    if not a or not b:
        return a or b
    variables = sorted({v for m in (*a, *b) for v, _ in m})
    if not variables:
        return ONE
    x = variables[0]
    one, two = _content(a, x), _content(b, x)
    a, b = _even(a, one), _even(b, two)
    while b:
        if not _degree(b, x):
            a = ONE
            break
        a, b = b, _pseudo_remainder(a, b, x)
        if b:
            b = _even(b, _content(b, x))
    return times(gcd(one, two), a)


def _even(a: Polynomial, b: Polynomial) -> Polynomial:
    out = divided(a, b)
    assert out is not None
    return out


def _degree(a: Polynomial, x: str) -> int:
    return max(dict(m).get(x, 0) for m in a)


def _coefficients(a: Polynomial, x: str) -> dict[int, Polynomial]:
    """By power of x."""
    out: dict[int, Polynomial] = {}
    for monomial, coefficient in a.items():
        rest = tuple((v, p) for v, p in monomial if v != x)
        out.setdefault(dict(monomial).get(x, 0), {})[rest] = coefficient
    return out


def _content(a: Polynomial, x: str) -> Polynomial:
    """Greatest common divisor of the coefficients of the powers of x."""
    return reduce(gcd, _coefficients(a, x).values())


def _pseudo_remainder(a: Polynomial, b: Polynomial, x: str) -> Polynomial:
    degree = _degree(b, x)
    lead = _coefficients(b, x)[degree]
    while a and _degree(a, x) >= degree:
        power = _degree(a, x)
        shift = {((x, power - degree),): Fraction(1)} if power > degree else ONE
        top = _coefficients(a, x)[power]
        a = plus(times(a, lead), times(times(b, shift), top), -1)
    return a
