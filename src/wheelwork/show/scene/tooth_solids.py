"""Solids of rows of teeth: sections through the teeth one behind the other, stitched to a closed surface.

A section is a line of points, tooth by tooth from the middle of a root to the middle of the next:

    root  |  flank  |  tip  |  flank  |  root       the second half mirrors the first

Sections of a spur gear are all alike; those of a helical gear are turned, those of a bevel gear smaller towards the
apex. Behind the teeth are rings of points (a bore, a rim, the back of a rack), from the end of the first section to
the end of the last. End faces go across each tooth from flank to flank, so that undercut teeth are right too.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from .solids import Solid


@dataclass(frozen=True)
class ToothLine:
    """Half a tooth in a plane, from the middle of the root to the middle of the tip.

    half: (n, 2), x outwards along the middle of the tooth, y across, not negative; the last has y = 0
    foot: index of the point at which the tooth leaves the root line
    across: whether end faces may go from flank to flank; False for threads, which go more than half around
    """

    half: np.ndarray
    foot: int
    across: bool = True

    @property
    def tooth(self) -> np.ndarray:
        """The whole tooth without its last point, which is the first of the next one; (2 n - 2, 2)."""
        return np.concatenate((self.half * [1.0, -1.0], self.half[-2:0:-1]))

    @property
    def base(self) -> np.ndarray:
        """Points of a tooth that the body behind the teeth begins at."""
        count = 2 * len(self.half) - 2
        if not self.across:
            return np.arange(count)
        return np.unique([*range(self.foot + 1), *range(count - self.foot, count)])


def stitched(
    sections: np.ndarray, back: np.ndarray, line: ToothLine, *, inside: bool = False, closed: bool = True
) -> Solid:
    """The solid between sections (K, N, 3), the first seen from below, and rings behind them (P, B, 3).

    N is teeth times points of a tooth, B teeth times points of its base, each one more where the row is not closed.
    P of one and the same point (a wheel without a bore) is allowed. inside: teeth that look inwards
    One tooth has the darker tone, so that a turning wheel can be followed.
    """
    count, base = len(line.half) * 2 - 2, line.base
    levels, total = sections.shape[:2]
    teeth = (total - (0 if closed else 1)) // count
    grid = np.arange(levels * total).reshape(levels, total)
    behind = levels * total + np.arange(back.shape[0] * back.shape[1]).reshape(back.shape[:2])
    feet = (count * np.arange(teeth)[:, None] + base).ravel()
    here, after = _steps(total, closed)
    own = _tooth_of(here, count, teeth)
    faces: list[np.ndarray] = []
    tones: list[np.ndarray] = []

    def add(some: np.ndarray, tone: np.ndarray) -> None:
        faces.append(some)
        tones.append(tone)

    for low, high in itertools.pairwise(grid):
        add(np.stack([low[here], low[after], high[after], high[here]], axis=1), own == 0)
    if not closed:
        feet = np.append(feet, total - 1)
    start, end = _steps(len(feet), closed)
    plain = np.zeros(len(start), bool)
    for level, ring, flip in ((grid[-1], behind[-1], False), (grid[0], behind[0], True)):
        rim = np.stack([ring[start], level[feet[start]], level[feet[end]], ring[end]], axis=1)
        add(rim[:, ::-1] if flip else rim, plain)
        if line.across:
            quads = _across(line, level, teeth, count)
            dark = np.repeat(np.arange(teeth) == 0, len(quads) // teeth)
            add(quads[:, ::-1] if flip else quads, dark)
    for low, high in itertools.pairwise(behind):
        add(np.stack([low[end], low[start], high[start], high[end]], axis=1), plain)
    if not closed:
        first, last = (np.concatenate((grid[:, k], behind[::-1, k])) for k in (0, -1))
        add(np.stack([first, last[::-1]]), np.zeros(2, bool))
    corners = np.concatenate((sections.reshape(-1, 3), back.reshape(-1, 3)))
    return _tidy(corners, faces, tones, inside)


def _steps(count: int, closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Indices of points and of those after them."""
    here = np.arange(count if closed else count - 1)
    return here, (here + 1) % count


def _tooth_of(points: np.ndarray, count: int, teeth: int) -> np.ndarray:
    return np.minimum(points // count, teeth - 1)


def _across(line: ToothLine, level: np.ndarray, teeth: int, count: int) -> np.ndarray:
    """Faces from flank to flank, from the foot to the tip; the last comes to a point."""
    left = np.arange(line.foot, len(line.half) - 1)
    one = np.stack([left, left + 1, count - left - 1, count - left], axis=1)
    first = count * np.arange(teeth)[:, None, None]
    whole = (first + one).reshape(-1, 4)
    # a foot in the middle of the root belongs to the next tooth on its right side
    return level[np.where(whole >= len(level), 0, whole)]


def _tidy(corners: np.ndarray, faces: list[np.ndarray], tones: list[np.ndarray], flipped: bool) -> Solid:
    """Corners at one place are one, and faces have no corner twice."""
    _, first, place = np.unique(
        np.round(corners / _grain(corners)), axis=0, return_index=True, return_inverse=True
    )
    place = place.ravel()
    out, marks = [], []
    for some, dark in zip(faces, tones, strict=True):
        for face, mark in zip(place[some].tolist(), dark.tolist(), strict=True):
            kept = [c for k, c in enumerate(face) if c != face[k - 1]]
            if len(set(kept)) >= 3:
                out.append(kept[::-1] if flipped else kept)
                marks.append(int(mark))
    return Solid(corners[first], out, marks)


def _grain(corners: np.ndarray) -> float:
    """Lengths below this are nothing."""
    return 1e-9 * float(np.max(np.ptp(corners, axis=0), initial=1e-9))
