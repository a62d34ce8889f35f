"""Viscous friction in a joint: effort -c times the rate of the joint coordinate.

Dry friction, which sticks and slides, is not a force of this kind: the solver treats it as a constraint while it sticks
(:mod:`wheelwork.equations.dry_friction`).
"""

from __future__ import annotations

from .actuator import EFFORT
from .base import Binding, Effect, ForceEquations, SignalExpression, along


class ViscousFriction(ForceEquations):
    type = "friction"

    def bind(self, force, context):
        joint = context.joint(force.joint)
        coordinate = joint.coordinate(force.coordinate)
        data = [*joint.markers, context.place.value(force.viscous)]
        return Binding(joint.bodies, data, options=(joint.equations, coordinate))

    def effect(self, arguments):
        joint, coordinate = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        row = joint.coordinate(coordinate, a, b, 0.0)
        rate = row.rate(a, b)
        effort = -arguments.data[24] * rate
        name, unit = EFFORT[coordinate]
        signal = SignalExpression(effort, unit, f"viscous {name} on body b along the joint coordinate")
        return Effect(along(row, effort), signals={"viscous": signal})
