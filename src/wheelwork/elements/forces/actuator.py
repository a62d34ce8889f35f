"""Actuator: a torque or force along a joint coordinate, +value on b and -value on a.

Generalised force along the coordinate's row: (f, t) = G_c^T value, so its power is value times the coordinate's rate.
"""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.description.base import Ref
from wheelwork.description.values import VaryingEffort
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import EFFORT, Binding, Effect, along


class Actuator(Load):
    """A torque or force along a joint coordinate: +value on body b, -value on body a.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        value [N m or N]: number, formula of `t` and signals, or table
    """

    type: Literal["actuator"] = "actuator"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    value: VaryingEffort

    def bind(self, context):
        joint = context.joint(self.joint)
        coordinate = joint.coordinate(self.coordinate)
        return Binding(joint.bodies, list(joint.markers), [self.value], [], (joint.equations, coordinate))

    @staticmethod
    def effect(arguments):
        joint, coordinate = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        row = joint.coordinate(coordinate, a, b, 0.0)
        effort = arguments.inputs[0]
        name, unit = EFFORT[coordinate]
        rate = row.rate(a, b)
        return Effect(
            along(row, effort),
            signals={
                name: (effort, unit, f"{name} along the joint coordinate, on body b"),
                "power": (effort * rate, "W", "power given to the mechanism"),
            },
        )
