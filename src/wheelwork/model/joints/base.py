"""What joints share: two bodies, and where on them the joint sits.

A joint is placed in one of two ways, never both:

- in the world, as in CAD: `point` and `axis` at the assembled position, in the axes of the mechanism;
- by `frame_a` and `frame_b`, a frame in each body. The joint axis is the z axis of these frames.

A body may be named by an attachment frame (`wrist.flange`); that frame then stands for `frame_a` or `frame_b`.
How to add a joint: see the numbered list in `wheelwork.model.base`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from wheelwork.model.base import Element, Evaluate, Issue, Ref
from wheelwork.model.geometry import is_zero, numbers
from wheelwork.model.orientation import Pose
from wheelwork.model.values import Direction, Point


class Connection(Element):
    """Something between two bodies a and b.

    `world` names the fields that place it in the world; those in `optional` may be left out there.
    """

    bodies: Annotated[tuple[str, str], Ref("place")]
    frame_a: Pose | None = None
    frame_b: Pose | None = None
    world: ClassVar[tuple[str, ...]] = ()
    optional: ClassVar[tuple[str, ...]] = ()

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        a, b = self.bodies
        if a == b:
            yield Issue("bodies", f"connects `{a}` to itself; a {self.noun} needs two different bodies")
        given = [name for name in self.world if getattr(self, name) is not None]
        frames = [name for name in ("frame_a", "frame_b") if getattr(self, name) is not None]
        if given and frames:
            text = f"is placed twice: in the world by `{given[0]}` and in a body by `{frames[0]}`"
            yield Issue(frames[0], text, "give one or the other")
        elif given:
            for name in self.world:
                if name not in given and name not in self.optional:
                    yield Issue(name, f"`{name}` is missing beside `{given[0]}`")
        for name in self.world:
            vector = getattr(self, name)
            if name.startswith("axis") and vector is not None and is_zero(numbers(vector, value)):
                yield Issue(name, "must not be zero: it has no direction")

    def placement_fault(self, attached: tuple[bool, bool]) -> Issue | None:
        """What is missing, once it is known which bodies were named by attachment frames."""
        if any(getattr(self, name) is not None for name in self.world):
            return None
        missing = [
            name
            for name, has in zip(("frame_a", "frame_b"), attached, strict=True)
            if not has and getattr(self, name) is None
        ]
        if not missing or (len(missing) == 2 and len(self.world) == len(self.optional)):
            return None
        needed = [name for name in self.world if name not in self.optional]
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


class Joint(Connection):
    """A constraint between two bodies.

    Fields:
        bodies: names of body a and body b; `ground` is always there
        frame_a: joint frame in body a
        frame_b: joint frame in body b
        comment: free text
    """

    collection: ClassVar[str] = "joints"
    noun: ClassVar[str] = "joint"
    # Names of the coordinates that actuators, drivers and friction may use.
    coordinates: ClassVar[tuple[str, ...]] = ()


class PointJoint(Joint):
    """A joint placed by a point.

    Fields:
        point [m]: in the world at the assembled position
    """

    point: Point | None = None
    world: ClassVar[tuple[str, ...]] = ("point",)


class AxisJoint(PointJoint):
    """A joint placed by a point and an axis.

    Fields:
        axis [1]: direction in the world at the assembled position, any length
    """

    axis: Direction | None = None
    world: ClassVar[tuple[str, ...]] = ("point", "axis")
