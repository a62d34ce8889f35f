"""Force and torque on one body."""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.description.base import Ref
from wheelwork.description.forces.base import Load
from wheelwork.description.in_body import InBody
from wheelwork.description.values import ForceVector, TorqueVector


class Force(InBody, Load):
    """A force at a point of a body.

    Fields:
        body: name of the body
        value [N]: three components, two in the plane; numbers, formulas of `t` and signals, or tables
        point_in_body [m]: where it acts, in the body frame; the centre of mass where left out
        frame: axes of the components: `world` (of the mechanism) or `body`
        point [m]: old name of `point_in_body`
        comment: free text
    """

    type: Literal["force"] = "force"
    body: Annotated[str, Ref("moving body")]
    value: ForceVector
    frame: Literal["world", "body"] = "world"


class Torque(Load):
    """A torque on a body.

    Fields:
        body: name of the body
        value [N m]: three components, in the plane one number, about z; numbers, formulas of `t` and signals, or tables
        frame: axes of the components: `world` (of the mechanism) or `body`
        comment: free text
    """

    type: Literal["torque"] = "torque"
    body: Annotated[str, Ref("moving body")]
    value: TorqueVector
    frame: Literal["world", "body"] = "world"
