"""A joint coordinate follows a function of time: its row less u(t); nu = u', and gamma has u'' besides."""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.description.base import Ref
from wheelwork.description.values import PrescribedCoordinate
from wheelwork.elements.drivers.base import Driver
from wheelwork.equations.joint_equations import Driven


class JointDriver(Driver):
    """A joint coordinate follows a function of time.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        value [rad or m]: formula of `t` and parameters, or table
    """

    type: Literal["joint"] = "joint"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    value: PrescribedCoordinate

    drives_joint = True

    def what(self, coordinate: str) -> str:
        return f"The {coordinate} of joint {self.joint} follows a function of time."

    def driven(self, place, registry):
        joint = registry.joint(self.joint)
        coordinate = joint.coordinate(self.coordinate)
        turn = registry.joint_turn(self.joint) if coordinate == "angle" else -1
        return Driven(joint.equations, coordinate, joint.bodies, joint.markers, turn)
