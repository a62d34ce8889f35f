"""Revolute joint in the plane: a point of a and a point of b stay together.

Equations (2), x and y of::

    Phi   = p_b - p_a = r_b + A_b s_b' - r_a - A_a s_a' = 0
    Phi_q = [-1, -B_a s_a',  1, B_b s_b']
    nu    = 0
    gamma = A_b s_b' w_b^2 - A_a s_a' w_a^2

Coordinate: `angle` of b relative to a, over any number of turns. Source: Haug (1989), sec. 3.3, there as a minus b.
"""

from __future__ import annotations

from ..rows import coincident
from .base import PlanarJointEquations


class Revolute(PlanarJointEquations):
    type = "revolute"
    row_names = ("x", "y")
    coordinates = ("angle",)

    def equations(self, a, b, extras, counted):
        return coincident(a, b)[:2]
