"""Linear equations over a field in which one can calculate exactly: fractions, or fractions of symbols.

A matrix is a list of rows, a row a dictionary from column to entry without zeros: the equations of a gear train have
at most four entries in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[int, Any]


def combined(a: Mapping[int, Any], factor: Any, b: Mapping[int, Any]) -> Row:
    """a + factor b"""
    out = dict(a)
    for column, entry in b.items():
        value = out.get(column, 0) + factor * entry
        if value == 0:
            out.pop(column, None)
        else:
            out[column] = value
    return out


@dataclass
class Reduced:
    """Equations solved as far as they go: reduced row echelon form, built up row by row.

    rows: by the column each of them is solved for, with a 1 there and nothing in the other solved columns
    """

    rows: dict[int, Row]

    def remainder(self, row: Mapping[int, Any]) -> Row:
        """What is left of a row when the equations are taken off; empty where it follows from them."""
        out: Row = dict(row)
        for column in [c for c in row if c in self.rows]:
            out = combined(out, -row[column], self.rows[column])
        return out

    def add(self, row: Mapping[int, Any], prefer: Callable[[int, Any], Any]) -> bool:
        """Take one more equation; False where it follows from those before.

        prefer: the column with the least `prefer(column, entry)` is the one that is solved for
        """
        left = self.remainder(row)
        if not left:
            return False
        pivot = min(left, key=lambda column: prefer(column, left[column]))
        inverse = 1 / left[pivot]
        new = {column: inverse * entry for column, entry in left.items()}
        new[pivot] = 1
        for column, other in self.rows.items():
            if pivot in other:
                self.rows[column] = combined(other, -other[pivot], new)
        self.rows[pivot] = new
        return True


def reduce(rows: Iterable[Mapping[int, Any]], keep: Sequence[int] = ()) -> tuple[Reduced, list[int]]:
    """Reduced equations, and the indices of the rows that are independent of those before them.

    keep: columns that shall stay unsolved if possible, the first most of all
    """
    rank = {column: len(keep) - k for k, column in enumerate(keep)}
    done = Reduced({})
    independent = [
        k for k, row in enumerate(rows) if done.add(row, lambda column, _: (rank.get(column, 0), column))
    ]
    return done, independent


def null_space(done: Reduced, columns: int) -> dict[int, Row]:
    """Solutions of the homogeneous equations, as dictionaries from column to entry.

    For each free column there is the one with a 1 there and 0 in the other free ones.
    """
    free = [c for c in range(columns) if c not in done.rows]
    out: dict[int, Row] = {c: {c: 1} for c in free}
    for solved, row in done.rows.items():
        for column, entry in row.items():
            if column != solved:
                out[column][solved] = -entry
    return out
