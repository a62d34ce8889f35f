"""Torsional spring and damper on a joint angle, or between two bodies about an axis (a shaft between rotors).

Torque on b about z: T = -(k (phi - phi0) + c phi'), and -T on a, with phi the angle from a to b counted over any number
of turns. Stored energy: k (phi - phi0)^2 / 2. Between bodies without a joint each body carries the axis along, z_a and
z_b: phi is the turn about it that is left when b is tilted back the shortest way, and T acts along
(z_a + z_b)/(1 + z_a . z_b), which is z where the axes are parallel.

With a characteristic M in place of k, a curve of straight pieces whose ends go on: T = -(M(phi - phi0) + c phi'), the
stored energy is its integral from 0, and its corners are events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Angle, Torque, TorsionalDamping, TorsionalStiffness
from wheelwork.elements.forces.base import Curve
from wheelwork.elements.forces.shafts import BetweenShafts
from wheelwork.equations.forces import Binding, Effect, along
from wheelwork.equations.piecewise import characteristic
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca


class SpringCurve(Curve):
    """Torque of a spring over the angle it is wound up by, linear between the points; the end pieces go on.

    Fields:
        angle [rad]: strictly increasing, two or more
        torque [N m]: one for each angle
    """

    angle: tuple[Angle, ...]
    torque: tuple[Torque, ...]
    words = ("angles", "torques", "a torque")


class TorsionalSpring(BetweenShafts):
    """Spring and damper on an angle; torque on b = -(stiffness*(angle - free_angle) + damping*rate), opposite on a.

    It acts on the angle of a joint, or on the angle between two bodies about an axis: two rotors on one axis make a
    shaft. The angle counts turns.

    Fields:
        stiffness [N m/rad]: of the spring; or `characteristic`
        characteristic: torque over the angle wound up, in place of `stiffness`
        damping [N m s/rad]: of the damper
        free_angle [rad]: angle without torque
    """

    noun = "spring"
    drive_symbol = "elastic"
    type: Literal["torsional_spring"] = "torsional_spring"
    stiffness: TorsionalStiffness | None = None
    characteristic: SpringCurve | None = None
    damping: TorsionalDamping = 0.0
    free_angle: Angle = 0.0
    error_at = 26
    not_negative = ("stiffness", "damping")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if (self.stiffness is None) == (self.characteristic is None):
            yield Issue("stiffness", "needs `stiffness` or `characteristic`: give one of them")

    def holds_turning(self, number):
        return self.characteristic is not None or number(self.stiffness) > 0

    def bind(self, context):
        bodies, markers, turn = self.shafts(context)
        curve = () if self.characteristic is None else self.characteristic.points
        given = (self.stiffness or 0.0, self.damping, self.free_angle, *curve)
        numbers = [context.place.value(x) for x in given]
        return Binding(
            bodies, [*markers, *numbers], turns=[turn], options=(len(curve) // 2,) if curve else ()
        )

    @staticmethod
    def effect(arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        stiffness, damping, free = ca.vertsplit(arguments.data[24:27])
        row = turn_about_axis(a, b, arguments.turns[0])
        rate = row.rate(a, b)
        wound = row.value - free
        pulls, stored, corners = stiffness * wound, stiffness * wound**2 / 2, []
        if arguments.options:
            (count,) = arguments.options
            pulls, stored, corners = characteristic(wound, arguments.data[27 : 27 + 2 * count])
        torque = -(pulls + damping * rate)
        return Effect(
            along(row, torque),
            potential=stored,
            events=corners,
            signals={
                "angle": (row.value, "rad", "angle from a to b, counted over turns"),
                "speed": (rate, "rad/s", "rate of the angle"),
                "torque": (torque, "N m", "torque on body b about the axis"),
            },
        )
