"""What springs, clutches and stops between two shafts share: they act on the angle of a joint, or of two bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.values import Z_AXIS, Axis
from wheelwork.elements.forces.base import Load
from wheelwork.lazy import casadi as ca


class BetweenShafts(Load):
    """A load on the angle of a joint, or on the angle between two bodies about an axis; the angle counts turns.

    Fields:
        joint: name of a joint with an angle; or `bodies`
        bodies: names of body a and body b
        axis [1]: axis in the world at the assembled position; that of the rotors where left out, z in the plane
    """

    joint: Annotated[str | None, Ref("joint")] = None
    bodies: Annotated[tuple[str, str] | None, Ref("body")] = None
    axis: Axis | None = None
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
                "bodies", f"connects `{self.bodies[0]}` to itself; a {self.noun} needs two different bodies"
            )
        if self.joint is not None and self.axis is not None:
            yield Issue("axis", "belongs to `bodies`; a joint has its own axis")
        if self.axis is not None and is_zero(numbers(self.axis, value)):
            yield Issue("axis", "must not be zero: it has no direction")

    def join_train(self, train, layout, placed):
        bodies = self.bodies if self.joint is None else layout.joint(self.joint).bodies
        train.left_out[placed.name] = f"{self.noun}, which counts as open"
        train.closable[placed.name] = tuple(bodies or ())

    def shafts(self, context: Any) -> tuple[list[str], list[ca.SX], int]:
        """The two bodies, their markers with z along the axis, and the index of the angle between them."""
        if self.joint is not None:
            joint = context.joint(self.joint)
            joint.coordinate("angle")
            return joint.bodies, list(joint.markers), context.joint_turn(self.joint)
        bodies = list(self.bodies or ())
        return bodies, *context.coaxial(bodies, self.axis)
