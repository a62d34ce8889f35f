"""Contradictions in the description of a mesh, and how numbers are written in them."""

from __future__ import annotations

import math

TOLERANCE = 1e-6
"""Lengths and ratios agree to within this part of their value, directions to within this angle [rad]."""


class MeshFault(Exception):
    """What is wrong with a mesh, what to do about it, and the field it is about."""

    def __init__(self, message: str, hint: str = "", field: str = ""):
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path: tuple[str, ...] = (field,) if field else ()


def millimetres(length: float) -> str:
    return f"{length * 1e3:.9g} mm"


def degrees(angle: float) -> str:
    return f"{math.degrees(angle):.9g} deg"


def agree(first: float, second: float) -> bool:
    """Whether two lengths or ratios are the same within the tolerance."""
    return abs(first - second) <= TOLERANCE * max(abs(first), abs(second))
