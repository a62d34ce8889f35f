"""Absolute constraints: x or y of a point of a body, or the body's angle, has a given value.

Equation (1), the relative constraint to the origin of the mechanism's frame (body a is ground)::

    x:      Phi = x_b^P - value,    Phi_q = [1, 0, x of B_b s_b'],   gamma = x of A_b s_b' w_b^2
    y:      Phi = y_b^P - value,    Phi_q = [0, 1, y of B_b s_b'],   gamma = y of A_b s_b' w_b^2
    angle:  Phi = phi_b - value,    Phi_q = [0, 0, 1],               gamma = 0
    nu = 0

Source: Haug (1989), sec. 3.2. The absolute distance of the course is the joint `distance` with ground.
"""

from __future__ import annotations

from .relative import Relative


class Absolute(Relative):
    type = "absolute"
