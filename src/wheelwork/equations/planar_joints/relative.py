"""Relative constraints: the difference of x, of y or of the angle between two bodies has a given value.

Equation (1), in world axes, with points P of the bodies at the markers::

    x:      Phi = x_b^P - x_a^P - value,   gamma = x of (A_b s_b' w_b^2 - A_a s_a' w_a^2)
    y:      Phi = y_b^P - y_a^P - value,   gamma = y of the same
    angle:  Phi = phi_b - phi_a - value,   gamma = 0
    nu = 0

Angles are those of the bodies, over any number of turns. `value` left out is that of the given position. Source:
Haug (1989), sec. 3.3.
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from ..frames import Marker
from ..rows import Row, coincident
from .base import PlanarJointEquations


class Relative(PlanarJointEquations):
    """`held` is the coordinate: x, y or angle."""

    type = "relative"
    extras = ("value",)

    def __init__(self, held: str = "x"):
        self.held = held
        self.row_names = (held,)

    @property
    def key(self):
        return f"{self.type}_{self.held}"

    def chosen(self, joint):
        return type(self)(joint.coordinate)

    def equations(self, a, b, extras, counted):
        row = difference(self.held, a, b)
        return [replace(row, value=row.value - extras["value"])]

    def coordinate(self, name, a, b, counted):
        return difference(name, a, b)

    def markers(self, joint, place):
        return place.two_points(joint)

    def extra_values(self, joint, place):
        if joint.value is not None:
            return [place.value(joint.value)]
        a, b = place.world_ends(joint.bodies, self.markers(joint, place))
        if self.held == "angle":
            return [place.layout.angle(joint.bodies[1]) - place.layout.angle(joint.bodies[0])]
        k = "xy".index(self.held)
        return [b.position[k] - a.position[k]]


def difference(name: str, a: Marker, b: Marker) -> Row:
    """x, y or the angle of b less that of a, in world axes."""
    if name == "angle":
        z = ca.SX([0, 0, 1])
        assert a.body.angle is not None
        assert b.body.angle is not None
        return Row(b.body.angle - a.body.angle, a_angular=-z, b_angular=z)
    return coincident(a, b)["xy".index(name)]
