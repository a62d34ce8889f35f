"""Jacobians and right-hand sides of any residual by differentiation.

The second route beside the closed forms of :mod:`.rows`, and the only one needed for a new element: from the
residual g(frames, u) alone follow

    G^    : columns for dx and for a small rotation in world axes (R -> R + turn~ R), so that G^ v = dg/dt
    nu    : -(dg/dt at rest), from prescribed functions of time u with derivative u'
    gamma : -(d/dt of G^ v - nu) with the accelerations left out
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wheelwork.lazy import casadi as ca

from .frames import BodyFrame
from .rows import Row

Residual = Callable[[BodyFrame, BodyFrame, ca.SX], ca.SX]
"""g(body a, body b, u) as a column of expressions."""


def rows_from_residual(residual: Residual, a: BodyFrame, b: BodyFrame, inputs: Sequence[ca.SX]) -> list[Row]:
    """Rows of `residual` by differentiation.

    `inputs` holds u, u' and u'' (columns of equal length, possibly empty).
    """
    u, u_rate, u_acceleration = inputs
    nudge_a, nudge_b = ca.SX.sym("da", 6), ca.SX.sym("db", 6)
    du, eps = ca.SX.sym("du", u.numel()), ca.SX.sym("eps")
    zero = ca.SX(3, 1)

    def velocity_level(frame_a: BodyFrame, frame_b: BodyFrame, u_now: ca.SX) -> tuple[ca.SX, ...]:
        g = residual(
            frame_a.perturbed(nudge_a[:3], nudge_a[3:], zero, zero),
            frame_b.perturbed(nudge_b[:3], nudge_b[3:], zero, zero),
            u_now + du,
        )
        at = [nudge_a, nudge_b, du]
        parts = [ca.jacobian(g, symbol) for symbol in at]
        rest = [ca.SX.zeros(*symbol.shape) for symbol in at]
        return tuple(ca.substitute(part, ca.vertcat(*at), ca.vertcat(*rest)) for part in [g, *parts])

    g, jac_a, jac_b, jac_u = velocity_level(a, b, u)

    # one small step eps along the motion; its derivative at eps = 0 is the total time derivative
    moved_a = a.perturbed(eps * a.v, eps * a.w, zero, zero)
    moved_b = b.perturbed(eps * b.v, eps * b.w, zero, zero)
    _, moved_jac_a, moved_jac_b, moved_jac_u = velocity_level(moved_a, moved_b, u + eps * u_rate)
    twist_a, twist_b = ca.vertcat(a.v, a.w), ca.vertcat(b.v, b.w)
    speed = ca.mtimes(moved_jac_a, twist_a) + ca.mtimes(moved_jac_b, twist_b)
    if u.numel():
        speed += ca.mtimes(moved_jac_u, u_rate + eps * u_acceleration)
    gamma = -ca.substitute(ca.jacobian(speed, eps), eps, ca.SX(0))
    nu = -ca.mtimes(jac_u, u_rate) if u.numel() else ca.SX(g.numel(), 1)
    return [
        Row(g[k], jac_a[k, :3].T, jac_a[k, 3:].T, jac_b[k, :3].T, jac_b[k, 3:].T, gamma[k], nu[k])
        for k in range(g.numel())
    ]
