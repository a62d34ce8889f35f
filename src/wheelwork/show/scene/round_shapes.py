"""Round shapes of the description as numbers, and whether one is meant to be a wheel.

A shape that is round about a wheel's axis, with about its radius and at its place, stands for that wheel: the wheel is
shown in its place, with the length, the bore, the hub and the outer radius of the shape. All other shapes are shown
beside the wheels of their body; a shaft that is thicker than the pinion on it is cut there, so that teeth are free.
"""

from __future__ import annotations

import numpy as np

from wheelwork.gears import Gear, RackPair

from .bevel import BevelWheel
from .screw import ScrewSurface
from .solids import RoundShape, Solid, axes_along, tube
from .wheels import Wheel


def stands_for(shape: RoundShape, wheel: Wheel) -> bool:
    """Whether the shape is that wheel, roughly drawn."""
    z = wheel.axes[:, 2]
    if isinstance(wheel.teeth, RackPair) or abs(shape.axis @ z) < 1 - 1e-6:
        return False
    reach = shape.inner if wheel.ring and shape.inner > 0 else shape.outer
    apart = np.linalg.norm(wheel.point - z * (z @ wheel.point))
    if apart > 1e-3 * wheel.radius:
        return False
    if isinstance(wheel.teeth, BevelWheel):
        outer = wheel.teeth.outer * np.sin(wheel.teeth.cone_angle)
        return 0.6 * outer < reach < 1.25 * outer
    height = max(abs(z @ wheel.point + h) for h in wheel.heights)
    near = height <= shape.length / 2 + 1e-6 * wheel.radius
    low, high = radii(wheel)
    return bool(near) and 0.85 * low < reach < 1.15 * high


def sunk(shape: RoundShape, wheel: Wheel) -> bool:
    """Whether the teeth of a wheel would be inside a shaft."""
    z = wheel.axes[:, 2]
    apart = np.linalg.norm(wheel.point - z * (z @ wheel.point))
    coaxial = abs(shape.axis @ z) > 1 - 1e-6 and apart < 1e-3 * shape.outer
    low, high = radii(wheel)
    return bool(
        coaxial
        and isinstance(wheel.teeth, Gear | ScrewSurface)
        and not wheel.ring
        and low < shape.outer < 3 * high
    )


def cut_round(shape: RoundShape, gaps: list[tuple[float, float]]) -> list[Solid]:
    """What is left of a shaft beside its wheels, in the body."""
    out, start = [], -shape.length / 2
    for low, high in (*sorted(gaps), (shape.length / 2, np.inf)):
        if low - start > 1e-9 * shape.length:
            piece = tube(shape.outer, shape.inner, low - start)
            out.append(piece.placed(shape.axis * (start + low) / 2, axes_along(shape.axis)))
        start = max(start, high)
    return out


def radii(wheel: Wheel) -> tuple[float, float]:
    """The smaller and the larger of the radii at root and tip [m]; of a disc both are its own."""
    if isinstance(wheel.teeth, Gear):
        low, high = sorted((wheel.teeth.root_diameter / 2, wheel.teeth.tip_diameter / 2))
        return low, high
    if isinstance(wheel.teeth, ScrewSurface):
        return wheel.teeth.root_radius, wheel.teeth.tip_radius
    return wheel.radius, wheel.radius
