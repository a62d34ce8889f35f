"""The distance of two points follows a function of time; the row is that of the distance joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.connection import BetweenPoints
from wheelwork.description.table import Table
from wheelwork.description.values import PrescribedLength
from wheelwork.elements.drivers.base import Driver
from wheelwork.elements.joints.distance import Distance
from wheelwork.equations.joint_equations import Driven


class DistanceDriver(BetweenPoints, Driver):
    """The distance of two points follows a function of time: a hydraulic cylinder without its mass.

    Fields:
        value [m]: formula of `t` and parameters, or table; greater than zero
    """

    type: Literal["distance"] = "distance"
    value: PrescribedLength

    is_between = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        number = None if isinstance(self.value, Table) else value(self.value)
        if number is not None and number <= 0:
            yield Issue("value", f"a distance must be greater than zero, but is {number:g} m")

    def driven(self, place, registry):
        return Driven(Distance.equations(SPATIAL), "distance", list(self.bodies), place.two_points(self))
