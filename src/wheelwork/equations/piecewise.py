"""Curves of straight pieces in forces: characteristics of motors, clutches and springs.

    y(x) = y_1 + sum over pieces of s_k (clip(x, x_k, x_k+1) - x_k)     s_k: slope of piece k; constant beyond the ends

With `beyond` the end pieces go on. The integral from x_1 is that of each piece over its part of the interval.
"""

from __future__ import annotations

from wheelwork.lazy import casadi as ca


def piecewise(x: ca.SX, places: ca.SX, values: ca.SX, beyond: bool = False) -> tuple[ca.SX, ca.SX]:
    """The curve through points (at least two) at x, and its integral from the first place."""
    count = places.numel()
    y, area = values[0], values[0] * (x - places[0])
    for k in range(count - 1):
        slope = (values[k + 1] - values[k]) / (places[k + 1] - places[k])
        # the way into this piece; behind it the height gained goes on
        way = x if beyond and k == 0 else ca.fmax(x, places[k])
        inside = way if beyond and k == count - 2 else ca.fmin(way, places[k + 1])
        gained = inside - places[k]
        y = y + slope * gained
        area = area + slope * (gained**2 / 2 + gained * (way - inside))
    return y, area


def characteristic(x: ca.SX, points: ca.SX) -> tuple[ca.SX, ca.SX, list[ca.SX]]:
    """Of a spring: what it pulls with at x, what it stores from 0 on, and its corners; points: places, then values."""
    count = points.numel() // 2
    places, values = points[:count], points[count:]
    pulls, stored = piecewise(x, places, values, beyond=True)
    stored = stored - piecewise(ca.SX(0), places, values, beyond=True)[1]
    return pulls, stored, [x - places[k] for k in range(1, count - 1)]
