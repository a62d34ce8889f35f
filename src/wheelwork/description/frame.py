"""Attachment frames: named places on bodies."""

from __future__ import annotations

from typing import Annotated, ClassVar

from wheelwork.description.base import Element, Ref
from wheelwork.description.orientation import Orientation
from wheelwork.description.values import ORIGIN, Angle, Point


class Frame(Element):
    """A named frame on a body. A joint names it instead of the body; outside a component it is `component.frame`.

    Fields:
        body: name of the body it is fixed to, or `ground`
        position [m]: of its origin, in the body frame
        orientation: of its axes, in the body frame
        angle [rad]: of its axes in the body frame about z, in a planar mechanism instead of `orientation`
    """

    collection: ClassVar[str] = "frames"
    noun: ClassVar[str] = "frame"

    body: Annotated[str, Ref("body")]
    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    angle: Angle | None = None
