"""Absolute and relative constraints of the plane: one coordinate is held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from wheelwork.description import dimensions
from wheelwork.description.base import PLANAR, Element, Evaluate, Issue, Ref
from wheelwork.description.joints.base import Joint
from wheelwork.description.names import GROUND
from wheelwork.description.orientation import Pose
from wheelwork.description.units import Quantity
from wheelwork.description.values import ORIGIN, Coordinate, Point, Value, dimension_fault

PlanarCoordinate = Literal["x", "y", "angle"]


class Relative(Joint):
    """A difference of coordinates between two bodies is held: x, y or angle of b less that of a.

    In the plane only; removes 1 degree of freedom. x and y are those of a point of each body, in the axes of the world;
    an angle is that of the body and counts turns.

    Fields:
        bodies: names of body a and body b
        coordinate: `x`, `y` or `angle`
        value [m or rad]: the difference; that of the given position where left out
        point_a [m]: point of body a, in the world at the assembled position; its origin where left out
        point_b [m]: point of body b, in the world at the assembled position; its origin where left out
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
        comment: free text
    """

    type: Literal["relative"] = "relative"
    kinds: ClassVar[frozenset[str]] = frozenset({PLANAR})
    coordinate: PlanarCoordinate
    value: Coordinate | None = None
    point_a: Point | None = None
    point_b: Point | None = None
    world: ClassVar[tuple[str, ...]] = ("point_a", "point_b")
    at_origins: ClassVar[bool] = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from coordinate_issues(self.coordinate, self.value)
        yield from _point_issues(self, *self.world)

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        # Only frames that somebody wrote; flattening fills in those at the origins.
        yield from _point_issues(self, "frame_a", "frame_b")


class Absolute(Element):
    """A coordinate of a body is held: x or y of a point of it, or its angle.

    In the plane only; removes 1 degree of freedom. It is a relative constraint to ground: x and y are measured from the
    origin of the mechanism in the axes of the world.

    Fields:
        body: name of the body
        coordinate: `x`, `y` or `angle`
        value [m or rad]: of the coordinate; that of the given position where left out
        point [m]: point of the body, in the world at the assembled position; its origin where left out
        frame: frame in the body, its origin is the point; instead of `point`
        comment: free text
    """

    collection: ClassVar[str] = "joints"
    noun: ClassVar[str] = "joint"
    kinds: ClassVar[frozenset[str]] = frozenset({PLANAR})
    coordinates: ClassVar[tuple[str, ...]] = ()

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
        yield from _point_issues(self, "point", "frame")
        if self.point is not None and self.frame is not None:
            yield Issue("frame", "is placed twice: by `point` and by `frame`", "give one or the other")


def _point_issues(joint: Relative | Absolute, *names: str) -> Iterator[Issue]:
    for name in names:
        if joint.coordinate == "angle" and getattr(joint, name) is not None:
            yield Issue(name, "belongs to `x` and `y`; the angle of a body is the same at all of its points")


def coordinate_issues(coordinate: str, value: Value | None, field: str = "value") -> Iterator[Issue]:
    """A quantity must be an angle for `angle`, else a length."""
    needed = dimensions.ANGLE if coordinate == "angle" else dimensions.LENGTH
    if isinstance(value, Quantity) and needed.factor(value.exponents) is None:
        yield Issue(field, f"{dimension_fault((needed,), value)} (the coordinate is {coordinate})")
