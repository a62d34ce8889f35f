"""Drivers: coordinates prescribed as functions of time. How to add one: see the list in `wheelwork.model.base`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from wheelwork.model.base import Element, Ref
from wheelwork.model.union import ByType
from wheelwork.model.values import PrescribedCoordinate, PrescribedLength


class Driver(Element):
    """A motion that is given; the force it takes is a result.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "drivers"
    noun: ClassVar[str] = "driver"


class JointDriver(Driver):
    """A joint coordinate follows a function of time.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        value [rad or m]: formula of `t` and parameters, or table
        comment: free text
    """

    type: Literal["joint"] = "joint"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    value: PrescribedCoordinate


class BodyDriver(Driver):
    """A coordinate of a body frame's origin follows a function of time.

    Fields:
        body: name of the body
        coordinate: `x`, `y` or `z` in the axes of the mechanism
        value [m]: formula of `t` and parameters, or table
        comment: free text
    """

    type: Literal["body"] = "body"
    body: Annotated[str, Ref("moving body")]
    coordinate: Literal["x", "y", "z"]
    value: PrescribedLength


AnyDriver = Annotated[JointDriver | BodyDriver, ByType()]
