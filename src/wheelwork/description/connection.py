"""What elements between two bodies share: the bodies, and where on them the element sits.

A joint, a spring or a mesh is placed in one of two ways, never both:

- in the world, as in CAD: `point` and `axis` at the assembled position, in the axes of the mechanism;
- by `frame_a` and `frame_b`, a frame in each body. The joint axis is the z axis of these frames.

A body may be named by an attachment frame (`wrist.flange`); that frame then stands for `frame_a` or `frame_b`, and
nothing else may place the element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from wheelwork.description.base import PLANAR, SPATIAL, Element, Evaluate, Issue, Ref
from wheelwork.description.orientation import Pose
from wheelwork.description.values import Z_AXIS, Point


class Connection(Element):
    """Something between two bodies a and b.

    `world` names the fields that place it in the world; those in `optional` may be left out there, those in
    `known_in_plane` too in a planar mechanism. With `at_origins` a side without a place is that body's origin.
    """

    bodies: Annotated[tuple[str, str], Ref("place")]
    frame_a: Pose | None = None
    frame_b: Pose | None = None
    world: ClassVar[tuple[str, ...]] = ()
    optional: ClassVar[tuple[str, ...]] = ()
    known_in_plane: ClassVar[tuple[str, ...]] = ()
    at_origins: ClassVar[bool] = False

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        a, b = self.bodies
        if a == b:
            yield Issue("bodies", f"connects `{a}` to itself; a {self.noun} needs two different bodies")
        given = [name for name in self.world if getattr(self, name) is not None]
        frames = [name for name in ("frame_a", "frame_b") if getattr(self, name) is not None]
        if given and frames:
            text = f"is placed twice: in the world by `{given[0]}` and in a body by `{frames[0]}`"
            yield Issue(frames[0], text, "give one or the other")
        else:
            yield from self._missing((*self.optional, *self.known_in_plane))

    def _missing(self, optional: tuple[str, ...]) -> Iterator[Issue]:
        """Fields that are needed beside those that are given."""
        given = [name for name in self.world if getattr(self, name) is not None]
        for name in self.world:
            if given and name not in given and name not in optional:
                yield Issue(name, f"`{name}` is missing beside `{given[0]}`")

    def filled(self, kind: str) -> dict[str, Any]:
        """Axes at a right angle to the plane, where the joint is placed in the world without them."""
        if kind != PLANAR or all(getattr(self, name) is None for name in self.world):
            return {}
        return {name: Z_AXIS for name in self.known_in_plane if getattr(self, name) is None}

    def find_second_place(self, framed: tuple[bool, bool]) -> Issue | None:
        """What places a side again whose body is named by an attachment frame, which is its place."""
        for side, name, has_frame in zip("ab", self.bodies, framed, strict=True):
            fields = (f"frame_{side}", *self.world, "joints") if has_frame else ()
            again = next((field for field in fields if getattr(self, field, None) is not None), None)
            if again:
                text = f"is placed twice: by the attachment frame `{name}`, which `bodies` names, and by `{again}`"
                return Issue(again, text, f"leave out `{again}`, or name the body that `{name}` is fixed to")
        return None

    def placement_fault(self, attached: tuple[bool, bool], kind: str = SPATIAL) -> Issue | None:
        """What is missing, once it is known which bodies were named by attachment frames, and the kind of mechanism."""
        optional = (*self.optional, *(self.known_in_plane if kind == PLANAR else ()))
        if any(getattr(self, name) is not None for name in self.world):
            return next(self._missing(optional), None)
        missing = [
            name
            for name, has in zip(("frame_a", "frame_b"), attached, strict=True)
            if not has and getattr(self, name) is None
        ]
        if self.at_origins or not missing or (len(missing) == 2 and len(self.world) == len(optional)):
            return None
        needed = [name for name in self.world if name not in optional]
        if len(missing) == 2:
            return Issue(
                "",
                f"has no place: needs {' and '.join(f'`{n}`' for n in needed)}, or `frame_a` and `frame_b`",
            )
        return Issue(
            "",
            f"`{missing[0]}` is missing",
            "each body needs its own frame, or the joint a point in the world",
        )


class BetweenPoints(Connection):
    """Something between a point of body a and a point of body b.

    Fields:
        bodies: names of body a and body b
        point_a [m]: point of body a, in the world at the assembled position
        point_b [m]: point of body b, in the world at the assembled position
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
    """

    world: ClassVar[tuple[str, ...]] = ("point_a", "point_b")
    point_a: Point | None = None
    point_b: Point | None = None
