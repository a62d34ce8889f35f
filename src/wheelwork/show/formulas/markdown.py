"""The document as Markdown with formulas in LaTeX, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .blocks import Array, Block, Grid, Heading, Lines, Paragraph, Piece, in_words
from .tex import aligned, array, fitting


def render(blocks: Iterable[Block]) -> str:
    return "\n\n".join(_block(block) for block in blocks) + "\n"


def _words(pieces: Sequence[Piece]) -> str:
    def words(text: str) -> str:
        return text.replace("_", "\\_").replace("*", "\\*")

    return in_words(pieces, "latex", "${}$".format, "`{}`".format, words)


def _block(block: Block) -> str:
    match block:
        case Heading(level, pieces):
            return "#" * (level + 1) + " " + _words(pieces)
        case Paragraph(pieces):
            return _words(pieces)
        case Lines():
            return f"$$\n{aligned(block)}\n$$"
        case Array():
            if isinstance(shown := fitting(block), Lines):
                return _block(shown)
            return "\n\n".join(f"$$\n{array(block, part)}\n$$" for part in shown)
        case Grid(columns, rows, right):
            marks = ["--:" if k in right else ":--" for k in range(len(columns))]
            lines = [[_words(cell) for cell in columns], marks, *([_words(c) for c in row] for row in rows)]
            return "\n".join("| " + " | ".join(line) + " |" for line in lines)
