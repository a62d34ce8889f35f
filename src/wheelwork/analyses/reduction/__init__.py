"""Minimal coordinates: the tree of joints of a mechanism, its gear ratios, and the motion in them."""

from __future__ import annotations

from .reduce import NotReducible, Reduction, reduce

__all__ = ["NotReducible", "Reduction", "reduce"]
