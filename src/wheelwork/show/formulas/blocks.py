"""What a document of equations is made of: headings, sentences, equations, tables; renderers put them into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from wheelwork.expressions.polynomial import Polynomial
from wheelwork.expressions.symbols import Symbol

from .formulas import Expression, Formulas
from .notation import Math


@dataclass(frozen=True)
class Name:
    """The name of an element or body, as it is in the model."""

    text: str


Piece = str | Math | Name | Expression
"""Part of a sentence."""


@dataclass(frozen=True)
class Heading:
    level: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Paragraph:
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Lines:
    """left = right, one below the other."""

    lines: tuple[tuple[Math, tuple[Piece, ...]], ...]


@dataclass(frozen=True)
class Array:
    """left = matrix, with headings over its columns; `block` says how many columns belong together."""

    left: Math
    formulas: Formulas
    block: int
    first: int = 1
    """Number of the equation of the first row."""


@dataclass(frozen=True)
class Grid:
    """A table of texts and short formulas; `right` lists columns of numbers."""

    columns: tuple[tuple[Piece, ...], ...]
    rows: tuple[tuple[tuple[Piece, ...], ...], ...]
    right: tuple[int, ...] = ()


Block = Heading | Paragraph | Lines | Array | Grid


def in_words(
    pieces: Sequence[Piece],
    form: Literal["plain", "latex", "mathml"],
    math: Callable[[str], str],
    name: Callable[[str], str],
    words: Callable[[str], str],
) -> str:
    """Pieces one after the other: formulas in one of their forms, names and words each put as a writer puts them."""
    out = []
    for piece in pieces:
        match piece:
            case Math():
                out.append(math(getattr(piece, form)))
            case Expression():
                out.append(math(str(piece) if form == "plain" else getattr(piece, form)()))
            case Name(text):
                out.append(name(text))
            case _:
                out.append(words(piece))
    return "".join(out)


def shown(symbol: Symbol) -> Expression:
    return Expression(Polynomial.atom(symbol))


def number(value: float) -> Expression:
    return Expression(Polynomial.number(value))
