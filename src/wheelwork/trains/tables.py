"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], gap: int = 3) -> str:
    """Columns side by side under their heads; no blanks at the ends of lines.

    >>> print(text_table(["link", "unknowns"], [["link4", "6"]]))
    link    unknowns
    ----------------
    link4   6
    """
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    space = " " * gap

    def line(row: Sequence[str]) -> str:
        return space.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    rule = "-" * (sum(widths) + gap * (len(widths) - 1))
    return "\n".join([line(head), rule, *map(line, rows)])
