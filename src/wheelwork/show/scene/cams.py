"""Cams as plates with their true outline, rollers as discs, flat followers as bars, slots as lines of bars.

A plate is right where its whole outline is seen from its middle, as cams are as a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wheelwork.system.motion import Motion
from wheelwork.system.uses import FollowUse

from .solids import Solid, bar, box, cylinder, joined, lofted

POINTS = 120
"""On an outline."""
THICK = 0.1
"""Of a plate, over its extent."""


@dataclass(frozen=True)
class CamSolid:
    """Of a body (index); plate: whether it is the body's own shape, and not just a line on it or a follower."""

    body: int
    solid: Solid
    plate: bool


def cam_solids(motion: Motion) -> list[CamSolid]:
    """Of all cams and of what follows them."""
    return [found for follow in motion.program.follows for found in _of(motion, follow)]


def _of(motion: Motion, follow: FollowUse) -> list[CamSolid]:
    use, data, cam = motion.program.constraints[follow.constraint], motion.numbers.data, follow.kernel.cam
    markers = [(body, *motion.numbers.marker(use.data + 12 * k)) for k, body in enumerate(use.bodies)]
    first, out, extent = use.data + 24 + cam.own_numbers, [], 0.0
    for outline, (body, point, axes) in zip(cam.outlines, markers, strict=False):
        numbers = data[first : first + outline.numbers]
        first += outline.numbers
        curve = outline.at(outline.spread(numbers, POINTS), numbers)[0]
        extent = max(extent, float(np.ptp(curve, axis=0).max()))
        solid = plate(curve, THICK * extent) if outline.closed else _groove(curve, 0.02 * extent)
        out.append(CamSolid(body, solid.placed(point, axes), outline.closed))
    body, point, axes = markers[1]
    if cam.follower == "roller" and data[use.data + 25] > 0:
        roller = cylinder(data[use.data + 25], 1.2 * THICK * extent)
        out.append(CamSolid(body, roller.placed(point, axes), False))
    if cam.follower == "face":
        face = box((1.2 * extent, 0.02 * extent, 1.2 * THICK * extent))
        out.append(CamSolid(body, face.placed(point, axes), False))
    return out


def plate(curve: np.ndarray, thickness: float) -> Solid:
    """A plate with a closed outline (n, 2) in the x-y plane, centred on it."""
    x, y = curve.T
    if float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) < 0:
        curve = curve[::-1]
    low, high = (np.column_stack((curve, np.full(len(curve), z))) for z in (-thickness / 2, thickness / 2))
    return lofted([low.mean(axis=0, keepdims=True), low, high, high.mean(axis=0, keepdims=True)])


def _groove(curve: np.ndarray, thickness: float) -> Solid:
    """An open curve, and a spoke from its origin to the nearer end."""
    points = np.column_stack((curve, np.zeros(len(curve))))[:: POINTS // 24]
    near = min(points[0], points[-1], key=lambda end: float(np.linalg.norm(end)))
    return joined([bar(start, end, thickness) for start, end in (*pairwise(points), (np.zeros(3), near))])
