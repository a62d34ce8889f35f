"""Universal joint (Cardan, Hooke): a cross whose arms are fixed in a and in b.

Equations (4): p_b - p_a = 0;  ez_a . ez_b = 0, with ez_a along `axis` (fixed in a) and ez_b along `axis2`
(fixed in b). Source: Haug (1989), sec. 9.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.geometry import angle_between, directions
from wheelwork.description.values import Direction
from wheelwork.elements.joints.base import AxisJoint, Freedom
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import coincident, perpendicular

# Less than this off the right angle is a misfit to assemble away; more is a different joint.
_TOLERANCE = math.radians(1.0)


class Universal(AxisJoint):
    """A cross whose arms turn in body a and body b: common centre, arms at a right angle. Removes 4 degrees of freedom.

    Fields:
        point [m]: centre of the cross, in the world at the assembled position
        axis [1]: arm that turns in body a, in the world, any length
        axis2 [1]: arm that turns in body b, in the world, at a right angle to `axis`
        frame_a: frame in body a, z along the first arm
        frame_b: frame in body b, z along the second arm
    """

    type: Literal["universal"] = "universal"
    kinds = frozenset({SPATIAL})
    instead = "use `revolute`"
    axis2: Direction | None = None
    world = ("point", "axis", "axis2")
    steps = (Freedom("turn", "first"), Freedom("turn", "second", "z_b"))
    printed = ("point", "z.z")
    symbol = ("arm", "arm")
    points_meet = True
    in_train = "mean coupling"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        both = directions((self.axis, self.axis2), value)
        if both is None:
            return
        angle = angle_between(*both)
        if angle < _TOLERANCE:
            yield Issue("axis2", "is parallel to `axis`, but the arms of the cross are at a right angle")
        elif angle < math.pi / 2 - _TOLERANCE:
            yield Issue(
                "axis2",
                f"is at {math.degrees(angle):.4g} deg to `axis`, but the arms of the cross are at 90 deg",
            )

    class InSpace(JointEquations):
        row_names = ("x", "y", "z", "cross")

        def equations(self, a, b, extras, counted):
            return [*coincident(a, b), perpendicular(a, a.ez, b, b.ez)]

        def markers(self, joint, place):
            return place.joint_frames(joint, axis_b="axis2")
