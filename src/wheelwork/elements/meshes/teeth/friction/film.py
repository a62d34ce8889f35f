"""An oil film: v/v_1 up to the speed v_1, and no more beyond."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Speed
from wheelwork.elements.meshes.teeth.base import above_zero
from wheelwork.elements.meshes.teeth.friction.base import FrictionLaw
from wheelwork.lazy import casadi as ca


class FilmFriction(FrictionLaw):
    """Friction of an oil film: in proportion to the speed of sliding up to `speed`, and there limited to `friction` of
    the mesh times the normal force.

    Fields:
        speed [m/s]: of sliding, at which the friction reaches its limit
    """

    type: Literal["film"] = "film"
    sample: ClassVar = {"speed": 0.1}
    speed: Speed

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, speed="m/s")

    def given(self, value):
        return [value(self.speed)]

    @classmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return ca.fmax(ca.fmin(sliding / given[0], 1.0), -1.0)
