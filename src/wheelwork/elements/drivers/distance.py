"""The distance of two points follows a function of time; the row is that of the distance joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.connection import Connection
from wheelwork.description.table import Table
from wheelwork.description.values import Point, PrescribedLength
from wheelwork.elements.drivers.base import Driver
from wheelwork.elements.joints.distance import Distance
from wheelwork.equations.joint_equations import Driven


class DistanceDriver(Connection, Driver):
    """The distance of two points follows a function of time: a hydraulic cylinder without its mass.

    Fields:
        bodies: names of body a and body b
        point_a [m]: point of body a, in the world at the assembled position
        point_b [m]: point of body b, in the world at the assembled position
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
        value [m]: formula of `t` and parameters, or table; greater than zero
    """

    type: Literal["distance"] = "distance"
    world = ("point_a", "point_b")
    point_a: Point | None = None
    point_b: Point | None = None
    value: PrescribedLength

    is_between = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        number = None if isinstance(self.value, Table) else value(self.value)
        if number is not None and number <= 0:
            yield Issue("value", f"a distance must be greater than zero, but is {number:g} m")

    def driven(self, place, registry):
        return Driven(Distance.equations(SPATIAL), "distance", list(self.bodies), place.two_points(self))
