"""Rotors: bodies on a fixed axis, the short form of drive lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import PLANAR, Element, Evaluate, Issue
from wheelwork.description.body import Body
from wheelwork.description.expansion import BEARING, Expansion, Parts, along, turn_z_to, unit_vector
from wheelwork.description.formula import Formula
from wheelwork.description.names import GROUND
from wheelwork.description.orientation import Orientation, Pose
from wheelwork.description.registry import find
from wheelwork.description.values import (
    ORIGIN,
    SMALLEST_MASS,
    Z_AXIS,
    Angle,
    AngularSpeed,
    Axis,
    Inertia,
    Point,
)


class Rotor(Element):
    """A body on a fixed axis of which only the moment of inertia matters; the building block of drive lines.

    It stands for a `Body` of the same name on a revolute joint `<name>.bearing` to ground, without weight.

    Fields:
        inertia [kg m^2]: moment of inertia about the axis
        axis [1]: direction of the axis, any length; numbers only; z in a planar mechanism
        position [m]: a point of the axis, where the body frame stands
        angle [rad]: at the start
        speed [rad/s]: at the start; where left out it follows from what else is given
    """

    collection: ClassVar[str] = "bodies"
    noun: ClassVar[str] = "rotor"

    type: Literal["rotor"] = "rotor"
    inertia: Inertia
    axis: Axis = Z_AXIS
    position: Point = ORIGIN
    angle: Angle = 0.0
    speed: AngularSpeed | None = None
    positive = ("inertia",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        number = value(self.inertia)
        if number is not None and 0 < number < SMALLEST_MASS:
            yield Issue("inertia", f"needs at least {SMALLEST_MASS:g} kg*m^2, but is {number:g} kg*m^2")
        if any(isinstance(component, Formula) for component in self.axis):
            yield Issue(
                "axis",
                "the axis of a rotor is made of numbers, not formulas",
                "use a body and a revolute joint",
            )

    def parts(self) -> Parts:
        """The bearing."""
        return {BEARING: ("joints", "revolute")}

    def expand(self, name: str, kind: str, meshed: frozenset[str] = frozenset()) -> Expansion:
        """Placed by frames, turned from z to the axis, so that the bearing's angle starts at `angle`."""
        n = unit_vector(self.axis)
        turned = Orientation(axis=(n[0], n[1], n[2]), angle=self.angle) if self.angle != 0 else Orientation()
        body = Body(
            mass=1.0,
            inertia=(self.inertia, self.inertia, self.inertia),
            position=self.position,
            orientation=turned,
            angle=self.angle if kind == PLANAR else None,
            angular_velocity=None if self.speed is None else along(n, self.speed),
            affected_by_gravity=False,
            comment=self.comment,
        )
        z_to_axis = turn_z_to(n)
        bearing = find("joints", "revolute")(
            bodies=(GROUND, name),
            frame_a=Pose(position=self.position, orientation=z_to_axis),
            frame_b=Pose(orientation=z_to_axis),
        )
        return Expansion(body, joints={BEARING: bearing})
