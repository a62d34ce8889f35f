"""Short forms of bodies: what a rotor or a shaft stands for, and the arithmetic of values on an axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wheelwork.description.base import Value
from wheelwork.description.body import Body
from wheelwork.description.connection import Connection
from wheelwork.description.formula import Formula, number_text
from wheelwork.description.frame import Frame
from wheelwork.description.orientation import Orientation

Vector = tuple[Value, Value, Value]
Parts = dict[str, tuple[str, str]]
"""For each name that a short form brings along, without its own in front, the collection and the type."""
BEARING = "bearing"
"""The joint of a rotor, and of a shaft whose bearings are not given one by one."""


class Expansion(NamedTuple):
    """The body that a short form stands for, and what comes with it: `left` of the shaft `input` is `input.left`."""

    body: Body
    joints: Mapping[str, Connection] = {}
    frames: Mapping[str, Frame] = {}
    forces: Mapping[str, Connection] = {}


def unit_vector(axis: Sequence[Value]) -> list[float]:
    """Of an axis that is made of numbers."""
    numbers = [float(x) for x in axis if not isinstance(x, Formula)]
    length = math.sqrt(sum(x * x for x in numbers))
    return [x / length for x in numbers]


def turn_z_to(n: Sequence[float]) -> Orientation:
    """The shortest turn from the z axis to the unit vector n."""
    across = math.hypot(n[0], n[1])
    if across < 1e-15:
        return Orientation() if n[2] > 0 else Orientation(rotation_vector=(math.pi, 0.0, 0.0))
    angle = math.atan2(across, n[2])
    return Orientation(rotation_vector=(-n[1] / across * angle, n[0] / across * angle, 0.0))


def times(factor: float, value: Value) -> Value:
    if not isinstance(value, Formula):
        return factor * float(value)
    if factor in (0.0, 1.0):
        return factor if factor == 0.0 else value
    return Formula(f"{number_text(factor)}*({value.canonical})")


def plus(*values: Value) -> Value:
    """The sum of values, a formula where one of them is."""
    number = math.fsum(float(value) for value in values if not isinstance(value, Formula))
    formulas = [f"({value.canonical})" for value in values if isinstance(value, Formula)]
    if not formulas:
        return number
    return Formula("+".join([*formulas, *([number_text(number)] if number else [])]))


def along(n: Sequence[float], distance: Value) -> Vector:
    """The vector along n that is so long."""
    return times(n[0], distance), times(n[1], distance), times(n[2], distance)
