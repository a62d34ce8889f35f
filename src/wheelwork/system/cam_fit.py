"""Whether a follower can touch an outline everywhere: a face needs it convex, a roller needs hollows wider than itself.
itself.

With c', c'' at s, kappa = (c' x c'')/|c'|^3 the curvature of the outline, positive where it bends to the left, and
side = 1 where the follower is on the right of the tangent (-1: on its left):

    flat face   side kappa > 0
    roller      1 + side kappa radius > 0

Where this fails, the contact of a moving cam jumps, or the follower touches in two places at once. Two cams are not
looked at: which points of them meet is not known before they move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.equations.cams.outline import OutlineCurve

if TYPE_CHECKING:
    from .program import Numbers, Program

SAMPLES = 720


def faults(program: Program, numbers: Numbers) -> Iterator[tuple[str, str, str]]:
    """Cams whose follower does not fit their outline: name of the joint, what is wrong, what to do."""
    for follow in program.follows:
        cam = follow.kernel.cam
        start = program.constraints[follow.constraint].data + 24
        own = numbers.data[start : start + cam.numbers]
        outline = cam.outlines[0]
        if cam.follower == "face":
            s, curvature, orientation = _curvature(outline, own[1:])
            worst = int(np.argmin(orientation * curvature))
            if orientation * curvature[worst] <= 0:
                text = f"the outline is hollow or straight at s = {s[worst]:.4g}: a flat face cannot follow it there"
                yield (
                    follow.name,
                    text,
                    "make the outline convex, or use a roller (`cam_point` with a `radius`)",
                )
        elif cam.follower == "roller" and own[1] > 0:
            side, radius = own[:2]
            s, curvature, _ = _curvature(outline, own[2:])
            worst = int(np.argmin(side * curvature))
            if 1 + side * radius * curvature[worst] <= 0:
                text = (
                    f"the roller, of radius {radius:.4g} m, does not fit into the hollow of the outline at "
                    f"s = {s[worst]:.4g}, whose radius is {1 / abs(curvature[worst]):.4g} m"
                )
                yield follow.name, text, "take a smaller `radius`, or widen the hollow"


def _curvature(outline: OutlineCurve, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """s and curvature at many points; 1 for a curve that runs counterclockwise, -1 for one that runs clockwise."""
    s = outline.spread(numbers, SAMPLES)
    c, first, second = outline.at(s, numbers)
    cross = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    area = np.sum(c[:, 0] * np.roll(c[:, 1], -1) - np.roll(c[:, 0], -1) * c[:, 1])
    return s, cross / np.linalg.norm(first, axis=1) ** 3, 1.0 if area >= 0 else -1.0
