"""Triangles to pixels with a depth buffer, in NumPy: pictures where there is neither screen nor graphics card.

Every triangle is cut into rows of pixels. In a row whose middle is at y, the three edges leave a stretch of x in which
all of them have the pixel on their inner side; a pixel belongs to the triangle where its middle lies in that stretch.
Depth and colour are linear on the screen, q = q_0 + q_x x + q_y y.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

MOST_AT_ONCE = 3_000_000
"""Pixels that are painted in one go; limits memory to some 200 MB."""


class Canvas:
    """Pixels in rows from the top: `image` (H W, 3), 0 to 1, and `depth` (H W), the nearest so far."""

    def __init__(self, width: int, height: int, background: np.ndarray):
        self.width, self.height = width, height
        self.image = np.empty((height * width, 3), np.float32)
        self.image[:] = background
        self.depth = np.full(height * width, -np.inf, np.float32)

    def shade(self, covered: np.ndarray, color: np.ndarray, alpha: float) -> None:
        """Mix a colour into some pixels."""
        self.image[covered] += alpha * (np.asarray(color, np.float32) - self.image[covered])


def rasterise(
    screen: np.ndarray, depth: np.ndarray, indices: np.ndarray, colors: np.ndarray, canvas: Canvas
) -> None:
    """Paint triangles.

    screen (V, 2): pixels, y down; depth (V): grows towards the eye and is linear on the screen, as 1/distance is
    indices (M, 3); colors (V, 3): 0 to 1, mixed across a triangle
    """
    corners = screen[indices]
    nearness, tints = _planes(corners, depth[indices][:, :, None])[:, :, 0], _planes(corners, colors[indices])
    triangle, y, start, count = _rows(corners, canvas)
    q = nearness[triangle]
    # at the first pixel of each row, and from there to the next
    near_first = (q[:, 0] + q[:, 1] * (start + 0.5) + q[:, 2] * (y + 0.5)).astype(np.float32)
    near_step = q[:, 1].astype(np.float32)
    pixel_first = (y * canvas.width + start).astype(np.int32)
    for rows in _some(count):
        some = count[rows]
        place = np.arange(some.sum(), dtype=np.int32) - np.repeat(
            (np.cumsum(some) - some).astype(np.int32), some
        )
        pixel = np.repeat(pixel_first[rows], some) + place
        # in the precision of the depth buffer, since it is compared with what comes back from there
        near = np.repeat(near_first[rows], some) + np.repeat(near_step[rows], some) * place.astype(np.float32)
        np.maximum.at(canvas.depth, pixel, near)
        first = np.flatnonzero(near == canvas.depth[pixel])
        row = np.repeat(np.arange(rows.start, rows.stop, dtype=np.int32), some)[first]
        x = start[row] + place[first] + 0.5
        canvas.image[pixel[first]] = _value(tints[triangle[row]], x, y[row] + 0.5)


def covered(screen: np.ndarray, indices: np.ndarray, canvas: Canvas) -> np.ndarray:
    """Which pixels triangles cover (H W), true or false: a shadow."""
    _, y, start, count = _rows(screen[indices], canvas)
    first, pixels = y * canvas.width + start, canvas.width * canvas.height
    open_rows = np.bincount(first, minlength=pixels + 1) - np.bincount(first + count, minlength=pixels + 1)
    return np.cumsum(open_rows[:-1]) > 0


def _planes(corners: np.ndarray, values: np.ndarray) -> np.ndarray:
    """q_0, q_x, q_y (M, 3, C) of values (M, 3, C) at corners (M, 3, 2); zero slope where a triangle has no area."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    area = np.where(np.abs(area) > 1e-9, area, np.inf)[:, None]
    p, q = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    slope_x = (p * ac[:, 1:] - q * ab[:, 1:]) / area
    slope_y = (q * ab[:, :1] - p * ac[:, :1]) / area
    return np.stack([values[:, 0] - slope_x * a[:, :1] - slope_y * a[:, 1:], slope_x, slope_y], axis=1)


def _value(q: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (q[:, 0] + q[:, 1] * x[:, None] + q[:, 2] * y[:, None]).astype(np.float32)


def _some(count: np.ndarray) -> Iterator[slice]:
    """Rows of pixels, so many at a time as memory allows."""
    total, first = np.cumsum(count), 0
    while first < len(count):
        done = total[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(total, done + MOST_AT_ONCE)))
        yield slice(first, last)
        first = last


def _rows(corners: np.ndarray, canvas: Canvas) -> tuple[np.ndarray, ...]:
    """Of each row of pixels in a triangle: the triangle, the row, its first column and how many there are."""
    low = np.clip(np.ceil(corners[:, :, 1].min(axis=1) - 0.5), 0, canvas.height).astype(np.int64)
    high = np.clip(np.ceil(corners[:, :, 1].max(axis=1) - 0.5), 0, canvas.height).astype(np.int64)
    rows = np.maximum(high - low, 0)
    triangle = np.repeat(np.arange(len(corners)), rows)
    y = low[triangle] + np.arange(len(triangle)) - np.repeat(np.cumsum(rows) - rows, rows)
    middle = y + 0.5
    left, right = np.full(len(y), np.inf), np.full(len(y), -np.inf)
    for k in range(3):
        p, q = corners[:, k], corners[:, (k + 1) % 3]
        rise = q[:, 1] - p[:, 1]
        slope = (q[:, 0] - p[:, 0]) / np.where(rise == 0.0, 1.0, rise)
        edge = (np.minimum(p[:, 1], q[:, 1]), np.maximum(p[:, 1], q[:, 1]), p[:, 0] - slope * p[:, 1], slope)
        below, above, offset, slope = (np.repeat(number, rows) for number in edge)
        crosses = (below <= middle) & (middle < above)
        x = offset + slope * middle
        np.minimum(left, x, out=left, where=crosses)
        np.maximum(right, x, out=right, where=crosses)
    start = np.clip(np.ceil(np.where(left <= right, left, 0) - 0.5), 0, canvas.width)
    stop = np.clip(np.ceil(np.where(left <= right, right, 0) - 0.5), 0, canvas.width)
    count = np.maximum(stop - start, 0).astype(np.int64)
    some = count > 0
    return triangle[some], y[some], start[some].astype(np.int64), count[some]
