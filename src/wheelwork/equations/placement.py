"""Where things are at the start: bodies, and the frames of elements in their bodies.

A joint is placed as CAD users do, by point and axis in the world at the given position, or by a frame in each
body. Either way the element gets *marker records*: position relative to the centre of mass and axes, in
body axes (:data:`~wheelwork.equations.frames.MARKER_RECORD` numbers).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from wheelwork.equations.rotations import frame_along, rotation
from wheelwork.equations.values import Template
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    from wheelwork.description import Flat

    from .joint_equations import JointUse
    from .values import ParameterSymbols


@dataclass(frozen=True)
class Placement:
    """A pose in the world: position of an origin, and axes as columns."""

    position: ca.SX
    axes: ca.SX

    def then(self, position: ca.SX, axes: ca.SX) -> Placement:
        """A pose given inside this one."""
        if self is WORLD:
            return Placement(position, axes)
        return Placement(self.point(position), axes if self.upright else ca.mtimes(self.axes, axes))

    def point(self, local: ca.SX) -> ca.SX:
        return self.position + self.direction(local)

    def direction(self, local: ca.SX) -> ca.SX:
        return local if self.upright else ca.mtimes(self.axes, local)

    @cached_property
    def upright(self) -> bool:
        """Whether its axes are those of the world, whatever the parameters are; most are, and cost nothing."""
        return self.axes.is_constant() and self.axes.is_eye()


WORLD = Placement(ca.SX(3, 1), ca.SX.eye(3))


@dataclass(frozen=True)
class BodyPlacement:
    """A body at the start: pose of its frame, and centre of mass in it."""

    frame: Placement
    center: ca.SX

    def marker(self, position: ca.SX, axes: ca.SX) -> ca.SX:
        """Record of a marker given by position and axes in the body's frame."""
        return ca.vertcat(position - self.center, ca.vec(axes.T))

    def marker_at(self, point: ca.SX, axes: ca.SX) -> ca.SX:
        """Record of a marker given by position and axes in the world."""
        return _MARKER(self.frame.position, self.frame.axes, self.center, point, axes)[0]

    def in_world(self, record: ca.SX) -> Placement:
        """Origin and axes of a marker in the world."""
        return Placement(*_IN_WORLD(self.frame.position, self.frame.axes, self.center, record))


def _marker(position: ca.SX, axes: ca.SX, center: ca.SX, point: ca.SX, directions: ca.SX) -> list[ca.SX]:
    local = ca.mtimes(axes.T, point - position)
    return [ca.vertcat(local - center, ca.vec(ca.mtimes(axes.T, directions).T))]


def _in_world(position: ca.SX, axes: ca.SX, center: ca.SX, record: ca.SX) -> list[ca.SX]:
    frame = Placement(position, axes).then(record[0:3] + center, ca.reshape(record[3:12], 3, 3).T)
    return [frame.position, frame.axes]


_MARKER, _IN_WORLD = Template(_marker), Template(_in_world)


class Surroundings(Protocol):
    """What elements ask of the mechanism they are in; :class:`wheelwork.layout.Layout` has it."""

    flat: Flat
    parameters: ParameterSymbols

    @property
    def bodies(self) -> Mapping[str, BodyPlacement]:
        """All bodies and `ground` at the given position."""
        ...

    def angle(self, body: str) -> ca.SX:
        """The angle of a body of a planar mechanism as given, which may be more than half a turn."""
        ...

    def number(self, expression: Any) -> Any:
        """The numbers of an expression in the parameters, as a flat array."""
        ...

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What many elements have in common, made for the first of them."""
        ...

    def joint(self, name: str) -> JointUse:
        """A joint with its markers."""
        ...

    def marker_of_frame(self, name: str) -> tuple[str, ca.SX]:
        """The body that a named frame is fixed to, and its marker record there."""
        ...


class Place:
    """Helps one element to find its frames.

    `outer` is the mechanism frame the element was written in. `sides` holds the frames of those sides (`a`,
    `b`, `body`) that were written relative to a component's ground and not in a body's own frame.
    """

    def __init__(self, layout: Surroundings, outer: Placement, sides: Mapping[str, Placement] | None = None):
        self.layout = layout
        self.outer = outer
        self.sides = dict(sides or {})
        self.parameters = layout.parameters

    def value(self, value: Any) -> ca.SX:
        return self.parameters.value(value)

    def vector(self, values: Any) -> ca.SX:
        return self.parameters.vector(values)

    def point(self, values: Any) -> ca.SX:
        """World position of a point written in the element's mechanism."""
        return self.outer.point(self.vector(values))

    def direction(self, values: Any) -> ca.SX:
        return self.outer.direction(self.vector(values))

    def axes_along(self, values: Any) -> ca.SX:
        """World axes of a frame with z along a given direction, or of the element's mechanism where there is none.

        x is chosen in the element's mechanism, so that a component that is turned turns it along.
        """
        if values is None:
            return self.outer.axes
        if any(hasattr(value, "names") for value in values):
            return self.outer.direction(frame_along(self.vector(values)))
        along = self.layout.once(("along", *values), lambda: frame_along(self.vector(values)))
        return self.outer.direction(along)

    def body_marker(
        self, body: str, position: Any = (0.0, 0.0, 0.0), axes: ca.SX | None = None, side: str = "body"
    ) -> ca.SX:
        """Record of a marker at a point given in the body's own frame."""
        axes = ca.SX.eye(3) if axes is None else axes
        if side in self.sides:
            given = self.sides[side].then(self.vector(position), axes)
            return self.world_marker(body, given.position, given.axes)
        return self.layout.bodies[body].marker(self.vector(position), axes)

    def center_marker(self, body: str) -> ca.SX:
        """Record of a marker at the body's centre of mass."""
        del body
        return ca.vertcat(ca.SX(3, 1), ca.vec(ca.SX.eye(3)))

    def center_markers(self, bodies: Sequence[str]) -> tuple[ca.SX, ca.SX]:
        """Of two bodies."""
        return self.center_marker(bodies[0]), self.center_marker(bodies[1])

    def frame_marker(self, body: str, pose: Any, side: str) -> ca.SX:
        return self.body_marker(body, pose.position, rotation(pose.orientation, self.parameters), side)

    def world_marker(self, body: str, point: ca.SX, axes: ca.SX) -> ca.SX:
        return self.layout.bodies[body].marker_at(point, axes)

    def joint_frames(self, joint: Any, axis_b: str = "axis") -> tuple[ca.SX, ca.SX]:
        """Marker records of a joint given by `point` and `axis`, or by `frame_a` and `frame_b`."""
        a, b = joint.bodies
        if joint.frame_a is not None or joint.frame_b is not None:
            return self._given_frames(joint)
        if getattr(joint, "point", None) is not None:
            point = self.point(joint.point)
        else:
            point = self.layout.bodies[b].frame.position
        axes = self.axes_along(getattr(joint, "axis", None))
        axes_b = axes if axis_b == "axis" else self.axes_along(getattr(joint, axis_b))
        return self.world_marker(a, point, axes), self.world_marker(b, point, axes_b)

    def _given_frames(self, joint: Any) -> tuple[ca.SX, ca.SX]:
        """Frames in the bodies."""
        a, b = joint.bodies
        return self.frame_marker(a, joint.frame_a, "a"), self.frame_marker(b, joint.frame_b, "b")

    def two_points(self, element: Any, axis_a: str | None = None) -> tuple[ca.SX, ca.SX]:
        """Marker records of an element between `point_a` and `point_b` (world), or frames in the bodies."""
        a, b = element.bodies
        if element.frame_a is not None or element.frame_b is not None:
            return self._given_frames(element)
        axes = self.axes_along(getattr(element, axis_a) if axis_a else None)
        first, second = (self.point(p) for p in (element.point_a, element.point_b))
        return self.world_marker(a, first, axes), self.world_marker(b, second, axes)

    def world_ends(self, bodies: Sequence[str], markers: Sequence[ca.SX]) -> tuple[Placement, Placement]:
        """Two markers at the given position, in the world."""
        ends = []
        for body, record in zip(bodies, markers, strict=True):
            ends.append(self.layout.bodies[body].in_world(record))
        return ends[0], ends[1]

    def length_between(self, element: Any) -> ca.SX:
        """Distance of an element's two points at the given position."""
        first, second = self.world_ends(element.bodies, self.two_points(element))
        return ca.norm_2(second.position - first.position)

    def offset_along_axis(self, element: Any) -> ca.SX:
        """Distance of the second point from the first along the first frame's z axis."""
        axis = "axis" if element.frame_a is None else None
        first, second = self.world_ends(element.bodies, self.two_points(element, axis))
        return ca.dot(first.axes[:, 2], second.position - first.position)
