"""Checks that need the whole description."""

from __future__ import annotations

from wheelwork.model.description import Description


def validate(description: Description) -> None:
    """Raise `ModelError` with everything wrong in a description and in its components."""
