"""Where the outlines of two wheels touch, found from the outlines of `wheelwork.gears` alone, pair by pair."""

from dataclasses import dataclass

import numpy as np

from wheelwork.gears import Gear, GearPair, RackPair
from wheelwork.gears.outline import half_tooth

DEGREE = 24


class FlankCurve:
    """The flank of a gear from its outline: polar angle from the middle of a tooth over the radius of curvature."""

    def __init__(self, gear: Gear):
        self.base = gear.base_diameter / 2
        flank = half_tooth(gear, flank=61).flank
        rho = np.sqrt(np.maximum(flank[:, 0] ** 2 - self.base**2, 0))
        self.ends = rho.min(), rho.max()
        self._angle = np.polynomial.Chebyshev.fit(rho, flank[:, 1], DEGREE, domain=list(self.ends))

    def points(self, rho: np.ndarray, side: int, middle: float) -> np.ndarray:
        """On the flank at the side 1 or -1 of the tooth whose middle is at a polar angle."""
        angle = middle + side * self._angle(rho)
        return np.hypot(self.base, rho)[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))

    def angle_at(self, radius: np.ndarray) -> np.ndarray:
        return self._angle(np.sqrt(radius**2 - self.base**2))

    def reaches(self, radius: float) -> bool:
        rho = np.sqrt(max(radius**2 - self.base**2, 0))
        return bool(self.ends[0] <= rho <= self.ends[1])


@dataclass(frozen=True)
class Placed:
    """Both wheels in the plane.

    a, b: centres (of a rack: a point of its reference line under the middle of a tooth)
    turn_a, turn_b: polar angles of the middle of a tooth
    """

    a: np.ndarray
    b: np.ndarray
    turn_a: float
    turn_b: float


def gaps(pair: GearPair | RackPair, at: Placed, side: int) -> list[tuple[float, np.ndarray]]:
    """Least distance [m] of the flanks of all pairs near the pitch point, and where it is; side: 1 front, -1 back of
    a's teeth."""
    curve = FlankCurve(pair.a)
    out = []
    for k in range(-3, 4):
        turn = at.turn_a + 2 * np.pi * k / pair.a.teeth
        for j in range(-3, 4):
            found = _least(curve, turn, at.a, side, _behind(pair, at, side, j))
            if found is not None:
                out.append(found)
    return out


def _behind(pair, at, side, j):
    """Distance of points from a flank of tooth j of b, and whether the flank is there; positive outside the tooth."""
    if isinstance(pair, RackPair):
        line = pair.half_tooth(flank=3)[-3:]  # straight
        slope = (line[2, 1] - line[0, 1]) / (line[2, 0] - line[0, 0])

        def distance(points):
            # the rack lies below, along x
            height = points[:, 1] - at.b[1]
            half = line[0, 1] + slope * (height - line[0, 0])
            return side * (at.b[0] + j * pair.a.transverse_pitch - points[:, 0]) - half

        return distance, lambda point: line[0, 0] <= point[1] - at.b[1] <= line[2, 0]
    curve = FlankCurve(pair.b)
    middle = at.turn_b + 2 * np.pi * j / pair.b.teeth

    def distance(points):
        arm = points - at.b
        radius, angle = np.hypot(*arm.T), np.arctan2(arm[:, 1], arm[:, 0])
        off = (angle - middle + np.pi) % (2 * np.pi) - np.pi
        # A ring's tooth is pushed on the side that a's comes from, an external one on the same side of its own middle.
        return radius * ((-side if pair.internal else side) * off - curve.angle_at(radius))

    return distance, lambda point: curve.reaches(float(np.hypot(*(point - at.b))))


def _least(curve, turn, centre, side, other):
    """By a search on a grid, and then for the zero of the slope."""
    distance, reaches = other

    def gap(rho):
        return distance(centre + curve.points(rho, side, turn))

    low, high = curve.ends
    step = 2e-5
    grid = np.linspace(low + 2 * step, high - 2 * step, 60)
    with np.errstate(invalid="ignore"):
        values = gap(grid)
    if not np.isfinite(values).any() or np.nanmin(np.abs(values)) > 1e-3:
        return None
    k = int(np.nanargmin(values))
    if k in (0, len(grid) - 1) or not np.isfinite(values[k - 1 : k + 2]).all():
        return None

    def slope(rho):
        v = gap(rho + step * np.array([-2, -1, 1, 2]))
        return (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * step)

    a, b = grid[k - 1], grid[k + 1]
    s_a, s_b = slope(a), slope(b)
    for _ in range(60):
        c = b - s_b * (b - a) / (s_b - s_a)
        s_c = slope(c)
        a, s_a, b, s_b = b, s_b, c, s_c
        if abs(b - a) < 1e-13:
            break
    point = centre + curve.points(np.array([b]), side, turn)[0]
    return (float(gap(np.array([b]))[0]), point) if reaches(point) else None
