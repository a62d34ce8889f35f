"""What forces share. How to add a force: see the numbered list in `wheelwork.description.base`."""

from __future__ import annotations

from typing import ClassVar

from wheelwork.description.base import Element


class Load(Element):
    """Anything that pushes or turns bodies without constraining them.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "forces"
    noun: ClassVar[str] = "force"
