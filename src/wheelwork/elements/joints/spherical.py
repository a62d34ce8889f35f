"""Spherical joint: two points stay together.

Equations (3): p_b - p_a = 0. Source: Haug (1989), eq. 9.4.8.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.elements.joints.base import Freedom, PointJoint
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import coincident


class Spherical(PointJoint):
    """A point of body b stays on a point of body a. Removes 3 degrees of freedom.

    Fields:
        point [m]: centre of the ball, in the world at the assembled position
        frame_a: frame in body a with its origin at the centre
        frame_b: frame in body b with its origin at the centre
    """

    type: Literal["spherical"] = "spherical"
    kinds = frozenset({SPATIAL})
    instead = "use `revolute`"
    steps = (Freedom("ball"),)
    printed = ("point",)
    points_meet = True
    in_train = "support"

    class InSpace(JointEquations):
        row_names = ("x", "y", "z")

        def equations(self, a, b, extras, counted):
            return coincident(a, b)
