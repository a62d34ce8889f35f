"""The document as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .blocks import Array, Block, Grid, Heading, Lines, Paragraph, Piece, in_words
from .layout import padded, paragraph, table, width, wrapped
from .notation import PHI, Math, numbered
from .plain import plain

INDENT = "   "
UNBROKEN = "\u00a0"
"""A space at which a line of words is not broken."""


def render(blocks: Iterable[Block], columns: int = 100) -> str:
    lines: list[str] = []
    for block in blocks:
        made = _block(block, columns)
        if lines and not (isinstance(block, Lines | Array) and lines[-1].endswith("with")):
            lines.append("")
        lines += made
    return "\n".join(lines).replace(UNBROKEN, " ") + "\n"


def _words(pieces: Sequence[Piece]) -> str:
    return in_words(pieces, "plain", lambda text: text.replace(" ", UNBROKEN), str, str)


def _block(block: Block, columns: int) -> list[str]:
    match block:
        case Heading(level, pieces):
            text = _words(pieces)
            return [text, ("═" if level == 1 else "─") * width(text)] if level < 3 else [text]
        case Paragraph(pieces):
            return paragraph(_words(pieces), columns, INDENT)
        case Lines(lines):
            return _lines(lines, columns)
        case Array():
            return _array(block, columns)
        case Grid():
            return _grid(block)


def _lines(lines: Sequence[tuple[Math, tuple[Piece, ...]]], columns: int) -> list[str]:
    space = max(width(left.plain) for left, _ in lines)
    space = space if space <= 20 else 0
    out = []
    for left, pieces in lines:
        text = f"{padded(left.plain, space)} = {_words(pieces)}".replace(UNBROKEN, " ")
        out += [INDENT + line for line in wrapped(text, columns - len(INDENT), space + 3 if space else 5)]
    return out


def _array(block: Array, columns: int) -> list[str]:
    """Headings over columns; bodies below one another, or one entry per line, where there is no room."""
    heads = [plain(symbol) for symbol in block.formulas.columns]
    cells = [[str(cell) for cell in row] for row in block.formulas.cells]
    left = f"{block.left.plain}   "
    room = columns - len(INDENT) - width(left)
    for size in (len(heads), block.block):
        parts = [slice(k, k + size) for k in range(0, len(heads), size)]
        tables = [table([heads[part], *(row[part] for row in cells)]) for part in parts]
        if all(width(line) <= room for one in tables for line in one):
            lines = [line for one in tables for line in ("", *one)][1:]
            fronts = [left, *[" " * width(left)] * (len(lines) - 1)]
            return [(INDENT + front + line).rstrip() for front, line in zip(fronts, lines, strict=True)]
    out = []
    for k, row in enumerate(cells):
        for head, cell in zip(heads, row, strict=True):
            if cell != "0":
                text = f"∂{numbered(PHI, block.first + k).plain}/∂{head} = {cell}"
                out += [INDENT + line for line in wrapped(text, columns - len(INDENT), 5)]
    return out


def _grid(block: Grid) -> list[str]:
    rows = [[_words(cell) for cell in row] for row in (block.columns, *block.rows)]
    for k in block.right:
        space = max(width(row[k]) for row in rows)
        for row in rows:
            row[k] = " " * (space - width(row[k])) + row[k]
    return [INDENT + line for line in table(rows)]
