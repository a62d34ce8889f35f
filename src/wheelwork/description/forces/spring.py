"""Translational spring and damper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description import values
from wheelwork.description.base import Evaluate, Issue, not_negative
from wheelwork.description.connection import Connection
from wheelwork.description.forces.base import Load


class Spring(Connection, Load):
    """Spring and damper between two points; tension = stiffness*(length - free_length) + damping*rate + preload.

    Fields:
        bodies: names of body a and body b
        point_a [m]: point of body a, in the world at the assembled position
        point_b [m]: point of body b, in the world at the assembled position
        frame_a: frame in body a, its origin is the point
        frame_b: frame in body b, its origin is the point
        stiffness [N/m]: of the spring
        damping [N s/m]: of the damper
        free_length [m]: length without force; that of the given position where left out
        preload [N]: tension added
        comment: free text
    """

    noun: ClassVar[str] = "spring"
    world: ClassVar[tuple[str, ...]] = ("point_a", "point_b")

    type: Literal["spring"] = "spring"
    point_a: values.Point | None = None
    point_b: values.Point | None = None
    stiffness: values.Stiffness
    damping: values.Damping = 0.0
    free_length: values.Length | None = None
    preload: values.Force = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from not_negative(self, value, "stiffness", "damping", "free_length")
