"""What notebooks show of an object that ends a cell: a short table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_STYLE = "text-align: left; vertical-align: top; padding: 1px 14px 1px 0; background: none"


def short_table(title: str, rows: Mapping[str, object], note: str = "") -> str:
    """A table of two columns as HTML: what, and its value."""
    lines = "".join(f"<tr>{_cell(head, 'th')}{_cell(value)}</tr>" for head, value in rows.items())
    return _table(title, lines, note)


def grid(title: str, headings: Sequence[str], rows: Sequence[Sequence[object]], note: str = "") -> str:
    """A table with headings as HTML."""
    head = "".join(_cell(heading, "th") for heading in headings)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return _table(title, f"<tr>{head}</tr>{lines}", note)


def escape(text: str) -> str:
    """Text that is not markup; `html`, which has this too, takes a millisecond to load, and every run loads this."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _cell(value: object, tag: str = "td") -> str:
    return f'<{tag} style="{_STYLE}">{escape(str(value))}</{tag}>'


def _table(title: str, lines: str, note: str) -> str:
    parts = escape(note).split("`")  # every second one is code
    words = "".join(f"<code>{part}</code>" if k % 2 else part for k, part in enumerate(parts))
    below = f'<div style="opacity: 0.7">{words}</div>' if note else ""
    return f'<div><strong>{escape(title)}</strong><table style="margin: 0">{lines}</table>{below}</div>'
