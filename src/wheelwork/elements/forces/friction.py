"""Viscous friction in a joint: effort -c times the rate of the joint coordinate.

Dry friction, which sticks and slides, is not a force of this kind: the solver treats it as a constraint while it sticks
(:mod:`wheelwork.system.kernels`).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from wheelwork.description.base import AT_LEAST_ONE, Ref
from wheelwork.description.values import Effort, Length, Number, ViscousDamping
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import EFFORT, Binding, Effect, along


class Friction(Load):
    """Viscous and dry friction along a joint coordinate.

    Dry friction is the sum of a constant part and one proportional to the joint's reaction.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        viscous [N m s/rad or N s/m]: torque or force for each unit of speed
        coulomb [N m or N]: constant dry friction
        coefficient [1]: of dry friction, times the reaction
        radius [m]: at which the reaction rubs; needed for an angle with a `coefficient`
        static_ratio [1]: friction at rest over friction in motion, at least 1
    """

    type: Literal["friction"] = "friction"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    viscous: ViscousDamping = 0.0
    coulomb: Effort = 0.0
    coefficient: Number = 0.0
    radius: Length | None = None
    static_ratio: Number = 1.0
    not_negative = ("viscous", "coulomb", "coefficient", "radius")
    ranges: ClassVar = {"static_ratio": AT_LEAST_ONE}

    def bind(self, context):
        joint = context.joint(self.joint)
        coordinate = joint.coordinate(self.coordinate)
        data = [*joint.markers, context.place.value(self.viscous)]
        return Binding(joint.bodies, data, options=(joint.equations, coordinate))

    def add_to(self, builder, placed):
        builder.add_dry_friction(placed)
        super().add_to(builder, placed)

    @staticmethod
    def effect(arguments):
        joint, coordinate = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        row = joint.coordinate(coordinate, a, b, 0.0)
        rate = row.rate(a, b)
        effort = -arguments.data[24] * rate
        name, unit = EFFORT[coordinate]
        signal = (effort, unit, f"viscous {name} on body b along the joint coordinate")
        return Effect(along(row, effort), signals={"viscous": signal})
