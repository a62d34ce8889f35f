"""Clearance between two shafts: backlash of a coupling, a key or a spline, with elastic stops.

With u the angle from a to b less its middle, and the play 2 B, over which nothing holds the shafts: depths d_f = u - B
and d_b = -u - B of the two stops; torque on b T = -(f(d_f) - f(d_b)), with f one of the laws of compliant teeth
(:mod:`wheelwork.equations.backlash_laws`, with torques in place of forces):

    contact   k d + c d' in contact, never pulling
    elastic   k d + min(k d, c d') in contact, never pulling: it sets in without a jump
    printed   k d + c d' in contact, and -c u' on b in the play

Stored energy is k d^2/2 of each stop. Where a stop begins to press or ceases to is an event; a damped one ceases to
before d is zero.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import Angle, TorsionalDamping, TorsionalStiffness
from wheelwork.elements.forces.shafts import BetweenShafts
from wheelwork.equations.backlash_laws import FLANKS, pressed
from wheelwork.equations.forces import Binding, Effect, along
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca


class Clearance(BetweenShafts):
    """Play between two shafts, with spring and damper at its ends.

    Fields:
        play [rad]: from one end to the other
        middle [rad]: angle from a to b in the middle of the play
        stiffness [N m/rad]: of the stops at its ends
        damping [N m s/rad]: of these
        law: `contact` (the damper acts in contact, stops never pull), `elastic` (as `contact`, and the damper gives no
            more than the spring) or `printed` (the damper acts in the play too, and may pull)
    """

    noun = "clearance"
    drive_symbol = "play"
    type: Literal["clearance"] = "clearance"
    play: Angle
    middle: Angle = 0.0
    stiffness: TorsionalStiffness
    damping: TorsionalDamping = 0.0
    law: Literal["contact", "elastic", "printed"] = "contact"
    positive = ("stiffness",)
    not_negative = ("play", "damping")
    sample_fields: ClassVar = {"play": 0.02, "stiffness": 30.0}

    def holds_turning(self, number):
        return True

    def bind(self, context):
        bodies, markers, turn = self.shafts(context)
        given = (self.play, self.middle, self.stiffness, self.damping)
        data = [*markers, *map(context.place.value, given)]
        return Binding(bodies, data, turns=[turn], options=(self.law,))

    @staticmethod
    def effect(arguments):
        (law,) = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        play, middle, k, c = ca.vertsplit(arguments.data[24:28])
        row = turn_about_axis(a, b, arguments.turns[0])
        rate, u = row.rate(a, b), row.value - middle
        depths = [u - play / 2, -u - play / 2]
        front, back = (FLANKS[law](k, c, d, sign * rate) for d, sign in zip(depths, (1, -1), strict=True))
        # of `elastic` also where the damper begins to give as much as the spring
        kinks = {"printed": (), "contact": (c,), "elastic": (c, -c)}[law]
        ends = [pressed(k, x, d, sign * rate) for x in kinks for d, sign in zip(depths, (1, -1), strict=True)]
        torque = back - front
        if law == "printed":
            torque = torque - ca.if_else(ca.fmax(*depths) <= 0, c * rate, 0.0)
        spring = k * (ca.fmax(depths[1], 0.0) - ca.fmax(depths[0], 0.0))
        side = ca.if_else(depths[0] > 0, 1.0, ca.if_else(depths[1] > 0, -1.0, 0.0))
        return Effect(
            along(row, torque),
            potential=k / 2 * ca.fmax(ca.fmax(*depths), 0.0) ** 2,
            signals={
                "angle": (u, "rad", "angle from a to b minus the middle of the play"),
                "speed": (rate, "rad/s", "rate of the angle"),
                "torque": (torque, "N m", "torque on body b about the axis"),
                "heat": ((spring - torque) * rate, "W", "power lost in the damping"),
                "mode": (side, "1", "1 or -1: at the upper or lower end; 0: in the play"),
            },
            events=ends or depths,
            touches=2,
        )
