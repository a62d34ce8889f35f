"""Screw joint: sliding along z in proportion to rotation about z.

Equations (5): the four of the cylindrical joint, and  displacement - lead * angle / (2 pi) = 0,
with the angle counted over any number of turns. `lead` is the advance in a turn (m), positive for a
right-handed thread. Coordinates: `angle`, `displacement`.
"""

from __future__ import annotations

import math

from ..rows import offset_along, turn_about_axis
from .base import JointEquations
from .cylindrical import on_axis


class Screw(JointEquations):
    type = "screw"
    row_names = ("x", "y", "tilt_x", "tilt_y", "thread")
    extras = ("lead",)
    coordinates = ("angle", "displacement")
    uses_turns = True

    def equations(self, a, b, extras, counted):
        turn = turn_about_axis(a, b, counted)
        thread = offset_along(a, a.ez, b).plus(turn, -extras["lead"] / (2 * math.pi))
        return [*on_axis(a, b), thread]

    def extra_values(self, joint, place):
        return [place.value(joint.lead)]
