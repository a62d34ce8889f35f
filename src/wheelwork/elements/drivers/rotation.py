"""The angle between two bodies of the plane follows a function of time; the row is that of the relative constraint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref
from wheelwork.description.values import PrescribedAngle
from wheelwork.elements.drivers.base import Driver
from wheelwork.elements.joints.relative import Relative
from wheelwork.equations.joint_equations import Driven


class RotationDriver(Driver):
    """The angle of one body relative to another follows a function of time, without a joint between them.

    In the plane only. The angle is that of body b minus that of body a, and counts turns.

    Fields:
        bodies: names of body a and body b
        value [rad]: formula of `t` and parameters, or table
    """

    type: Literal["rotation"] = "rotation"
    kinds = frozenset({PLANAR})
    instead = "drive the angle of a joint"
    bodies: Annotated[tuple[str, str], Ref("body")]
    value: PrescribedAngle

    is_between = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        a, b = self.bodies
        if a == b:
            yield Issue("bodies", f"connects `{a}` to itself; a driver needs two different bodies")

    def driven(self, place, registry):
        bodies = list(self.bodies)
        return Driven(Relative.equations(PLANAR), "angle", bodies, place.center_markers(bodies))
