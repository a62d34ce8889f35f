"""What forces share. How to add a force: see the numbered list in `wheelwork.description.base`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from wheelwork.description.base import Element, Evaluate, Issue, Part


class Load(Element):
    """Anything that pushes or turns bodies without constraining them.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "forces"
    noun: ClassVar[str] = "force"


def not_negative(part: Part, value: Evaluate, *names: str) -> Iterator[Issue]:
    """An issue for each field (or entry of a field) with a negative number."""
    for name in names:
        given = getattr(part, name)
        entries = given if isinstance(given, tuple) else (given,)
        for i, entry in enumerate(entries):
            number = None if entry is None else value(entry)
            if number is not None and number < 0:
                field = f"{name}.{i}" if isinstance(given, tuple) else name
                yield Issue(field, f"must not be negative, but is {number:g}")
