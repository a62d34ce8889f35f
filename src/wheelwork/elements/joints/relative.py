"""Relative constraints: the difference of x, of y or of the angle between two bodies has a given value.

Equation (1), in world axes, with points P of the bodies at the markers::

    x:      Phi = x_b^P - x_a^P - value,   gamma = x of (A_b s_b' w_b^2 - A_a s_a' w_a^2)
    y:      Phi = y_b^P - y_a^P - value,   gamma = y of the same
    angle:  Phi = phi_b - phi_a - value,   gamma = 0
    nu = 0

Angles are those of the bodies, over any number of turns. `value` left out is that of the given position. Source:
Haug (1989), sec. 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Literal

from wheelwork.description import dimensions
from wheelwork.description.base import PLANAR, Evaluate, Issue
from wheelwork.description.units import Quantity
from wheelwork.description.values import Coordinate, Point, Value, dimension_fault
from wheelwork.elements.joints.base import Joint
from wheelwork.equations.frames import Marker
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import Row, coincident
from wheelwork.lazy import casadi as ca

PlanarCoordinate = Literal["x", "y", "angle"]


class Relative(Joint):
    """A difference of coordinates between two bodies is held: x, y or angle of b minus that of a.

    In the plane only; removes 1 degree of freedom. x and y are those of a point of each body, in the axes of the world;
    an angle is that of the body and counts turns.

    Fields:
        coordinate: `x`, `y` or `angle`
        value [m or rad]: the difference; that of the given position where left out
        point_a [m]: point of body a, in the world at the assembled position; its origin where left out
        point_b [m]: point of body b, in the world at the assembled position; its origin where left out
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
    """

    type: Literal["relative"] = "relative"
    kinds = frozenset({PLANAR})
    coordinate: PlanarCoordinate
    value: Coordinate | None = None
    point_a: Point | None = None
    point_b: Point | None = None
    world = ("point_a", "point_b")
    printed_noun = "constraint"
    at_origins = True

    def what(self, a: str, b: str) -> str:
        if self.type != type(self).model_fields["type"].default:  # it stands for an absolute one
            return f"The {self.coordinate} of {b} is held."
        return f"The {self.coordinate} of {b} minus that of {a} is held."

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from coordinate_issues(self.coordinate, self.value)
        yield from point_issues(self, *self.world)

    def find_second_place(self, framed):
        if self.coordinate == "angle" and any(framed):
            text = "is an attachment frame, but the angle is that of the body"
            return Issue(f"bodies.{framed.index(True)}", text, "name the body that it is fixed to")
        return super().find_second_place(framed)

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        # Only frames that somebody wrote; flattening fills in those at the origins.
        yield from point_issues(self, "frame_a", "frame_b")

    class InPlane(JointEquations):
        extras = ("value",)
        units: ClassVar = {"value": "m or rad"}

        def __init__(self, held: str = "x"):
            self.held = held
            self.row_names = (held,)

        @property
        def key(self):
            return f"{self.type}_{self.held}"

        def chosen(self, joint):
            return type(self)(joint.coordinate)

        def equations(self, a, b, extras, counted):
            row = difference(self.held, a, b)
            return [replace(row, value=row.value - extras["value"])]

        def coordinate(self, name, a, b, counted):
            return difference(name, a, b)

        def markers(self, joint, place):
            return place.two_points(joint)

        def extra_values(self, joint, place):
            if joint.value is not None:
                return [place.value(joint.value)]
            a, b = place.world_ends(joint.bodies, self.markers(joint, place))
            if self.held == "angle":
                return [place.layout.angle(joint.bodies[1]) - place.layout.angle(joint.bodies[0])]
            k = "xy".index(self.held)
            return [b.position[k] - a.position[k]]


def difference(name: str, a: Marker, b: Marker) -> Row:
    """x, y or the angle of b minus that of a, in world axes."""
    if name == "angle":
        z = ca.SX([0, 0, 1])
        assert a.body.angle is not None
        assert b.body.angle is not None
        return Row(b.body.angle - a.body.angle, a_angular=-z, b_angular=z)
    return coincident(a, b)["xy".index(name)]


def point_issues(joint: Any, *names: str) -> Iterator[Issue]:
    for name in names:
        if joint.coordinate == "angle" and getattr(joint, name) is not None:
            yield Issue(name, "belongs to `x` and `y`; the angle of a body is the same at all of its points")


def coordinate_issues(coordinate: str, value: Value | None, field: str = "value") -> Iterator[Issue]:
    """A quantity must be an angle for `angle`, else a length."""
    needed = dimensions.ANGLE if coordinate == "angle" else dimensions.LENGTH
    if isinstance(value, Quantity) and needed.factor(value.exponents) is None:
        yield Issue(field, f"{dimension_fault((needed,), value)} (the coordinate is {coordinate})")
