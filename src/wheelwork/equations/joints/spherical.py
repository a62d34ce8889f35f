"""Spherical joint: two points stay together.

Equations (3): p_b - p_a = 0. Source: Haug (1989), eq. 9.4.8.
"""

from __future__ import annotations

from ..rows import coincident
from .base import JointEquations


class Spherical(JointEquations):
    type = "spherical"
    row_names = ("x", "y", "z")

    def equations(self, a, b, extras, counted):
        return coincident(a, b)
