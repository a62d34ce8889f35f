r"""A stiffness over the mesh cycle as expressions: the numbers are those of :mod:`wheelwork.gears.stiffness.course`.

The back flank sees a table at 2 tau_0 - tau (:mod:`wheelwork.layout.teeth`). At a jump the force of teeth that
are pressed jumps, so that integrators have to stop there: `jumps` of :class:`Course` change sign at each of them.
"""

from __future__ import annotations

from typing import Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

Kind = tuple[Any, ...]
"""See :mod:`wheelwork.gears.stiffness.course`."""


@dataclass(frozen=True)
class Course:
    """Of front and back flanks: stiffness [N/m] and its rate [N/(m s)]; and what changes sign at jumps, if any."""

    front: tuple[ca.SX, ca.SX]
    back: tuple[ca.SX, ca.SX]
    jumps: tuple[ca.SX, ...] = ()


def size(kind: Kind) -> int:
    """How many numbers a course has besides its mean."""
    return 4 * len(kind[1]) if kind[0] == "series" else 3 + 3 * kind[1]


def course(kind: Kind, mean: ca.SX, data: ca.SX, tau: ca.SX, rate: ca.SX) -> Course:
    """rate: of tau [1/s]"""
    if kind[0] == "series":
        of, half = _waves(2 * ca.pi * tau, kind[1]), data.numel() // 2
        front, back = (_sum(mean, part, of, 2 * ca.pi * rate) for part in (data[:half], data[half:]))
        return Course(front, back)
    mirrored = 2 * data[0] - tau
    front, back = _lines(data, tau, rate), _lines(data, mirrored, -rate)
    if not kind[2]:
        return Course(front, back)
    places = [data[3 + 3 * i] for i in kind[2]]
    jumps = []
    for phase in (tau, mirrored):
        signed = ca.SX(1)
        for place in places:
            signed *= ca.sin(ca.pi * (phase - place))
        jumps.append(signed)
    return Course(front, back, tuple(jumps))


def _waves(angle: ca.SX, orders: tuple[int, ...]) -> list[tuple[int, ca.SX, ca.SX]]:
    """n, cos(n angle), sin(n angle) for each order; by the addition theorem where they go on from 1."""
    if orders != tuple(range(1, len(orders) + 1)):
        return [(n, ca.cos(n * angle), ca.sin(n * angle)) for n in orders]
    out: list[tuple[int, ca.SX, ca.SX]] = []
    c, s = ca.cos(angle), ca.sin(angle)
    for n in orders:
        if n == 1:
            out.append((1, c, s))
        else:
            _, last_c, last_s = out[-1]
            out.append((n, last_c * c - last_s * s, last_s * c + last_c * s))
    return out


def _sum(k_0: ca.SX, parts: ca.SX, of: list[tuple[int, ca.SX, ca.SX]], rate: ca.SX) -> tuple[ca.SX, ca.SX]:
    """k_0 + sum of c_n cos + s_n sin, and its time derivative; rate: that of the angle"""
    value, change = k_0, ca.SX(0)
    for i, (n, c, s) in enumerate(of):
        c_n, s_n = parts[2 * i], parts[2 * i + 1]
        value += c_n * c + s_n * s
        change += n * (s_n * c - c_n * s) * rate
    return value, change


def _lines(data: ca.SX, phase: ca.SX, rate: ca.SX) -> tuple[ca.SX, ca.SX]:
    x = phase - ca.floor(phase)
    value, slope = data[1] + data[2] * x, data[2]
    for i in range(3, data.numel(), 3):
        past = x >= data[i]
        value += past * (data[i + 1] + data[i + 2] * (x - data[i]))
        slope += past * data[i + 2]
    return value, slope * rate
