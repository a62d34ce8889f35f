"""Gears that cannot be."""

from __future__ import annotations


class GeometryError(ValueError):
    """A gear or a pair cannot exist with the numbers given; the text says which, why, and what to change."""
