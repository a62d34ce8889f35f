"""Revolute-translational joint: a massless link that slides along a line of a and is hinged to a point of b.

Equation (1): the point of b keeps its distance from the line through a's marker along its x axis, positive on the
line's left::

    Phi   = ey_a . d - distance = 0,     d = p_b - p_a
    nu    = 0
    gamma = -ex_a' . (B_ab s_b' (w_b - w_a)^2 - B_a^T (r_b - r_a) w_a^2 - 2 A_a^T (v_b - v_a) w_a)

`distance` left out is that of the given position. Coordinate: `displacement` along the line. Source: Haug (1989),
sec. 3.3 (composite joints), where the line's direction v_i has any length and c is the distance; gamma as in the
translational joint's errata.
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from ..rows import offset_along
from .base import PlanarJointEquations, frames_along


class RevoluteTranslational(PlanarJointEquations):
    type = "revolute_translational"
    row_names = ("distance",)
    extras = ("distance",)
    coordinates = ("displacement",)

    def equations(self, a, b, extras, counted):
        row = offset_along(a, a.ey, b)
        return [replace(row, value=row.value - extras["distance"])]

    def markers(self, joint, place):
        return frames_along(joint, place)

    def extra_values(self, joint, place):
        if joint.distance is not None:
            return [place.value(joint.distance)]
        a, b = place.world_ends(joint.bodies, self.markers(joint, place))
        return [ca.dot(a.axes[:, 1], b.position - a.position)]
