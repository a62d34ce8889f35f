"""Torsional spring and damper on a joint angle, or between two bodies about an axis (a shaft between rotors).

Torque on b about z: T = -(k (phi - phi0) + c phi'), and -T on a, with phi the angle from a to b counted over any number
of turns. Stored energy: k (phi - phi0)^2 / 2. Between bodies without a joint each body carries the axis along, z_a and
z_b: phi is the turn about it that is left when b is tilted back the shortest way, and T acts along
(z_a + z_b)/(1 + z_a . z_b), which is z where the axes are parallel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref, not_negative
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.values import Z_AXIS, Angle, Axis, TorsionalDamping, TorsionalStiffness
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, SignalExpression, along
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca


class TorsionalSpring(Load):
    """Spring and damper on an angle; torque on b = -(stiffness*(angle - free_angle) + damping*rate), opposite on a.

    It acts on the angle of a joint, or on the angle between two bodies about an axis: two rotors on one axis make a
    shaft. The angle counts turns.

    Fields:
        joint: name of a joint with an angle; or `bodies`
        bodies: names of body a and body b
        axis [1]: axis in the world at the assembled position; that of the rotors where left out, z in the plane
        stiffness [N m/rad]: of the spring
        damping [N m s/rad]: of the damper
        free_angle [rad]: angle without torque
    """

    type: Literal["torsional_spring"] = "torsional_spring"
    joint: Annotated[str | None, Ref("joint")] = None
    bodies: Annotated[tuple[str, str] | None, Ref("body")] = None
    axis: Axis | None = None
    stiffness: TorsionalStiffness
    damping: TorsionalDamping = 0.0
    free_angle: Angle = 0.0
    load_signals = ("torque",)

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.bodies is not None and self.axis is None else {}

    def takes_axis_of_rotors(self, kind: str) -> bool:
        return kind != PLANAR and self.bodies is not None and self.axis is None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if (self.joint is None) == (self.bodies is None):
            yield Issue("joint", "acts on a `joint` or between two `bodies`: give one of them")
        if self.bodies is not None and self.bodies[0] == self.bodies[1]:
            yield Issue(
                "bodies", f"connects `{self.bodies[0]}` to itself; a spring needs two different bodies"
            )
        if self.joint is not None and self.axis is not None:
            yield Issue("axis", "belongs to `bodies`; a joint has its own axis")
        if self.axis is not None and is_zero(numbers(self.axis, value)):
            yield Issue("axis", "must not be zero: it has no direction")
        yield from not_negative(self, value, "stiffness", "damping")

    def bind(self, context):
        place = context.place
        if self.joint is not None:
            joint = context.joint(self.joint)
            joint.coordinate("angle")
            bodies, markers, turn = joint.bodies, list(joint.markers), context.joint_turn(self.joint)
        else:
            bodies = list(self.bodies or ())
            markers, turn = context.coaxial(bodies, self.axis)
        numbers = [place.value(x) for x in (self.stiffness, self.damping, self.free_angle)]
        return Binding(bodies, [*markers, *numbers], turns=[turn])

    @staticmethod
    def effect(arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        stiffness, damping, free = ca.vertsplit(arguments.data[24:27])
        row = turn_about_axis(a, b, arguments.turns[0])
        rate = row.rate(a, b)
        wound = row.value - free
        torque = -(stiffness * wound + damping * rate)
        return Effect(
            along(row, torque),
            potential=stiffness * wound**2 / 2,
            signals={
                "angle": SignalExpression(row.value, "rad", "angle from a to b, counted over turns"),
                "speed": SignalExpression(rate, "rad/s", "rate of the angle"),
                "torque": SignalExpression(torque, "N m", "torque on body b about the axis"),
            },
        )
