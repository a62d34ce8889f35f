"""Screw joint: sliding along z in proportion to rotation about z.

Equations (5): the four of the cylindrical joint, and  displacement - lead * angle / (2 pi) = 0,
with the angle counted over any number of turns. `lead` is the advance in a turn (m), positive for a
right-handed thread. Coordinates: `angle`, `displacement`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.values import Lead
from wheelwork.elements.joints.base import SLIDE, TURN, AxisJoint, JointWithCoordinates
from wheelwork.elements.joints.cylindrical import on_axis
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import offset_along, turn_about_axis


class Screw(JointWithCoordinates, AxisJoint):
    """Body b turns about an axis of body a and advances by `lead` each turn. Removes 5 degrees of freedom.

    Coordinates: `angle` about the axis and `displacement` along it; displacement = lead * angle / (2 pi).

    Fields:
        point [m]: a point of the axis, in the world at the assembled position
        axis [1]: direction of the axis in the world, any length
        lead [m]: advance a turn; positive for a right-hand thread, negative for a left-hand one
        frame_a: joint frame in body a, z along the axis
        frame_b: joint frame in body b, z along the axis
    """

    type: Literal["screw"] = "screw"
    kinds = frozenset({SPATIAL})
    lead: Lead
    coordinates = ("angle", "displacement")
    steps = (SLIDE, TURN)
    sample_fields = (("lead", 0.05),)
    printed = ("x", "y", "x.z", "y.z", "thread")
    symbol = ("rail", "pin")
    is_bearing = True
    one_way = "z"
    in_train = "turning"

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if value(self.lead) == 0:
            yield Issue("lead", "must not be zero", "a screw without lead is a revolute joint")

    class InSpace(JointEquations):
        row_names = ("x", "y", "tilt_x", "tilt_y", "thread")
        extras = ("lead",)

        def equations(self, a, b, extras, counted):
            turn = turn_about_axis(a, b, counted)
            thread = offset_along(a, a.ez, b).plus(turn, -extras["lead"] / (2 * math.pi))
            return [*on_axis(a, b), thread]

        def extra_values(self, joint, place):
            return [place.value(joint.lead)]
