"""Force and torque on one body."""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.model.base import Ref
from wheelwork.model.forces.base import Load
from wheelwork.model.values import Point, VaryingForce, VaryingTorque


class Force(Load):
    """A force at a point of a body.

    Fields:
        body: name of the body
        value [N]: three components; numbers, formulas of `t` and signals, or tables
        point [m]: where it acts, in the body frame; the centre of mass where left out
        frame: axes of the components: `world` (of the mechanism) or `body`
        comment: free text
    """

    type: Literal["force"] = "force"
    body: Annotated[str, Ref("moving body")]
    value: tuple[VaryingForce, VaryingForce, VaryingForce]
    point: Point | None = None
    frame: Literal["world", "body"] = "world"


class Torque(Load):
    """A torque on a body.

    Fields:
        body: name of the body
        value [N m]: three components; numbers, formulas of `t` and signals, or tables
        frame: axes of the components: `world` (of the mechanism) or `body`
        comment: free text
    """

    type: Literal["torque"] = "torque"
    body: Annotated[str, Ref("moving body")]
    value: tuple[VaryingTorque, VaryingTorque, VaryingTorque]
    frame: Literal["world", "body"] = "world"
