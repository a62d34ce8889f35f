"""Distance joint, and the massless rod with two spherical ends (a composite joint that saves a body).

Equation (1): |p_b - p_a| - length = 0. `length` must be positive; left out, it is the distance at the given
position. Written with the distance itself and not its square, the multiplier is the force in the rod (N, tension
positive). Source: Haug (1989), eq. 9.4.7 (there squared).
"""

from __future__ import annotations

from dataclasses import replace

from ..rows import separation
from .base import JointEquations


class Distance(JointEquations):
    type = "distance"
    row_names = ("length",)
    extras = ("length",)

    def equations(self, a, b, extras, counted):
        row = separation(a, b)
        return [replace(row, value=row.value - extras["length"])]

    def coordinate(self, name, a, b, counted):
        """The distance, where a driver prescribes it."""
        return separation(a, b)

    def markers(self, joint, place):
        return place.two_points(joint)

    def extra_values(self, joint, place):
        return [place.length_between(joint) if joint.length is None else place.value(joint.length)]


class Rod(Distance):
    type = "rod"
