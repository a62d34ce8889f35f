"""Fixed joint in the plane: a weld.

Equations (3): p_b - p_a = 0 (x and y), and the angle between the frames' x axes, taken within half a turn, is
zero::

    Phi   = [ p_b - p_a; phi_b - phi_a ]
    Phi_q = [-1, -B_a s_a', 1, B_b s_b'; 0, -1, 0, 1]
    nu    = 0
    gamma = [ A_b s_b' w_b^2 - A_a s_a' w_a^2; 0 ]

Source: Haug (1989), sec. 3.3: the revolute joint and the relative angle.
"""

from __future__ import annotations

from ..rows import coincident, turn_about_axis
from .base import PlanarJointEquations


class Fixed(PlanarJointEquations):
    type = "fixed"
    row_names = ("x", "y", "turn")

    def equations(self, a, b, extras, counted):
        return [*coincident(a, b)[:2], turn_about_axis(a, b)]
