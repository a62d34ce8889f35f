"""Names for what would make an equation long: the length of a vector, angles of vectors, what is taken modulo a pitch;
and numbers for whole turns.

::

    1/(x^2 + y^2)              ->  1/d^2,   d = sqrt(x^2 + y^2),  and x^2 + y^2 over it is cancelled
    atan2(..., ...)            ->  psi_1, psi_2, ...
    e - p round(e/p)           ->  the same with a name for e
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from wheelwork.expressions.polynomial import Atom, Bracket, Function, Monomial, Polynomial, added
from wheelwork.expressions.symbols import Rank, Symbol

from .expression import Reading
from .formulas import Expression

Cells = Callable[[Polynomial], Polynomial]


def tidied(reading: Reading, at: str) -> Reading:
    """With such names; `at` is the letter of the joint they belong to."""
    for step in (_lengths, _angles, _modulo):
        reading = step(reading, at)
    return reading


def _changed(reading: Reading, change: Cells, definitions: Mapping[Symbol, Polynomial]) -> Reading:
    return Reading(reading.changed(change), {**reading.definitions, **definitions})


def _atoms(reading: Reading) -> list[Atom]:
    """All atoms, in the order in which they occur."""
    found: dict[Atom, None] = {}
    for cell in (*reading.cells, *reading.definitions.values()):
        for monomial, c in cell.terms.items():
            found |= dict.fromkeys(sorted(Polynomial({monomial: c}).atoms(), key=repr))
    return list(found)


# -- lengths


def _lengths(reading: Reading, at: str) -> Reading:
    names = {s for s in reading.definitions if s.letter == "d" and not s.dots and s.axis not in ("x", "y")}
    for group in [atom for atom in _atoms(reading) if isinstance(atom, Bracket)]:
        sides = _sides(group.inner)
        length = Symbol("d", at, axis="" if not names else str(len(names)), rank=Rank.DERIVED)
        if sides is None or length in reading.definitions:
            continue
        names.add(length)
        reading = _with_length(reading, group, length, sides)
    return reading


def _sides(square: Polynomial) -> tuple[Symbol, Symbol] | None:
    """x and y of x^2 + y^2."""
    found = []
    for monomial, c in square.terms.items():
        if c != 1 or len(monomial) != 1:
            return None
        ((atom, exponent),) = monomial
        if not isinstance(atom, Symbol) or exponent != 2:
            return None
        found.append(atom)
    return (found[0], found[1]) if len(found) == 2 else None


def _with_length(reading: Reading, group: Bracket, length: Symbol, sides: tuple[Symbol, Symbol]) -> Reading:
    values: dict[Atom, Polynomial] = {group: Polynomial.atom(length, 2)}

    def change(cell: Polynomial) -> Polynomial:
        return _cancelled(cell.replaced(values), length, *sides)

    return _changed(reading, change, {length: group.inner.power(Fraction(1, 2))})


def _cancelled(cell: Polynomial, length: Symbol, x: Symbol, y: Symbol) -> Polynomial:
    """With y^2 = d^2 - x^2 over powers of d, wherever that makes it shorter."""
    parts: dict[Monomial, list[tuple[Monomial, float]]] = {}
    for monomial, c in cell.terms.items():
        below = frozenset((a, e) for a, e in monomial if a == length and e < 0)
        parts.setdefault(below, []).append((monomial, c))
    done = []
    for below, members in parts.items():
        part = Polynomial(dict(members))
        if below:
            other = added(_without_square(Polynomial({m: c}), length, x, y) for m, c in members)
            part = other if len(other) < len(part) else part
        done.append(part)
    out = added(done)
    return _cancelled(out, length, x, y) if len(out) < len(cell) else out


def _without_square(term: Polynomial, length: Symbol, x: Symbol, y: Symbol) -> Polynomial:
    ((monomial, c),) = term.terms.items()
    exponents = dict(monomial)
    if exponents.get(y, Fraction(0)) < 2:
        return term
    exponents[y] -= 2
    rest = Polynomial({frozenset((a, e) for a, e in exponents.items() if e): c})
    return rest * (Polynomial.atom(length, 2) - Polynomial.atom(x, 2))


# -- angles


def _angles(reading: Reading, at: str) -> Reading:
    found = [atom for atom in _atoms(reading) if isinstance(atom, Function) and atom.name == "atan2"]
    if not found:
        return reading
    names = {
        atom: Symbol("ψ", at, axis=str(k + 1) if len(found) > 1 else "", rank=Rank.DERIVED)
        for k, atom in enumerate(found)
    }
    values: dict[Atom, Polynomial] = {atom: Polynomial.atom(name) for atom, name in names.items()}
    definitions = {name: Polynomial.atom(atom) for atom, name in names.items()}
    return _changed(reading, lambda cell: cell.replaced(values), definitions)


# -- modulo


def _modulo(reading: Reading, at: str) -> Reading:
    name = Symbol("e", at, rank=Rank.DERIVED)
    definitions: dict[Symbol, Polynomial] = {}

    def change(cell: Polynomial) -> Polynomial:
        for monomial, c in cell.terms.items():
            for atom, exponent in monomial:
                if isinstance(atom, Function) and atom.name == "round" and exponent == 1:
                    pitch = Polynomial({monomial - {(atom, exponent)}: -c})
                    raw = added([cell, Polynomial({monomial: -c})])
                    if raw == atom.arguments[0] * pitch and not raw.is_simple:
                        definitions[name] = raw
                        short = Polynomial.atom(name)
                        return short - pitch * short.over(pitch).apply("round")
        return cell

    changed = _changed(reading, change, {})
    return Reading(changed.outputs, {**changed.definitions, **definitions})


# -- whole turns


def without_turns(reading: Reading, counted: Collection[Symbol], values: Mapping[Symbol, float]) -> Reading:
    """With numbers for whole turns in angles of the plane; `values`: of the symbols at the given position.

    There a body's angle counts turns itself. What an element adds to it, 2 pi floor((z - angle)/(2 pi) + 1/2) with the
    counted angle z, only settles where zero is: it does not change along a motion, and is written as the number it is.
    """
    numbers: dict[Atom, Polynomial] = {}
    for atom in reading.every_atom:
        if isinstance(atom, Function) and atom.name in ("floor", "round"):
            (argument,) = atom.arguments
            if not argument.atoms().isdisjoint(counted):
                half = 0.5 if atom.name == "round" else 0.0
                numbers[atom] = Polynomial.number(math.floor(Expression(argument).evaluate(values) + half))
    if not numbers:
        return reading
    definitions = {symbol: value.replaced(numbers) for symbol, value in reading.definitions.items()}
    return Reading(reading.changed(lambda cell: cell.replaced(numbers)), definitions)
