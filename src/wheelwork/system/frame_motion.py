"""How bodies and attachment frames move, in the world or as seen from each other, and rotations in three angles.

With the other frame at x_o, R_o, moving with v_o, w_o, a_o, alpha_o, and r = x - x_o, an observer on it sees, in its
axes:

    p = R_o^T r                          v' = R_o^T u,  u = v - v_o - w_o x r
    w' = R_o^T (w - w_o)                 a' = R_o^T (a - a_o - alpha_o x r - w_o x (w_o x r) - 2 w_o x u)
    alpha' = R_o^T (alpha - alpha_o - w_o x (w - w_o))

Angles of R are those of `wheelwork.equations.rotations`: Euler zxz R = Rz(psi) Rx(theta) Rz(sigma), Bryant (Cardan)
R = Rx(a) Ry(b) Rz(c); Rodrigues parameters are (x, y, z)/w of the Euler parameters, u tan(angle/2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass, layouts

from . import attitude
from .motion import Motion

GROUND = "ground"
SINGULAR = 1e-12
"""Sine or cosine of the middle angle, below which the last of three angles is taken as zero."""


@dataclass(frozen=True)
class FrameMotion:
    """x (N, 3) [m], R (N, 3, 3), v, w, a, alpha (N, 3), SI units; in the axes of the frame it is seen from."""

    x: np.ndarray
    R: np.ndarray
    v: np.ndarray
    w: np.ndarray
    a: np.ndarray
    alpha: np.ndarray

    def seen_from(self, other: FrameMotion) -> FrameMotion:
        def turned(vector: np.ndarray) -> np.ndarray:
            return np.einsum("nji,nj->ni", other.R, vector)

        r, w = self.x - other.x, self.w - other.w
        u = self.v - other.v - np.cross(other.w, r)
        a = self.a - other.a - np.cross(other.alpha, r) - np.cross(other.w, np.cross(other.w, r))
        return FrameMotion(
            turned(r),
            other.R.swapaxes(1, 2) @ self.R,
            turned(u),
            turned(w),
            turned(a - 2 * np.cross(other.w, u)),
            turned(self.alpha - other.alpha - np.cross(other.w, w)),
        )


def frame_motion(m: Motion, name: str) -> FrameMotion:
    """Of `ground`, a body's own frame or an attachment frame, in the world; KeyError for other names."""
    flat = m.program.flat
    body, placed = (
        (flat.frames[name].element.body, flat.frames[name]) if name in flat.frames else (name, None)
    )
    if body != GROUND and body not in m.program.bodies:
        raise KeyError(name)
    arm, axes = np.zeros(3), np.eye(3)
    if placed is not None:
        record = _record(m, placed)
        arm, axes = record[:3], record[3:].reshape(3, 3)
    elif body != GROUND:
        arm = -m.numbers.center[m.program.bodies.index(body)]
    if body == GROUND:
        still = np.zeros((m.count, 3))
        return FrameMotion(still + arm, np.tile(axes, (m.count, 1, 1)), still, still, still, still)
    k = m.program.bodies.index(body)
    v, w, a, alpha = m.v[:, k, :3], m.v[:, k, 3:], m.a[:, k, :3], m.a[:, k, 3:]
    s = m.R[:, k] @ arm
    return FrameMotion(
        m.x[:, k] + s,
        m.R[:, k] @ axes,
        v + np.cross(w, s),
        w,
        a + np.cross(alpha, s) + np.cross(w, np.cross(w, s)),
        alpha,
    )


def _record(m: Motion, placed: Any) -> np.ndarray:
    """Marker of an attachment frame: its place about the centre of mass, and its axes."""
    layout = layouts.layout_of(m.program.flat)
    marker = layout.place(placed).frame_marker(placed.element.body, placed.element, "body")
    values = np.empty((len(layout.parameters.names), 1), object)
    values[:, 0] = [m.numbers.parameters[name] for name in layout.parameters.names]
    name = f"marker_{list(m.program.flat.frames).index(placed.name)}"  # code is kept by name
    function = ca.Function(name, [layout.parameters.column], [ca.densify(marker)])
    return m.evaluate(function, [values])[0][:, 0]


# -- rotations as three numbers (N, 3)


def bryant_xyz(R: np.ndarray) -> np.ndarray:
    """rad, within half a turn each; the middle one within a quarter."""
    size = np.sqrt(R[:, 0, 0] ** 2 + R[:, 0, 1] ** 2)
    a = _either(size, SINGULAR, _angle(-R[:, 1, 2], R[:, 2, 2]), _angle(R[:, 2, 1], R[:, 1, 1]))
    x, y = np.cos(a), np.sin(a)  # with which c fits an a that is round-off
    c = _angle(x * R[:, 1, 0] + y * R[:, 2, 0], x * R[:, 1, 1] + y * R[:, 2, 1])
    return np.stack([a, _angle(R[:, 0, 2], size), _either(size, SINGULAR, c, c - c)], axis=1)


def euler_zxz(R: np.ndarray) -> np.ndarray:
    """rad, within half a turn each; the middle one from 0."""
    size = np.sqrt(R[:, 0, 2] ** 2 + R[:, 1, 2] ** 2)
    psi = _either(size, SINGULAR, _angle(R[:, 0, 2], -R[:, 1, 2]), _angle(R[:, 1, 0], R[:, 0, 0]))
    c, s = np.cos(psi), np.sin(psi)  # with which sigma fits a psi that is round-off
    sigma = _angle(-c * R[:, 0, 1] - s * R[:, 1, 1], c * R[:, 0, 0] + s * R[:, 1, 0])
    return np.stack([psi, _angle(size, R[:, 2, 2]), _either(size, SINGULAR, sigma, sigma - sigma)], axis=1)


def rodrigues(R: np.ndarray) -> np.ndarray:
    """u tan(angle/2), without bound towards half a turn: d/(1 + trace), d = (R_32 - R_23, ...), and beyond a quarter
    d (3 - trace)/|d|^2, which does not cancel there."""
    across = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1)
    trace, square = R[:, 0, 0] + R[:, 1, 1] + R[:, 2, 2], np.sum(across**2, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return across * _either(trace, 1.0, 1 / (1 + trace), (3 - trace) / square)[:, None]


def _angle(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """arctan2 of numbers or symbols."""
    return (
        np.arctan2(y, x) if y.dtype != object else _column([ca.atan2(*one) for one in zip(y, x, strict=True)])
    )


def _either(x: np.ndarray, least: float, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a where x is above a number, b where not: numbers or symbols."""
    if x.dtype != object:
        return np.where(x > least, a, b)
    return _column([ca.if_else(one > least, *both) for one, *both in zip(x, a, b, strict=True)])


def _column(symbols: list[ca.SX]) -> np.ndarray:
    out = np.empty(len(symbols), object)
    out[:] = symbols
    return out


def euler_parameters(R: np.ndarray) -> np.ndarray:
    """(N, 4), w first; of the two that mean the same, the one next to that before."""
    out = np.empty((len(R), 4))
    for n, A in enumerate(R):
        e = attitude.euler_parameters(A)
        out[n] = -e if n and out[n - 1] @ e < 0 else e
    return out


OF_FRAMES = {
    "position": ("m", "position of the frame's origin", "x"),
    "velocity": ("m/s", "velocity of the frame's origin", "v"),
    "acceleration": ("m/s^2", "acceleration of the frame's origin", "a"),
    "w": ("rad/s", "angular velocity", "w"),
    "angular_acceleration": ("rad/s^2", "angular acceleration", "alpha"),
}
"""Unit, meaning and attribute of `FrameMotion`, by the name of the signal."""
ANGLES = {"bryant_xyz": (bryant_xyz, "rad"), "euler_zxz": (euler_zxz, "rad"), "rodrigues": (rodrigues, "1")}
"""Rotations as three numbers, by name, with their units."""
