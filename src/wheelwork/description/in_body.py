"""Points in the axes of one body: `point_in_body`, while a `point` is in the world, as those of joints are."""

from __future__ import annotations

from wheelwork.description.base import Part
from wheelwork.description.values import Point


class InBody(Part):
    """A part with a point in the body frame.

    Fields:
        point_in_body [m]: the point, in the body frame
    """

    point_in_body: Point | None = None
