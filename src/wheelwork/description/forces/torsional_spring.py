"""Torsional spring and damper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref, not_negative
from wheelwork.description.forces.base import Load
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.values import Z_AXIS, Angle, Axis, TorsionalDamping, TorsionalStiffness


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
        comment: free text
    """

    type: Literal["torsional_spring"] = "torsional_spring"
    joint: Annotated[str | None, Ref("joint")] = None
    bodies: Annotated[tuple[str, str] | None, Ref("body")] = None
    axis: Axis | None = None
    stiffness: TorsionalStiffness
    damping: TorsionalDamping = 0.0
    free_angle: Angle = 0.0

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.bodies is not None and self.axis is None else {}

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
