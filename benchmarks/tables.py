"""Cells and tables on the terminal."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table


def us(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds * 1e6:.3g}" if seconds < 1e-3 else f"{seconds * 1e6:.0f}"


def ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def mb(size: float) -> str:
    return f"{size / 1e6:.0f}"


def ratio(ours: float | None, theirs: float | None) -> str:
    if ours is None or theirs is None:
        return "-"
    faster = theirs / ours
    return f"{ours / theirs:.3g} ({faster:.0f}x)" if faster >= 10 else f"{ours / theirs:.2g} ({faster:.2g}x)"


def table(title: str, *columns: str, caption: str = "") -> Table:
    made = Table(title=escape(title), caption=escape(caption), title_justify="left", caption_justify="left")
    for k, column in enumerate(columns):
        made.add_column(escape(column), justify="right" if k else "left")
    return made
