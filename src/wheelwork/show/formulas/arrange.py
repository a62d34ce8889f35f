"""From the normal form to the shape in which an equation is written on a board.

1. Squares of differences: c^2 - 2 a c + a^2, for rates, becomes (c - a)^2.
2. A factor that several terms share is written once, the one that most terms share first: rates before sines and
   cosines before coordinates, as in phi'^2 (x cos phi - y sin phi).
3. A sum begins with a positive term where there is one; otherwise terms keep the order in which the element's file has
   them. A product has its number first, then constants, coordinates, rates, brackets, functions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

from wheelwork.expressions.polynomial import Atom, Bracket, Function, Monomial, Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.expressions.tree import ZERO, Call, Constant, Power, Product, Sum, Tree

Factor = tuple[Atom, Fraction]


def arrange(polynomial: Polynomial) -> Tree:
    """The expression as a tree."""
    return _sum(_squares(polynomial))


def _sum(polynomial: Polynomial) -> Tree:
    parts = _with_common_bracket(_parts(_in_order(polynomial)))
    if not parts:
        return ZERO
    return parts[0] if len(parts) == 1 else Sum(_positive_first(parts))


def _positive_first(parts: list[Tree]) -> tuple[Tree, ...]:
    first = next((k for k, part in enumerate(parts) if not _is_negative(part)), 0)
    return (parts[first], *parts[:first], *parts[first + 1 :])


def _in_order(polynomial: Polynomial) -> dict[Monomial, float]:
    """Terms as they came; a sum of constants in the order of their names, so that it is the same everywhere."""
    terms = polynomial.terms
    if all(isinstance(a, Symbol) and a.rank == Rank.CONSTANT for m in terms for a, _ in m):
        return dict(sorted(terms.items(), key=lambda item: sorted(_key(a) for a, _ in item[0])))
    return dict(terms)


def _with_common_bracket(parts: list[Tree]) -> list[Tree]:
    """A bracket that all terms have, written once."""
    if len(parts) < 2:
        return parts
    factors = [part.factors if isinstance(part, Product) else (part,) for part in parts]
    shared = next(
        (f for f in factors[0] if isinstance(f, Sum) and all(f in other for other in factors)), None
    )
    if shared is None:
        return parts
    inner: list[Tree] = []
    for part, own in zip(parts, factors, strict=True):
        rest = list(own)
        rest.remove(shared)
        coefficient = part.coefficient if isinstance(part, Product) else 1.0
        inner.append(_product(coefficient, rest) if rest else Constant(coefficient))
    size = 1.0
    sizes = {abs(t.coefficient) if isinstance(t, Product) else 1.0 for t in inner}
    if len(sizes) == 1 and (size := sizes.pop()) != 1.0:
        inner = [_product(t.coefficient / size, list(t.factors)) for t in inner if isinstance(t, Product)]
    return [_product(size, [shared, Sum(_positive_first(inner))])]


def _parts(terms: dict[Monomial, float]) -> list[Tree]:
    """The terms of a sum, those with a common factor put together in the place of the first of them."""
    shared = _shared_factor(terms)
    if shared is None:
        return [_term(monomial, c) for monomial, c in terms.items()]
    inside, out = {}, []
    for monomial, c in terms.items():
        if shared in monomial:
            inside[monomial - {shared}] = c
    done = False
    for tree, first in _rest(terms, shared):
        if not done and first > min(k for k, m in enumerate(terms) if shared in m):
            out.append(_bracketed(shared, inside))
            done = True
        out.append(tree)
    if not done:
        out.append(_bracketed(shared, inside))
    return out


def _rest(terms: dict[Monomial, float], shared: Factor) -> list[tuple[Tree, int]]:
    """What does not have the factor, arranged, with where each part began."""
    left = {m: c for m, c in terms.items() if shared not in m}
    places = {m: k for k, m in enumerate(terms)}
    out, remaining = [], dict(left)
    while remaining:
        again = _shared_factor(remaining)
        if again is None:
            out += [(_term(m, c), places[m]) for m, c in remaining.items()]
            break
        inside = {m - {again}: c for m, c in remaining.items() if again in m}
        out.append((_bracketed(again, inside), min(places[m] for m in remaining if again in m)))
        remaining = {m: c for m, c in remaining.items() if again not in m}
    return sorted(out, key=lambda pair: pair[1])


def _bracketed(shared: Factor, inside: dict[Monomial, float]) -> Tree:
    """factor * (sum), with a number that all terms have in front."""
    sizes = {float(f"{abs(c):.12g}") for c in inside.values()}
    size = sizes.pop() if len(sizes) == 1 else 1.0
    if next(iter(inside.values())) < 0:
        size = -size
    inner = _sum(Polynomial({m: c / size for m, c in inside.items()}))
    if isinstance(inner, Product):  # everything inside had a further factor in common
        return _product(size * inner.coefficient, [_power(*shared), *inner.factors])
    return _product(size, [_power(*shared), inner])


def _shared_factor(terms: dict[Monomial, float]) -> Factor | None:
    counts: Counter[Factor] = Counter()
    for monomial in terms:
        counts.update(factor for factor in monomial)
    several = [factor for factor, count in counts.items() if count > 1]
    return max(several, key=lambda f: (counts[f], _weight(f[0]), f[1], _key(f[0])), default=None)


def _weight(atom: Atom) -> int:
    """Which factor to take out where several are shared by as many terms."""
    if isinstance(atom, Symbol):
        return {Rank.RATE: 3, Rank.DERIVED: 3, Rank.COORDINATE: 1}.get(atom.rank, 0)
    return 2 if isinstance(atom, Function) else 4


def _term(monomial: Monomial, c: float) -> Tree:
    factors = [_power(atom, exponent) for atom, exponent in monomial]
    return _product(c, factors) if factors else Constant(c)


def _power(atom: Atom, exponent: Fraction) -> Tree:
    match atom:
        case Symbol():
            base: Tree = atom
        case Bracket(inner):
            base = arrange(inner)
        case Function(name, arguments):
            base = Call(name, tuple(arrange(argument) for argument in arguments))
    return base if exponent == 1 else Power(base, exponent)


def _product(coefficient: float, factors: list[Tree]) -> Tree:
    ordered = sorted(factors, key=_order)
    if coefficient == 1 and len(ordered) == 1:
        return ordered[0]
    return Product(coefficient, tuple(ordered))


def _order(factor: Tree) -> tuple[int, str]:
    match factor:
        case Power(base, _):
            return _order(base)
        case Symbol():
            return int(factor.rank), repr(factor.key)
        case Sum() | Product():
            return 8, ""
        case Call():
            return 9, repr(factor)
    return 0, ""


def _is_negative(tree: Tree) -> bool:
    match tree:
        case Constant(value):
            return value < 0
        case Product(coefficient, _):
            return coefficient < 0
    return False


def _key(atom: Atom) -> str:
    """An order that is the same in every run."""
    return repr(_power(atom, Fraction(1)))


# -- squares of differences of rates


def _squares(polynomial: Polynomial) -> Polynomial:
    groups: dict[Monomial, dict[Monomial, float]] = {}
    for monomial, c in polynomial.terms.items():
        rates = frozenset(f for f in monomial if isinstance(f[0], Symbol) and f[0].rank == Rank.RATE)
        groups.setdefault(monomial - rates, {})[rates] = c
    changed: dict[Monomial, Polynomial] = {}
    gone: set[Monomial] = set()
    for rest, rates in groups.items():
        found = _square(rates)
        if found is not None:
            parts, square, c = found
            changed[rest | parts[0]] = Polynomial({rest | square: c})
            gone |= {rest | part for part in parts}
    if not gone:
        return polynomial
    out: dict[Monomial, float] = {}
    for monomial, c in polynomial.terms.items():
        if monomial in changed:
            out |= changed[monomial].terms
        elif monomial not in gone:
            out[monomial] = c
    return Polynomial(out)


def _square(rates: dict[Monomial, float]) -> tuple[list[Monomial], Monomial, float] | None:
    """(b - a)^2 or (b + a)^2 among products of rates: its three terms, what they become, and the coefficient."""
    twos = {next(iter(m))[0]: c for m, c in rates.items() if len(m) == 1 and next(iter(m))[1] == Fraction(2)}
    forward = sorted(twos, key=lambda atom: -getattr(atom, "place", -1))
    for b, a in combinations(forward, 2):
        mixed = frozenset({(a, Fraction(1)), (b, Fraction(1))})
        c = twos[a]
        if twos[b] == c and abs(rates.get(mixed, 0.0)) == 2 * abs(c):
            sign = rates[mixed] / (2 * c)
            inner = Polynomial.atom(b) + Polynomial.atom(a).scaled(sign)
            parts = [frozenset({(b, Fraction(2))}), frozenset({(a, Fraction(2))}), mixed]
            return parts, frozenset({(Bracket(inner), Fraction(2))}), c
    return None
