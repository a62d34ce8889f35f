"""Solids of spur and helical wheels, rings and racks, from the outlines of `wheelwork.gears`.

A section at the height z over the wheel's middle is the transverse outline turned by z tan(beta)/r, r the reference
radius; that of a rack is shifted by z tan(beta).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, pi, tan

import numpy as np

from wheelwork.gears import Gear, RackPair
from wheelwork.gears.outline import cartesian, half_tooth

from .solids import Solid
from .tooth_solids import ToothLine, stitched


@dataclass(frozen=True)
class Detail:
    """How many points there are on a flank and on a fillet."""

    flank: int
    fillet: int

    @property
    def faces(self) -> int:
        """About how many faces a spur tooth has."""
        return 4 * (self.flank + self.fillet) + 8


FINE, MEDIUM, COARSE = Detail(8, 5), Detail(5, 4), Detail(3, 3)
LEVELS = (FINE, MEDIUM, COARSE)


def tooth_line(gear: Gear, detail: Detail = FINE) -> ToothLine:
    """Half a tooth of a gear, with its fillet."""
    whole = half_tooth(gear, SAMPLES, SAMPLES)
    fillet, flank = cartesian(whole.fillet), cartesian(whole.flank)
    flank = hollow(flank, detail.flank) if gear.internal else convex(flank, detail.flank)
    ends = cartesian(np.array([[whole.fillet[0, 0], pi / gear.teeth], [whole.flank[-1, 0], 0.0]]))
    half = np.concatenate((ends[:1], hollow(fillet, detail.fillet)[:-1], flank, ends[1:]))
    return ToothLine(half, foot=1)


def turned(points: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Points (n, 2) about the origin, once for each angle; (angles, n, 2)"""
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = points.T
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=2)


def outline(line: ToothLine, teeth: int, angle: float = 0.0) -> np.ndarray:
    """All teeth of a wheel (n, 2), the middle of the first at an angle; not closed."""
    return turned(line.tooth, angle + 2 * pi * np.arange(teeth) / teeth).reshape(-1, 2)


def twist(gear: Gear) -> float:
    """How far the sections of a helical gear turn with the height [rad/m]."""
    return tan(gear.helix_angle) / (gear.reference_diameter / 2)


def wheel_solid(
    gear: Gear,
    width: float,
    back: float,
    angle: float = 0.0,
    detail: Detail = FINE,
    bottom: float | None = None,
) -> Solid:
    """A wheel about z.

    width: [m], from `bottom` (from -width/2 where left out)
    back: radius of the bore, of a ring that of its rim [m]; 0 for a wheel without a bore
    angle: of the middle of a tooth at z = 0 [rad]
    """
    low = -width / 2 if bottom is None else bottom
    line = tooth_line(gear, detail)
    slope, teeth = twist(gear), round(gear.teeth)
    levels = 2 + ceil(abs(slope) * width / (2 * pi / teeth) * 3) if slope else 2
    return swept(line, teeth, np.linspace(low, low + width, levels), slope, back, angle, gear.internal)


def swept(
    line: ToothLine,
    teeth: int,
    heights: np.ndarray,
    slope: float,
    back: float,
    angle: float = 0.0,
    inside: bool = False,
) -> Solid:
    """A wheel or a thread about z whose section turns by `slope` [rad/m]."""
    flat = outline(line, teeth)
    feet = flat.reshape(teeth, -1, 2)[:, line.base].reshape(-1, 2)
    direction = feet / np.linalg.norm(feet, axis=1, keepdims=True)
    sections = np.stack([_raised(flat, angle + slope * z, z) for z in heights])
    rings = np.stack([_raised(back * direction, angle + slope * z, z) for z in heights[[0, -1]]])
    return stitched(sections, rings, line, inside=inside)


def _raised(points: np.ndarray, angle: float, z: float) -> np.ndarray:
    flat = turned(points, np.array([angle]))[0]
    return np.column_stack((flat, np.full(len(flat), z)))


def rack_line(pair: RackPair, detail: Detail = FINE) -> ToothLine:
    """Half a tooth of a rack: height over the pitch line of the pinion, and half thickness."""
    curve = pair.half_tooth(2, SAMPLES)
    fillet, flank = curve[:SAMPLES], curve[SAMPLES - 1 :]
    ends = [[fillet[0, 0], pair.a.transverse_pitch / 2]], [[flank[-1, 0], 0.0]]
    half = np.concatenate((ends[0], hollow(fillet, detail.fillet)[:-1], flank, ends[1]))
    behind = pair.working_distance - pair.a.reference_diameter / 2
    return ToothLine(half - [behind, 0.0], foot=1)


def rack_outline(pair: RackPair, first: float, teeth: int, detail: Detail = FINE) -> np.ndarray:
    """Teeth of a rack (n, 2): place along the pitch line, the middle of the first tooth at `first`; height over it."""
    height, across = rack_line(pair, detail).tooth.T
    starts = first + pair.a.transverse_pitch * np.arange(teeth)
    along = (starts[:, None] + across).ravel()
    last = [[starts[-1] + pair.a.transverse_pitch / 2, height[0]]]
    return np.concatenate((np.column_stack((along, np.tile(height, teeth))), last))


def rack_solid(
    pair: RackPair, first: float, teeth: int, width: float, depth: float, detail: Detail = FINE
) -> Solid:
    """A rack: x along the pitch line, y towards the pinion, z along its axis.

    first: x of the middle of the first tooth in the plane z = 0 [m]; depth: of its back under the pitch line [m]
    """
    line = rack_line(pair, detail)
    flat = rack_outline(pair, first, teeth, detail)
    count = len(line.half) * 2 - 2
    feet = np.append((count * np.arange(teeth)[:, None] + line.base).ravel(), len(flat) - 1)
    slope = tan(pair.a.helix_angle)

    def raised(points: np.ndarray, z: float) -> np.ndarray:
        return np.column_stack((points[:, 0] + slope * z, points[:, 1], np.full(len(points), z)))

    heights = (-width / 2, width / 2)
    backs = np.column_stack((flat[feet, 0], np.full(len(feet), -depth)))
    sections, rings = (np.stack([raised(p, z) for z in heights]) for p in (flat, backs))
    # along x the row runs clockwise about z as seen with the teeth up: as teeth that look inwards do
    return stitched(sections, rings, line, inside=True, closed=False)


# -- curves of a tooth as few straight pieces that stay inside its material
#
# Chords of a convex boundary lie inside the material, but those of a hollow one (a fillet, the flank of a ring)
# outside, where they would touch the teeth of the mate. There the pieces of tangents are taken instead:
#
#     convex    points of the curve
#     hollow    its ends, and where neighbouring tangents meet


SAMPLES = 61
"""Points of a curve from which few are taken."""


def convex(curve: np.ndarray, count: int) -> np.ndarray:
    """`count` points of a curve (n, 2), its ends among them."""
    return curve[np.round(np.linspace(0, len(curve) - 1, count)).astype(int)]


def hollow(curve: np.ndarray, count: int) -> np.ndarray:
    """Ends of a curve (n, 2) and, between them, `count` - 2 points where its tangents meet.

    The tangents are at `count` - 1 points evenly along it, both ends among them.
    """
    places = np.round(np.linspace(0, len(curve) - 1, max(count - 1, 2))).astype(int)
    points, along = curve[places], np.gradient(curve, axis=0)[places]
    between = points[1:] - points[:-1]
    turn = _cross(along[:-1], along[1:])
    size = np.linalg.norm(along[:-1], axis=1) * np.linalg.norm(along[1:], axis=1)
    straight = np.abs(turn) < 1e-6 * size
    share = _cross(between, along[1:]) / np.where(straight, 1.0, turn)
    length = np.linalg.norm(along[:-1], axis=1) * share / np.maximum(np.linalg.norm(between, axis=1), 1e-300)
    middle = straight | (length < 0) | (length > 1)  # where they do not meet between the points
    corners = points[:-1] + share[:, None] * along[:-1]
    corners = np.where(middle[:, None], (points[1:] + points[:-1]) / 2, corners)
    return np.concatenate((curve[:1], corners, curve[-1:]))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
