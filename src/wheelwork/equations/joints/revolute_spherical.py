"""Revolute-spherical rod: a massless link, hinged to a about `axis` at point_a, with a ball at point_b of b.

Equations (2): |p_b - p_a| - length = 0;  ez_a . (p_b - p_a) - offset = 0. `offset` is the distance of the ball
from the plane of the hinge at the given position, so that the ball keeps to a circle about the hinge's axis.
Composite joint after Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from dataclasses import replace

from ..rows import offset_along, separation
from .base import JointEquations


class RevoluteSpherical(JointEquations):
    type = "revolute_spherical"
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
