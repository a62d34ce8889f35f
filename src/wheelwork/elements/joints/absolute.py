"""Absolute constraints: x or y of a point of a body, or the body's angle, has a given value.

Equation (1), the relative constraint to the origin of the mechanism's frame (body a is ground)::

    x:      Phi = x_b^P - value,    Phi_q = [1, 0, x of B_b s_b'],   gamma = x of A_b s_b' w_b^2
    y:      Phi = y_b^P - value,    Phi_q = [0, 1, y of B_b s_b'],   gamma = y of A_b s_b' w_b^2
    angle:  Phi = phi_b - value,    Phi_q = [0, 0, 1],               gamma = 0
    nu = 0

Source: Haug (1989), sec. 3.2. The absolute distance of the course is the joint `distance` with ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref
from wheelwork.description.names import GROUND
from wheelwork.description.orientation import Pose
from wheelwork.description.values import ORIGIN, Coordinate, Point
from wheelwork.elements.joints.base import Constraint
from wheelwork.elements.joints.relative import PlanarCoordinate, Relative, coordinate_issues, point_issues


class Absolute(Constraint):
    """A coordinate of a body is held: x or y of a point of it, or its angle.

    In the plane only; removes 1 degree of freedom. It is a relative constraint to ground: x and y are measured from the
    origin of the mechanism in the axes of the world.

    Fields:
        body: name of the body
        coordinate: `x`, `y` or `angle`
        value [m or rad]: of the coordinate; that of the given position where left out
        point [m]: point of the body, in the world at the assembled position; its origin where left out
        frame: frame in the body, its origin is the point; instead of `point`
    """

    kinds = frozenset({PLANAR})
    type: Literal["absolute"] = "absolute"
    body: Annotated[str, Ref("moving body")]
    coordinate: PlanarCoordinate
    value: Coordinate | None = None
    point: Point | None = None
    frame: Pose | None = None

    def stands_for(self) -> Relative:
        """The relative constraint, still under the name of this one."""
        made = Relative(
            bodies=(GROUND, self.body), coordinate=self.coordinate, value=self.value, comment=self.comment
        )
        place: dict[str, Any] = {"type": self.type}
        if self.point is not None:
            place |= {"point_a": ORIGIN, "point_b": self.point}
        elif self.frame is not None:
            place |= {"frame_a": Pose(), "frame_b": self.frame}
        return made.model_copy(update=place)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from coordinate_issues(self.coordinate, self.value)
        yield from point_issues(self, "point", "frame")
        if self.point is not None and self.frame is not None:
            yield Issue("frame", "is placed twice: by `point` and by `frame`", "give one or the other")

    InPlane = Relative.InPlane
