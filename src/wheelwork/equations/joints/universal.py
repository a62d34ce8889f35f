"""Universal joint (Cardan, Hooke): a cross whose arms are fixed in a and in b.

Equations (4): p_b - p_a = 0;  ez_a . ez_b = 0, with ez_a along `axis` (fixed in a) and ez_b along `axis2`
(fixed in b). Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

from ..rows import coincident, perpendicular
from .base import JointEquations


class Universal(JointEquations):
    type = "universal"
    row_names = ("x", "y", "z", "cross")

    def equations(self, a, b, extras, counted):
        return [*coincident(a, b), perpendicular(a, a.ez, b, b.ez)]

    def markers(self, joint, place):
        return place.joint_frames(joint, axis_b="axis2")
