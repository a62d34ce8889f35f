"""Actuator: a torque or force along a joint coordinate, +value on b and -value on a.

Generalised force along the coordinate's row: (f, t) = G_c^T value, so its power is value times the coordinate's rate.
"""

from __future__ import annotations

from .base import Binding, Effect, ForceEquations, SignalExpression, along

EFFORT = {"angle": ("torque", "N m"), "displacement": ("force", "N")}
"""Name and unit of the effort that belongs to a coordinate."""


class Actuator(ForceEquations):
    type = "actuator"

    def bind(self, force, context):
        joint = context.joint(force.joint)
        coordinate = joint.coordinate(force.coordinate)
        return Binding(joint.bodies, list(joint.markers), [force.value], [], (joint.equations, coordinate))

    def effect(self, arguments):
        joint, coordinate = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        row = joint.coordinate(coordinate, a, b, 0.0)
        effort = arguments.inputs[0]
        name, unit = EFFORT[coordinate]
        rate = row.rate(a, b)
        return Effect(
            along(row, effort),
            signals={
                name: SignalExpression(effort, unit, f"{name} along the joint coordinate, on body b"),
                "power": SignalExpression(effort * rate, "W", "power given to the mechanism"),
            },
        )
