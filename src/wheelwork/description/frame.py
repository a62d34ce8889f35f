"""Attachment frames: named places on bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from wheelwork.description.base import Element, Evaluate, Issue, Ref
from wheelwork.description.body_geometry import Pieces
from wheelwork.description.orientation import Orientation
from wheelwork.description.values import ORIGIN, Angle, Point


class Frame(Element):
    """A named frame on a body. A joint names it instead of the body; outside a component it is `component.frame`.

    Fields:
        body: name of the body it is fixed to, or `ground`
        position [m]: of its origin, in the body frame
        orientation: of its axes, in the body frame
        angle [rad]: of its axes in the body frame about z, in a planar mechanism instead of `orientation`
        geometry: files and simple solids that stand in it, for looks only; also on ground
    """

    collection: ClassVar[str] = "frames"
    noun: ClassVar[str] = "frame"

    body: Annotated[str, Ref("body")]
    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    angle: Angle | None = None
    geometry: Pieces = ()

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        for k, piece in enumerate(self.geometry):
            yield from (one._replace(field=f"geometry.{k}.{one.field}") for one in piece.all_issues(value))
            if piece.density is not None:
                text = "geometry on a frame is for looks only, and has no density"
                yield Issue(f"geometry.{k}.density", text, "give it to the body")
