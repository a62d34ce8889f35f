"""Text in columns, and long formulas over several lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import islice


def width(text: str) -> int:
    """Columns that a text takes: a dot over a letter takes none."""
    return sum(not unicodedata.combining(letter) for letter in text)


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))


def table(rows: Sequence[Sequence[str]], gap: int = 3) -> list[str]:
    """Rows of texts with aligned columns."""
    widths = [max(width(row[k]) for row in rows) for k in range(len(rows[0]))] if rows else []
    return [
        (" " * gap).join(padded(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def wrapped(text: str, columns: int, indent: int = 2) -> list[str]:
    """A formula cut before a plus or minus, outside brackets where there is room for that."""
    lines = []
    while _longer(text, columns):
        cut = _cut(text, columns)
        if cut is None:
            break
        lines.append(text[:cut].rstrip())
        text = " " * indent + text[cut:]
    return [*lines, text]


def _longer(text: str, columns: int) -> bool:
    """Whether a text takes more columns; formulas may have a million letters, of which the first few tell."""
    letters = (None for letter in text if not unicodedata.combining(letter))
    return next(islice(letters, columns, None), 0) is None


def _cut(text: str, columns: int) -> int | None:
    """Where to cut: the last sign that fits, at the lowest depth of brackets there is, if not too early in the line."""
    best: dict[int, int] = {}
    depth = place = 0
    start = len(text) - len(text.lstrip())
    for k, letter in enumerate(text):
        place += not unicodedata.combining(letter)
        if place > columns:
            break
        depth += (letter in "([") - (letter in ")]")
        if letter in "+−" and text[k - 1] == " " and text[k + 1 : k + 2] == " " and k > start + 1:
            best[depth] = k
    for level in sorted(best):
        if best[level] > columns // 3:
            return best[level]
    if best:
        return best[min(best)]
    blank = text.rfind(" ", start + 1, columns)
    return blank + 1 if blank > start else None


def paragraph(text: str, columns: int, indent: str = "") -> list[str]:
    """Words in lines."""
    lines, line = [], indent
    for word in text.split(" "):
        if width(line) + 1 + width(word) > columns and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return [*lines, line.rstrip()] if line.strip() else lines
