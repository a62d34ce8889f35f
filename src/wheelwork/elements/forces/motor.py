"""Motor with a torque-speed curve, on a joint angle or a rotor.

T = command * curve(phi'), linear between the points of the curve and constant beyond its ends:
curve(w) = T_1 + sum over pieces of slope_k (clip(w, w_k, w_k+1) - w_k).
The inner corners are events, because the torque has kinks there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from wheelwork.description.base import Evaluate, Issue, Part, Ref
from wheelwork.description.formula import Formula
from wheelwork.description.values import AngularSpeed, Torque, VaryingNumber
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, along
from wheelwork.equations.piecewise import piecewise
from wheelwork.equations.rows import turn_about_axis


class MotorCurve(Part):
    """Torque over speed, linear between the points; beyond the ends the end values hold.

    Fields:
        speed [rad/s]: strictly increasing, two or more
        torque [N m]: one for each speed
    """

    speed: tuple[AngularSpeed, ...]
    torque: tuple[Torque, ...]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len(self.speed) < 2:
            yield Issue("speed", f"needs two or more speeds, but has {len(self.speed)}")
        if len(self.speed) != len(self.torque):
            yield Issue(
                "torque",
                f"needs one torque for each of the {len(self.speed)} speeds, but has {len(self.torque)}",
            )
        for name in ("speed", "torque"):
            for i, entry in enumerate(getattr(self, name)):
                if isinstance(entry, Formula):
                    why = f"a curve is made of numbers, but `{entry}` is a formula"
                    yield Issue(
                        f"{name}.{i}", why, "for a torque with parameters take an `actuator` with a formula"
                    )
        last = -math.inf
        for i, entry in enumerate(self.speed):
            number = value(entry)
            if number is not None and number <= last:
                yield Issue(f"speed.{i}", f"speeds must increase, but {number:g} follows {last:g} rad/s")
                break
            last = last if number is None else number


class Motor(Load):
    """Torque on a joint's angle or on a rotor: the curve's torque at the present speed, times `command`.

    Fields:
        joint: name of a joint with an angle; or `body`
        body: name of a rotor
        curve: torque over speed
        command [1]: share of the torque, -1 to 1; number, formula of `t` and signals, or table
    """

    type: Literal["motor"] = "motor"
    joint: Annotated[str | None, Ref("joint")] = None
    body: Annotated[str | None, Ref("rotor")] = None
    curve: MotorCurve
    command: VaryingNumber = 1.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if (self.joint is None) == (self.body is None):
            yield Issue("joint", "turns a `joint` or a rotor (`body`): give one of them")

    def bind(self, context):
        joint = context.joint(self.joint or context.bearing(self.body or ""))
        joint.coordinate("angle")
        curve = [*self.curve.speed, *self.curve.torque]
        return Binding(
            joint.bodies,
            [*joint.markers, *(context.place.value(x) for x in curve)],
            [self.command],
            options=(len(self.curve.speed),),
        )

    @staticmethod
    def effect(arguments):
        (count,) = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        speeds, torques = arguments.data[24 : 24 + count], arguments.data[24 + count : 24 + 2 * count]
        row = turn_about_axis(a, b)
        speed = row.rate(a, b)
        torque = arguments.inputs[0] * piecewise(speed, speeds, torques)[0]
        return Effect(
            along(row, torque),
            signals={
                "torque": (torque, "N m", "torque on body b"),
                "speed": (speed, "rad/s", "speed of the motor"),
                "power": (torque * speed, "W", "mechanical power"),
            },
            events=[speed - speeds[k] for k in range(1, count - 1)],
        )
