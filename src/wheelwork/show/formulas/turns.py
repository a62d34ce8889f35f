"""Whole turns in angles of the plane.

There a body's angle counts turns itself. What an element adds to it, 2 pi floor((z - angle)/(2 pi) + 1/2) with the
counted angle z, only settles where zero is: it does not change along a motion, and is written as the number it is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from wheelwork.expressions.polynomial import Atom, Function, Polynomial
from wheelwork.expressions.symbols import Symbol

from .expression import Reading
from .formulas import Expression


def without_turns(reading: Reading, counted: Collection[Symbol], values: Mapping[Symbol, float]) -> Reading:
    """With numbers for the whole turns; `values` are those of the symbols at the given position."""
    cells = [cell for table in reading.outputs for row in table for cell in row]
    numbers: dict[Atom, Polynomial] = {}
    for atom in set().union(*(cell.atoms() for cell in [*cells, *reading.definitions.values()])):
        if isinstance(atom, Function) and atom.name in ("floor", "round"):
            (argument,) = atom.arguments
            if not argument.atoms().isdisjoint(counted):
                half = 0.5 if atom.name == "round" else 0.0
                numbers[atom] = Polynomial.number(math.floor(Expression(argument).evaluate(values) + half))
    if not numbers:
        return reading
    return Reading(
        [[[cell.replaced(numbers) for cell in row] for row in table] for table in reading.outputs],
        {symbol: value.replaced(numbers) for symbol, value in reading.definitions.items()},
    )
