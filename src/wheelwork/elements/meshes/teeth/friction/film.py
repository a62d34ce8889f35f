"""An oil film: v/v_1 up to the speed v_1, and no more beyond."""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import Speed
from wheelwork.elements.meshes.teeth.friction.base import FrictionLaw
from wheelwork.lazy import casadi as ca


class FilmFriction(FrictionLaw):
    """Friction of an oil film: in proportion to the speed of sliding up to `speed`, and there limited to `friction` of
    the mesh times the normal force.

    Fields:
        speed [m/s]: of sliding, at which the friction reaches its limit
    """

    type: Literal["film"] = "film"
    positive = ("speed",)
    sample: ClassVar = {"speed": 0.1}
    speed: Speed

    @classmethod
    def part(cls, sliding: ca.SX, given: ca.SX) -> ca.SX:
        return ca.fmax(ca.fmin(sliding / given[0], 1.0), -1.0)
