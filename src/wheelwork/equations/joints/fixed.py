"""Fixed joint: a weld.

Equations (6): p_b - p_a = 0;  ex_a . ey_b = 0;  ey_a . ez_b = 0;  ez_a . ex_b = 0.
Source: Haug (1989), sec. 9.4, primitives "spherical" and "dot-1".
"""

from __future__ import annotations

from ..rows import coincident, perpendicular
from .base import JointEquations


class Fixed(JointEquations):
    type = "fixed"
    row_names = ("x", "y", "z", "turn_z", "turn_x", "turn_y")

    def equations(self, a, b, extras, counted):
        return [
            *coincident(a, b),
            perpendicular(a, a.ex, b, b.ey),
            perpendicular(a, a.ey, b, b.ez),
            perpendicular(a, a.ez, b, b.ex),
        ]
