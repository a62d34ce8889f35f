"""Motor with a torque-speed curve, on a joint angle or a rotor.

T = command * curve(phi'), linear between the points of the curve and constant beyond its ends:
curve(w) = T_1 + sum over pieces of slope_k (clip(w, w_k, w_k+1) - w_k).
The inner corners are events, because the torque has kinks there.
"""

from __future__ import annotations

import casadi as ca

from ..rows import turn_about_axis
from .base import Binding, Effect, ForceEquations, SignalExpression, along


class Motor(ForceEquations):
    type = "motor"

    def bind(self, force, context):
        joint = context.joint(force.joint if force.joint is not None else context.bearing(force.body))
        joint.coordinate("angle")
        curve = [*force.curve.speed, *force.curve.torque]
        return Binding(
            joint.bodies,
            [*joint.markers, *(context.place.value(x) for x in curve)],
            [force.command],
            options=(len(force.curve.speed),),
        )

    def effect(self, arguments):
        (count,) = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        speeds, torques = arguments.data[24 : 24 + count], arguments.data[24 + count : 24 + 2 * count]
        row = turn_about_axis(a, b)
        speed = row.rate(a, b)
        torque = torques[0]
        for k in range(count - 1):
            slope = (torques[k + 1] - torques[k]) / (speeds[k + 1] - speeds[k])
            torque = torque + slope * (ca.fmin(ca.fmax(speed, speeds[k]), speeds[k + 1]) - speeds[k])
        torque = arguments.inputs[0] * torque
        return Effect(
            along(row, torque),
            signals={
                "torque": SignalExpression(torque, "N m", "torque on body b"),
                "speed": SignalExpression(speed, "rad/s", "speed of the motor"),
                "power": SignalExpression(torque * speed, "W", "mechanical power"),
            },
            events=[speed - speeds[k] for k in range(1, count - 1)],
        )
