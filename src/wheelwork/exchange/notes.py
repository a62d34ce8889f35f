"""What one format says and the other cannot hold: listed, never dropped without a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wheelwork.problems import warn

MOST_SHOWN = 12


class ExchangeWarning(UserWarning):
    """Something was not carried from one format to the other, or under another name."""


@dataclass(frozen=True)
class Note:
    """One thing that was left out or changed on the way.

    where: `file:line`, or the element
    text: what it is, and what became of it
    """

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


def hand_over(found: list[Note], notes: list[Note] | None) -> None:
    """Into the list of who asked, or as a warning where nobody did."""
    if notes is None:
        tell(found)
    else:
        notes += found


def tell(notes: Sequence[Note]) -> None:
    """One warning with all of them; equal ones are counted, a long list is cut."""
    if not notes:
        return
    by_text: dict[str, list[str]] = {}
    for note in notes:
        by_text.setdefault(note.text, []).append(note.where)
    lines = []
    for text, places in by_text.items():
        more = f" (and {len(places) - 1} more like it)" if len(places) > 1 else ""
        lines.append(f"  {places[0]}: {text}{more}")
    left = len(lines) - MOST_SHOWN
    if left > 0:
        lines = [*lines[:MOST_SHOWN], f"  and {left} more; `notes=[]` takes the whole list"]
    many = f"{len(notes)} things" if len(notes) > 1 else "one thing"
    warn("\n".join([f"{many} could not be converted exactly:", *lines]), ExchangeWarning)
