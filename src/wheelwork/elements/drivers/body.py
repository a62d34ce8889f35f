"""A coordinate of a body follows a function of time: x, y or z of a point, or its angle in the plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref, Value
from wheelwork.description.geometry import numbers
from wheelwork.description.in_body import InBody
from wheelwork.description.table import Table
from wheelwork.description.values import ORIGIN, PrescribedCoordinate, TimeVarying
from wheelwork.elements.drivers.base import Driver
from wheelwork.elements.joints.relative import Relative, coordinate_issues
from wheelwork.equations.joint_equations import Driven, JointEquations
from wheelwork.equations.rows import offset_along


class _Height(JointEquations):
    """x, y or z of a point of b: its height over a plane of ground whose normal is that axis."""

    type = "body"

    def coordinate(self, name, a, b, counted):
        return offset_along(a, a.ez, b)


class BodyDriver(InBody, Driver):
    """A coordinate of a body follows a function of time: x, y or z of a point of it, or its angle in the plane.

    Fields:
        body: name of the body
        coordinate: `x`, `y` or `z` (in space only) in the axes of the mechanism, or `angle` (in the plane only)
        value [m or rad]: formula of `t` and parameters, or table
        point_in_body [m]: the point, in the body frame; its origin where left out
    """

    type: Literal["body"] = "body"
    body: Annotated[str, Ref("moving body")]
    coordinate: Literal["x", "y", "z", "angle"]
    value: PrescribedCoordinate

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name, entry in quantities(self.value):
            yield from coordinate_issues(self.coordinate, entry, name)
        point = self.point_in_body
        if (
            self.coordinate == "angle"
            and point is not None
            and numbers(point, value) not in (None, (0, 0, 0))
        ):
            yield Issue(
                "point_in_body", "the angle of a body is the same at all of its points", "leave it out"
            )

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        wrong = "z" if kind == PLANAR else "angle"
        if self.coordinate == wrong:
            known = "`x`, `y` or `angle`" if kind == PLANAR else "`x`, `y` or `z`"
            hint = "" if kind == PLANAR else "an angle in space is that of a joint"
            yield Issue("coordinate", f"a {kind} mechanism has {known}, but not `{wrong}`", hint)

    def what(self, coordinate: str) -> str:
        return f"The {self.coordinate} of {self.body} follows a function of time."

    def driven(self, place, registry):
        bodies = ["ground", self.body]
        if self.coordinate == "angle":
            return Driven(Relative.equations(PLANAR), "angle", bodies, place.center_markers(bodies))
        axis = [float(self.coordinate == c) for c in "xyz"]
        origin = place.world_marker("ground", place.point((0.0, 0.0, 0.0)), place.axes_along(axis))
        point = place.body_marker(self.body, self.point_in_body or ORIGIN)
        return Driven(_Height(), "displacement", bodies, (origin, point))


def quantities(value: TimeVarying) -> Iterator[tuple[str, Value]]:
    """The numbers of a field that may be a table, each with its path."""
    if isinstance(value, Table):
        yield from ((f"value.value.{i}", entry) for i, entry in enumerate(value.value))
    else:
        yield "value", value
