"""Geoms of MJCF: masses and looks of simple solids, by MuJoCo's sizes, which are half lengths."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def _sphere(r: float) -> tuple[float, list[float]]:
    return 4 / 3 * math.pi * r**3, [0.4 * r * r] * 3


def _ellipsoid(a: float, b: float, c: float) -> tuple[float, list[float]]:
    return 4 / 3 * math.pi * a * b * c, [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5]


def _box(a: float, b: float, c: float) -> tuple[float, list[float]]:
    return 8 * a * b * c, [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3]


def _cylinder(r: float, half: float) -> tuple[float, list[float]]:
    across = r * r / 4 + half * half / 3
    return 2 * math.pi * r * r * half, [across, across, r * r / 2]


def _capsule(r: float, half: float) -> tuple[float, list[float]]:
    """A cylinder with half balls on its ends; the centre of a half ball is 3/8 r from its flat side."""
    barrel, balls = 2 * math.pi * r * r * half, 4 / 3 * math.pi * r**3
    volume = barrel + balls
    across = barrel * (r * r / 4 + half * half / 3) + balls * (0.4 * r * r + half * half + 0.75 * half * r)
    return volume, [across / volume, across / volume, (barrel * r * r / 2 + balls * 0.4 * r * r) / volume]


SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2}
"""How many sizes a geom has; three where it is not listed."""


def _drawn_capsule(r: float, half: float) -> list[tuple[dict[str, Any], float]]:
    ball = {"type": "sphere", "radius": r}
    return [({"type": "cylinder", "radius": r, "length": 2 * half}, 0.0), (ball, half), (ball, -half)]


DRAWN: dict[str, Callable[..., list[tuple[dict[str, Any], float]]]] = {
    "sphere": lambda r: [({"type": "sphere", "radius": r}, 0.0)],
    "box": lambda a, b, c: [({"type": "box", "size": (2 * a, 2 * b, 2 * c)}, 0.0)],
    "cylinder": lambda r, half: [({"type": "cylinder", "radius": r, "length": 2 * half}, 0.0)],
    "capsule": _drawn_capsule,
}
"""Simple solids of a geom's looks, each with its height along z."""
SHAPES: dict[str, Callable[..., tuple[float, list[float]]]] = {
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "box": _box,
    "cylinder": _cylinder,
    "capsule": _capsule,
}
"""Volume, and moments of inertia for a mass of 1, of the geoms, by MuJoCo's sizes: half lengths."""
