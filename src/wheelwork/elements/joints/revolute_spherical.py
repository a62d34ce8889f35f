"""Revolute-spherical rod: a massless link, hinged to a about `axis` at point_a, with a ball at point_b of b.

Equations (2): |p_b - p_a| - length = 0;  ez_a . (p_b - p_a) - offset = 0. `offset` is the distance of the ball
from the plane of the hinge at the given position, so that the ball keeps to a circle about the hinge's axis.
Composite joint after Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.description.values import Direction
from wheelwork.elements.joints.distance import Link
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import offset_along, separation


class RevoluteSpherical(Link):
    """A massless link with a hinge on body a and a ball joint on body b. Removes 2 degrees of freedom.

    The ball stays in the plane through `point_a` at a right angle to the axis, at the link's length from `point_a`.

    Fields:
        bodies: names of body a (hinge) and body b (ball)
        point_a [m]: centre of the hinge, in the world at the assembled position
        axis [1]: axis of the hinge in the world, any length
        point_b [m]: centre of the ball, in the world at the assembled position
        length [m]: of the link; that of the given position where left out
        frame_a: frame in body a, its origin is the hinge's centre, z along the axis
        frame_b: frame in body b, its origin is the ball's centre
    """

    type: Literal["revolute_spherical"] = "revolute_spherical"
    kinds = frozenset({SPATIAL})
    instead = "use `revolute_revolute`"
    axis: Direction | None = None
    world = ("point_a", "axis", "point_b")
    printed = ("length", "z - offset")
    has_rod = True

    class InSpace(JointEquations):
        row_names = ("length", "plane")
        extras = ("length", "offset")

        def equations(self, a, b, extras, counted):
            length, plane = separation(a, b), offset_along(a, a.ez, b)
            return [
                replace(length, value=length.value - extras["length"]),
                replace(plane, value=plane.value - extras["offset"]),
            ]

        def markers(self, joint, place):
            return place.two_points(joint, axis_a="axis")

        def extra_values(self, joint, place):
            length = place.length_between(joint) if joint.length is None else place.value(joint.length)
            return [length, place.offset_along_axis(joint)]
