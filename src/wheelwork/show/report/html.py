"""Small pieces of HTML that the sections share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

FAILED = "This part of the report could not be made"


def section(title: str, *parts: str, name: str = "") -> str:
    """A heading with what belongs to it; nothing where there is nothing."""
    body = "".join(part for part in parts if part)
    return (
        f'<section id="{escape(name or title.lower())}"><h2>{escape(title)}</h2>{body}</section>'
        if body
        else ""
    )


def attempt(title: str, make: Callable[[], str]) -> str:
    """A section; where it fails it says so in its place, and leaves the rest of the report alone."""
    try:
        return make()
    except Exception as error:  # whatever it is, it must not take the other sections with it
        return section(title, note(failed(error)))


def failed(error: Exception) -> str:
    """What to say of a part that could not be made."""
    return f"{FAILED} ({type(error).__name__}: {error}). The result itself is complete."


def card(body: str) -> str:
    return f'<div class="card scroll">{body}</div>' if body else ""


def side_by_side(*cards: str) -> str:
    return f'<div class="tables">{"".join(cards)}</div>' if any(cards) else ""


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Headings with what belongs to them."""
    cells = "".join(
        f'<tr><td class="key">{escape(name)}</td><td class="text">{marked(value)}</td></tr>'
        for name, value in rows
        if value
    )
    return f"<table>{cells}</table>" if cells else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str | float]]) -> str:
    """Numbers to the right, texts to the left."""
    body = list(rows)
    if not body:
        return ""
    right = [any(isinstance(row[k], float) for row in body) for k in range(len(columns))]
    head = "".join(
        f"<th{' class=number' if side else ''}>{escape(column)}</th>"
        for column, side in zip(columns, right, strict=True)
    )
    lines = "".join(
        "<tr>" + "".join(_cell(cell, side) for cell, side in zip(row, right, strict=True)) + "</tr>"
        for row in body
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def _cell(cell: str | float, right: bool) -> str:
    text = marked(cell) if isinstance(cell, str) else number(cell)
    return f'<td class="number">{text}</td>' if right else f"<td>{text}</td>"


def number(value: float) -> str:
    """Nothing is a whole 1e-17 metres long: what rounding leaves is shown as zero."""
    return "0" if abs(value) < 1e-13 else f"{value:.5g}".replace("e-0", "e-").replace("e+0", "e+")


def note(text: str) -> str:
    return f'<p class="note">{marked(text)}</p>' if text else ""


def marked(text: str) -> str:
    """A sentence as HTML; names between backticks are code."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", escape(text))


def picture(svg: str, caption: str) -> str:
    """A figure that stands by itself: wide ones can be scrolled."""
    wide = float(svg[svg.index('viewBox="') + 9 :].split('"')[0].split()[2])
    size = f' style="min-width: {min(wide, 900) * 0.8:.0f}px; max-width: {1.6 * wide:.0f}px"'
    return (
        f'<figure class="card still"><figcaption>{escape(caption)}</figcaption>'
        f'<div class="wide">{svg.replace("<svg ", f"<svg{size} ", 1)}</div></figure>'
    )
