r"""Roller chain on two sprockets: polygons of rollers, straight strands between them, and what is left over as slack.

In axes with wheel a at the origin and b at (d, 0). The rollers on a sprocket with z teeth are the corners of a polygon
with sides of the pitch p, on a circle of the radius R = p/(2 sin(pi/z)). A strand is the common tangent of the two
polygons: it ends at those corners A and B that lie farthest out across it. The chain closes where each strand is a
whole number of pitches long, the slack one not stretched out.
"""

from __future__ import annotations

import numpy as np

from wheelwork.lazy import dataclass

from .involute import GeometryError

ROUNDS = 4
"""In which the corners of a strand are found; two would do but where a roller is just handed over."""
FEWEST_TEETH = 6
ROLLER = 5 / 8
"""Diameter of a roller over the pitch (ASME B29.1)."""


@dataclass(frozen=True)
class Strand:
    """Numbers of the seats at its ends, counted from the given ones, and its ends (..., 2) [m]."""

    seat_a: np.ndarray
    seat_b: np.ndarray
    at_a: np.ndarray
    at_b: np.ndarray

    @property
    def length(self) -> np.ndarray:
        return np.linalg.norm(self.at_b - self.at_a, axis=-1)


@dataclass(frozen=True)
class Sprockets:
    """Two sprockets for one chain; pitch and distance of the axes [m], which may be many."""

    teeth: tuple[int, int]
    pitch: float
    distance: float | np.ndarray

    def __post_init__(self) -> None:
        if min(self.teeth) < FEWEST_TEETH:
            raise GeometryError(
                f"sprockets have {FEWEST_TEETH} teeth and more, but `teeth` are {self.teeth[0]} and {self.teeth[1]}"
            )
        R_a, R_b = self.circles
        if np.any(self.distance <= R_a + R_b):
            raise GeometryError(
                f"the axes are {1e3 * np.min(self.distance):.6g} mm apart, but sprockets with pitch circles of radius "
                f"{1e3 * R_a:.6g} and {1e3 * R_b:.6g} mm need more than {1e3 * (R_a + R_b):.6g} mm"
            )

    @property
    def circles(self) -> tuple[float, float]:
        """R_a, R_b: radii of the pitch circles, on which the centres of the rollers are [m]."""
        a, b = (self.pitch / (2 * np.sin(np.pi / z)) for z in self.teeth)
        return float(a), float(b)

    def speed_variation(self, side: int) -> float:
        """Difference of largest and least speed of a strand over the largest, on a sprocket that turns steadily and
        with a strand that stays parallel to itself: 1 - cos(pi/z)."""
        return float(1 - np.cos(np.pi / self.teeth[side]))

    def strand(self, seat_a: np.ndarray, seat_b: np.ndarray, side: int) -> Strand:
        """side: 1 for the strand to the left of the line from a to b, -1 for that to its right; seat_a, seat_b: angle
        of a seat on each sprocket, of any shape."""
        R_a, R_b = self.circles
        seats = (seat_a, seat_b)
        out = side * np.arccos((R_a - R_b) / self.distance) + 0 * seat_a
        numbers, ends = [], []
        for _ in range(ROUNDS):
            numbers = [np.round((out - s) * z / (2 * np.pi)) for s, z in zip(seats, self.teeth, strict=True)]
            ends = [self._corner(k, seats[k], numbers[k]) for k in (0, 1)]
            out = _angle(ends[1] - ends[0]) + side * np.pi / 2
        return Strand(*numbers, *ends)

    def seat_of_b(self, seat_a: np.ndarray, side: int = 1) -> np.ndarray:
        """Angle of a seat on b for which the strand on a side is a whole number of pitches long."""
        R_a, R_b = self.circles
        out, p = side * np.arccos((R_a - R_b) / self.distance) + 0 * seat_a, self.pitch
        B = np.zeros(2)
        for _ in range(ROUNDS):
            A = self._corner(0, seat_a, np.round((out - seat_a) * self.teeth[0] / (2 * np.pi)))
            to_b = self._centre(1) - A
            W = np.linalg.norm(to_b, axis=-1)
            # halfway between two hand-overs on b the strand touches the circle inside its polygon
            straight = p * np.round(np.sqrt(W**2 - (R_b * np.cos(np.pi / self.teeth[1])) ** 2) / p)
            turn = np.arccos((straight**2 + W**2 - R_b**2) / (2 * straight * W))
            along = _angle(to_b) + side * turn
            B = A + straight[..., None] * _unit(along)
            out = along + side * np.pi / 2
        return _angle(B - self._centre(1))

    def loop(self, seat_a: np.ndarray, side: int = 1) -> np.ndarray:
        """Length of a chain drawn tight around the sprockets, in pitches."""
        seat_b = self.seat_of_b(seat_a, side)
        left, right = self.strand(seat_a, seat_b, 1), self.strand(seat_a, seat_b, -1)
        around = right.seat_a + self.teeth[0] - left.seat_a + left.seat_b - right.seat_b
        return (left.length + right.length) / self.pitch + around

    def ratios(self, seat_a: np.ndarray, side: int = 1) -> np.ndarray:
        """Speed of a over speed of b: arms of the strand about b and a."""
        strand = self.strand(seat_a, self.seat_of_b(seat_a, side), side)
        along = (strand.at_b - strand.at_a) / strand.length[..., None]
        ends = enumerate((strand.at_a, strand.at_b))
        arms = [_cross(end - self._centre(side), along) for side, end in ends]
        return arms[1] / arms[0]

    def outline(self, side: int, roller: float, points: int = 9) -> np.ndarray:
        """Of a sprocket with a seat at the angle 0 (n, 2): round seats for rollers of a diameter, straight flanks, flat
        tips [m]."""
        z, R = self.teeth[side], self.circles[side]
        tip = R * np.cos(np.pi / z) + 0.32 * self.pitch
        seat = R - roller / 2 * np.exp(1j * np.linspace(1.1, -1.1, points))
        corner = tip * np.exp(0.72j * np.pi / z)
        tooth = np.concatenate([[corner.conjugate()], seat, [corner]])
        every = (np.exp(2j * np.pi * np.arange(z) / z)[:, None] * tooth).ravel()
        return np.stack([np.real(every), np.imag(every)], axis=1)

    @property
    def over_a_pitch(self) -> np.ndarray:
        """Angles of a seat of a."""
        return np.linspace(0, 2 * np.pi / self.teeth[0], 241)

    @property
    def longest(self) -> float:
        """Length of a chain that is tight at its tightest, in pitches."""
        return float(self.loop(self.over_a_pitch).max())

    def _corner(self, side: int, seat: np.ndarray, number: np.ndarray) -> np.ndarray:
        return self._centre(side) + self.circles[side] * _unit(seat + number * 2 * np.pi / self.teeth[side])

    def _centre(self, side: int) -> np.ndarray:
        x = np.asarray(side * self.distance, float)
        return np.stack([x, np.zeros_like(x)], axis=-1)


@dataclass(frozen=True)
class ChainDrive(Sprockets):
    """Two sprockets and a chain; links: the fewest that fit where left out.

    >>> drive = ChainDrive((17, 38), 12.7e-3, 0.4)
    >>> drive.count, round(1e3 * drive.circles[0], 3), round(drive.speed_variation(0), 4)
    (91, 34.558, 0.017)
    """

    links: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.links not in (None, self.fewest):
            needed = [1e3 * self._distance_for(n) for n in (self.links - 1, self.links)]
            apart = f"go with axes {needed[0]:.6g} to {needed[1]:.6g} mm apart"
            fits = apart if needed[1] > needed[0] else "are too few at any distance"
            raise GeometryError(
                f"a chain around these sprockets with axes {1e3 * float(self.distance):.6g} mm apart is "
                f"{self.longest:.4f} pitches long, so that it has {self.fewest} links, but `links` is {self.links}: "
                f"{self.links} links {fits}"
            )

    @property
    def fewest(self) -> int:
        """Links that fit; one more would leave more than a pitch of slack."""
        return int(np.ceil(self.longest - 1e-9))

    @property
    def count(self) -> int:
        return self.fewest if self.links is None else self.links

    @property
    def slack(self) -> tuple[float, float]:
        """Least and most by which the chain is longer than one drawn tight [m]."""
        left = (self.count - self.loop(self.over_a_pitch)) * self.pitch
        return float(left.min()), float(left.max())

    def _distance_for(self, links: int) -> float:
        """Of the axes, at which a chain of so many links is tight at its tightest [m]; the least there is where they
        are too few."""
        low = sum(self.circles) * (1 + 1e-9)
        high = low + links * self.pitch
        for _ in range(50):
            middle = (low + high) / 2
            tight = Sprockets(self.teeth, self.pitch, middle).longest > links
            low, high = (low, middle) if tight else (middle, high)
        return low


def _unit(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _angle(v: np.ndarray) -> np.ndarray:
    return np.arctan2(v[..., 1], v[..., 0])


def _cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
