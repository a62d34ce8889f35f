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
from typing import Literal

from wheelwork.description.base import PLANAR
from wheelwork.description.values import Direction, Length, Point
from wheelwork.elements.joints.base import JointWithCoordinates
from wheelwork.equations.joint_equations import JointEquations, frames_along
from wheelwork.equations.rows import offset_along
from wheelwork.lazy import casadi as ca


class RevoluteTranslational(JointWithCoordinates):
    """A massless block slides on a line of body a and carries a pin of body b.

    In the plane only; removes 1 degree of freedom. The pin keeps its distance from the line. The coordinate
    `displacement` is the way of the pin along the line, from `point_a`.

    Fields:
        bodies: names of body a (the line) and body b (the pin)
        point_a [m]: a point of the line, in the world at the assembled position
        axis [1]: direction of the line in the world, any length
        point_b [m]: the pin, in the world at the assembled position
        distance [m]: of the pin from the line, positive on its left seen along `axis`; that of the given position where
            left out
        frame_a: frame in body a, its origin on the line, x along it
        frame_b: frame in body b, its origin is the pin
    """

    type: Literal["revolute_translational"] = "revolute_translational"
    kinds = frozenset({PLANAR})
    coordinates = ("displacement",)
    point_a: Point | None = None
    axis: Direction | None = None
    point_b: Point | None = None
    distance: Length | None = None
    world = ("point_a", "axis", "point_b")

    class InPlane(JointEquations):
        row_names = ("distance",)
        extras = ("distance",)

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
