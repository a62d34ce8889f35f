"""Bushing: springs and dampers in all six directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.model import values
from wheelwork.model.base import Evaluate, Issue
from wheelwork.model.forces.base import Load, not_negative
from wheelwork.model.joints.base import Connection

_ZERO: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Bushing(Connection, Load):
    """Elastic mount: springs and dampers along and about the axes of the frame on body a.

    Without load where the frames coincide, which is the given position when placed in the world.

    Fields:
        bodies: names of body a and body b
        point [m]: centre, in the world at the assembled position
        axis [1]: direction of the frame's z axis in the world; world z where left out
        frame_a: frame in body a
        frame_b: frame in body b
        stiffness [N/m]: along x, y, z
        damping [N s/m]: along x, y, z
        rotational_stiffness [N m/rad]: about x, y, z
        rotational_damping [N m s/rad]: about x, y, z
        comment: free text
    """

    noun: ClassVar[str] = "bushing"
    world: ClassVar[tuple[str, ...]] = ("point", "axis")
    optional: ClassVar[tuple[str, ...]] = ("axis",)

    type: Literal["bushing"] = "bushing"
    point: values.Point | None = None
    axis: values.Direction | None = None
    stiffness: tuple[values.Stiffness, values.Stiffness, values.Stiffness] = _ZERO
    damping: tuple[values.Damping, values.Damping, values.Damping] = _ZERO
    rotational_stiffness: tuple[
        values.TorsionalStiffness, values.TorsionalStiffness, values.TorsionalStiffness
    ] = _ZERO
    rotational_damping: tuple[values.TorsionalDamping, values.TorsionalDamping, values.TorsionalDamping] = (
        _ZERO
    )

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from not_negative(
            self, value, "stiffness", "damping", "rotational_stiffness", "rotational_damping"
        )
