"""Bushing: springs and dampers in all six directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, TypeVar

from wheelwork.description import values
from wheelwork.description.base import Evaluate, Issue, not_negative
from wheelwork.description.connection import Connection
from wheelwork.description.forces.base import Load

_X = TypeVar("_X")
_Three = tuple[_X, _X, _X]


class Bushing(Connection, Load):
    """Elastic mount or bearing: springs and dampers along and about the axes of the frame on body a.

    Without load where the frames coincide, which is the given position when placed in the world.

    The z axis, `axis`, is the one to spin about. Stiffness and damping about x and y act on the tilt, the angle
    between the z axes of the two frames, and do not feel how far or how fast the bodies turn about them: a shaft may
    turn without end. Stiffness about z is a torsional spring whose angle is counted over any number of turns: after
    one turn it holds back with 2 pi times the stiffness. Leave it 0 for a bearing. x and y are fixed in body a.

    Fields:
        bodies: names of body a and body b
        point [m]: centre, in the world at the assembled position
        axis [1]: direction of the frame's z axis in the world; world z where left out, and always in the plane
        frame_a: frame in body a
        frame_b: frame in body b
        stiffness [N/m]: along x, y, z; in the plane along x, y
        damping [N s/m]: along x, y, z; in the plane along x, y
        rotational_stiffness [N m/rad]: about x, y, z; in the plane one number, about z
        rotational_damping [N m s/rad]: about x, y, z; in the plane one number, about z
        comment: free text
    """

    noun: ClassVar[str] = "bushing"
    world: ClassVar[tuple[str, ...]] = ("point", "axis")
    optional: ClassVar[tuple[str, ...]] = ("axis",)

    type: Literal["bushing"] = "bushing"
    point: values.Point | None = None
    axis: values.Axis | None = None
    stiffness: Annotated[_Three[values.Stiffness], values.Vector()] = values.ORIGIN
    damping: Annotated[_Three[values.Damping], values.Vector()] = values.ORIGIN
    rotational_stiffness: Annotated[_Three[values.TorsionalStiffness], values.Vector("about")] = values.ORIGIN
    rotational_damping: Annotated[_Three[values.TorsionalDamping], values.Vector("about")] = values.ORIGIN

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from not_negative(
            self, value, "stiffness", "damping", "rotational_stiffness", "rotational_damping"
        )
