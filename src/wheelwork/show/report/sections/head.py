"""What it is, how it ended, in the model's own words."""

from __future__ import annotations

from html import escape


def head(title: str, good: bool, outcome: str, words: str, comment: str) -> str:
    badge = f'<span class="badge{"" if good else " bad"}">{escape(outcome)}</span>'
    return (
        f"<header><div><h1>{escape(title)}</h1><p>{badge} <span class='soft'>{escape(words)}</span></p></div>"
        '<button id="theme" title="light or dark">◐</button></header>'
        + (f'<p class="comment">{escape(in_paragraphs(comment))}</p>' if comment else "")
    )


def in_paragraphs(text: str) -> str:
    """Lines of a comment joined to paragraphs."""
    return "\n".join(" ".join(lines.split()) for lines in text.strip().split("\n\n"))
