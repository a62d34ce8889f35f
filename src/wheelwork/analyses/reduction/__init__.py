"""Minimal coordinates: the tree of joints of a mechanism, its gear ratios, and the motion in them."""

# ruff: noqa: F401
from __future__ import annotations

from .reduce import NotReducible, Reduction, reduce
