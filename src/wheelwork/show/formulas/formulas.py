"""Expressions in rows and columns: what an array of numbers is written as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from wheelwork.expressions import tree
from wheelwork.expressions.polynomial import Atom, Polynomial
from wheelwork.expressions.symbols import Symbol

from .arrange import arrange
from .latex import latex
from .layout import table
from .mathml import mathml, row
from .plain import plain


class Expression:
    """One formula: `str(e)` for a terminal, `e.latex()`, `e.mathml()`, `e.evaluate(values)`."""

    def __init__(self, polynomial: Polynomial):
        self.polynomial = polynomial

    @cached_property
    def tree(self) -> tree.Tree:
        return arrange(self.polynomial)

    @property
    def symbols(self) -> list[Symbol]:
        return tree.symbols_of(self.tree)

    @property
    def is_zero(self) -> bool:
        return not self.polynomial.terms

    def evaluate(self, values: Mapping[Symbol, float]) -> float:
        """Its number, from numbers for its symbols."""
        return tree.evaluate(self.tree, values)

    def replaced(self, values: Mapping[Atom, Polynomial]) -> Expression:
        """With something else in the place of some symbols."""
        return Expression(self.polynomial.replaced(values).together())

    def latex(self) -> str:
        return latex(self.tree)

    def mathml(self) -> str:
        return mathml(self.tree)

    def __str__(self) -> str:
        return plain(self.tree)

    def __repr__(self) -> str:
        return str(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"


class Formulas:
    """Formulas in rows and columns. `f[i]` is that of a row, where there is one column; `f[i, j]` any."""

    def __init__(self, cells: Sequence[Sequence[Polynomial | Expression]], columns: Sequence[Symbol] = ()):
        self.cells = [[c if isinstance(c, Expression) else Expression(c) for c in line] for line in cells]
        self.columns = tuple(columns)
        """What the columns belong to (derivatives with respect to these)."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.cells), len(self.columns) or (len(self.cells[0]) if self.cells else 0)

    @property
    def is_zero(self) -> bool:
        return all(cell.is_zero for cell in self)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Expression]:
        return (cell for line in self.cells for cell in line)

    @overload
    def __getitem__(self, key: int) -> Expression: ...
    @overload
    def __getitem__(self, key: tuple[int, int]) -> Expression: ...
    def __getitem__(self, key: int | tuple[int, int]) -> Expression:
        if isinstance(key, tuple):
            return self.cells[key[0]][key[1]]
        if len(self.cells[key]) != 1:
            raise IndexError(f"has {len(self.cells[key])} columns: give row and column")
        return self.cells[key][0]

    def evaluate(self, values: Mapping[Symbol, float]) -> np.ndarray:
        """Numbers, as (rows) where there is one column, otherwise (rows, columns)."""
        numbers = np.array([[cell.evaluate(values) for cell in line] for line in self.cells], float)
        return numbers.reshape(self.shape) if self.columns else numbers.reshape(len(self.cells))

    def replaced(self, values: Mapping[Atom, Polynomial]) -> Formulas:
        return Formulas([[cell.replaced(values) for cell in line] for line in self.cells], self.columns)

    def latex(self) -> str:
        lines = r" \\ ".join(" & ".join(cell.latex() for cell in line) for line in self.cells)
        return rf"\begin{{bmatrix}} {lines} \end{{bmatrix}}"

    def mathml(self) -> str:
        lines = "".join(
            f"<mtr>{''.join(f'<mtd>{cell.mathml()}</mtd>' for cell in line)}</mtr>" for line in self.cells
        )
        return row(
            '<mo fence="true">[</mo>',
            f'<mtable columnalign="center" rowspacing="0.5em">{lines}</mtable>',
            '<mo fence="true">]</mo>',
        )

    def __str__(self) -> str:
        if not self.columns:
            return "\n".join(str(cell) for cell in self)
        return "\n".join(
            table([[plain(c) for c in self.columns], *([str(c) for c in r] for r in self.cells)])
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"
