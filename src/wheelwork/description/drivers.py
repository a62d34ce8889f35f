"""Drivers: coordinates prescribed as functions of time. How to add one: the list in `wheelwork.description.base`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from wheelwork.description.base import PLANAR, Element, Evaluate, Issue, Ref, Value
from wheelwork.description.geometry import numbers
from wheelwork.description.in_body import InBody
from wheelwork.description.joints.base import Connection
from wheelwork.description.joints.relative import coordinate_issues
from wheelwork.description.table import Table
from wheelwork.description.union import ByType
from wheelwork.description.values import (
    Point,
    PrescribedAngle,
    PrescribedCoordinate,
    PrescribedLength,
    TimeVarying,
)


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


class BodyDriver(InBody, Driver):
    """A coordinate of a body follows a function of time: x, y or z of a point of it, or its angle in the plane.

    Fields:
        body: name of the body
        coordinate: `x`, `y` or `z` (in space only) in the axes of the mechanism, or `angle` (in the plane only)
        value [m or rad]: formula of `t` and parameters, or table
        point_in_body [m]: the point, in the body frame; its origin where left out
        point [m]: old name of `point_in_body`
        comment: free text
    """

    type: Literal["body"] = "body"
    body: Annotated[str, Ref("moving body")]
    coordinate: Literal["x", "y", "z", "angle"]
    value: PrescribedCoordinate

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name, entry in quantities(self.value):
            yield from coordinate_issues(self.coordinate, entry, name)
        point = self.in_body()
        if (
            self.coordinate == "angle"
            and point is not None
            and numbers(point, value) not in (None, (0, 0, 0))
        ):
            name = "point" if self.point_in_body is None else "point_in_body"
            yield Issue(name, "the angle of a body is the same at all of its points", "leave it out")

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        wrong = "z" if kind == PLANAR else "angle"
        if self.coordinate == wrong:
            known = "`x`, `y` or `angle`" if kind == PLANAR else "`x`, `y` or `z`"
            hint = "" if kind == PLANAR else "an angle in space is that of a joint"
            yield Issue("coordinate", f"a {kind} mechanism has {known}, but not `{wrong}`", hint)


class DistanceDriver(Connection, Driver):
    """The distance of two points follows a function of time: a hydraulic cylinder without its mass.

    Fields:
        bodies: names of body a and body b
        point_a [m]: point of body a, in the world at the assembled position
        point_b [m]: point of body b, in the world at the assembled position
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
        value [m]: formula of `t` and parameters, or table; greater than zero
        comment: free text
    """

    type: Literal["distance"] = "distance"
    noun: ClassVar[str] = "driver"
    world: ClassVar[tuple[str, ...]] = ("point_a", "point_b")
    point_a: Point | None = None
    point_b: Point | None = None
    value: PrescribedLength

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        number = None if isinstance(self.value, Table) else value(self.value)
        if number is not None and number <= 0:
            yield Issue("value", f"a distance must be greater than zero, but is {number:g} m")


class RotationDriver(Driver):
    """The angle of one body relative to another follows a function of time, without a joint between them.

    In the plane only. The angle is that of body b less that of body a, and counts turns.

    Fields:
        bodies: names of body a and body b
        value [rad]: formula of `t` and parameters, or table
        comment: free text
    """

    type: Literal["rotation"] = "rotation"
    kinds: ClassVar[frozenset[str]] = frozenset({PLANAR})
    instead: ClassVar[str] = "drive the angle of a joint"
    bodies: Annotated[tuple[str, str], Ref("body")]
    value: PrescribedAngle

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        a, b = self.bodies
        if a == b:
            yield Issue("bodies", f"connects `{a}` to itself; a driver needs two different bodies")


def quantities(value: TimeVarying) -> Iterator[tuple[str, Value]]:
    """The numbers of a field that may be a table, each with its path."""
    if isinstance(value, Table):
        yield from ((f"value.value.{i}", entry) for i, entry in enumerate(value.value))
    else:
        yield "value", value


AnyDriver = Annotated[JointDriver | BodyDriver | DistanceDriver | RotationDriver, ByType()]
