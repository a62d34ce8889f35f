"""Torsional spring and damper on a joint angle, or between two bodies about an axis (a shaft between rotors).

Torque on b about z: T = -(k (phi - phi0) + c phi'), and -T on a, with phi the angle from a to b counted over any number
of turns. Stored energy: k (phi - phi0)^2 / 2. Between bodies without a joint each body carries the axis along, z_a and
z_b: phi is the turn about it that is left when b is tilted back the shortest way, and T acts along
(z_a + z_b)/(1 + z_a . z_b), which is z where the axes are parallel.
"""

from __future__ import annotations

import casadi as ca

from ..rows import turn_about_axis
from .base import Binding, Effect, ForceEquations, SignalExpression, along


class TorsionalSpring(ForceEquations):
    type = "torsional_spring"

    def bind(self, force, context):
        place = context.place
        if force.joint is not None:
            joint = context.joint(force.joint)
            joint.coordinate("angle")
            bodies, markers, turn = joint.bodies, list(joint.markers), context.joint_turn(force.joint)
        else:
            bodies = list(force.bodies)
            markers, turn = context.coaxial(bodies, force.axis)
        numbers = [place.value(x) for x in (force.stiffness, force.damping, force.free_angle)]
        return Binding(bodies, [*markers, *numbers], turns=[turn])

    def effect(self, arguments):
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
