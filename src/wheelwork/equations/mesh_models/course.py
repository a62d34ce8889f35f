"""A course over the mesh cycle as mean and harmonics, with its rate."""

from __future__ import annotations

import casadi as ca


def waves(angle: ca.SX, count: int) -> list[tuple[ca.SX, ca.SX]]:
    """cos(n angle), sin(n angle) for n = 1 to count, by the addition theorem."""
    if count == 0:
        return []
    c, s = ca.cos(angle), ca.sin(angle)
    out = [(c, s)]
    for _ in range(count - 1):
        last_c, last_s = out[-1]
        out.append((last_c * c - last_s * s, last_s * c + last_c * s))
    return out


def series(k_0: ca.SX, parts: ca.SX, of: list[tuple[ca.SX, ca.SX]], rate: ca.SX) -> tuple[ca.SX, ca.SX]:
    """k_0 + sum of c_n cos + s_n sin, and its time derivative; rate: that of the angle"""
    value, change = k_0, ca.SX(0)
    for n, (c, s) in enumerate(of, start=1):
        c_n, s_n = parts[2 * n - 2], parts[2 * n - 1]
        value += c_n * c + s_n * s
        change += n * (s_n * c - c_n * s) * rate
    return value, change
