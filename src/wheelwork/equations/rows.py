"""Constraint rows in closed form: the few primitives of which joints are made.

A :class:`Row` is one scalar constraint between bodies a and b with what the solvers need of it::

    g(q, t) = 0            position level
    G^ v    = nu           velocity level; G^ is the transformed Jacobian (Vlasenko, Kasper, (2), (3)): its
                           entries multiply linear and angular velocity, not derivatives of coordinates
    G^ v'   = gamma        acceleration level

The closed forms below follow from "d/dt of a vector fixed in a body is w x vector"; they are the primitives
of Haug (Computer Aided Kinematics and Dynamics, 1989, ch. 9) with arms in world axes. Tests compare every one
with differentiation (:mod:`wheelwork.equations.differentiate`) at random states.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .frames import Marker

MovingVector = tuple["ca.SX", "ca.SX"]
"""A vector and its rate, world axes."""


def _zero() -> ca.SX:
    return ca.SX(3, 1)


@dataclass(frozen=True)
class WideRow:
    """One scalar constraint on any number of bodies; `sides` has the columns of G^ for their linear and angular
    velocities."""

    value: ca.SX
    sides: tuple[tuple[ca.SX, ca.SX], ...]
    gamma: ca.SX
    nu: ca.SX


@dataclass(frozen=True)
class Row:
    """One scalar constraint. `a_*`, `b_*` are the columns of G^ for the linear and angular velocity."""

    value: ca.SX
    a_linear: ca.SX = field(default_factory=_zero)
    a_angular: ca.SX = field(default_factory=_zero)
    b_linear: ca.SX = field(default_factory=_zero)
    b_angular: ca.SX = field(default_factory=_zero)
    gamma: ca.SX = field(default_factory=lambda: ca.SX(0))
    nu: ca.SX = field(default_factory=lambda: ca.SX(0))

    @property
    def sides(self) -> tuple[tuple[ca.SX, ca.SX], ...]:
        """As a row of two bodies."""
        return (self.a_linear, self.a_angular), (self.b_linear, self.b_angular)

    def rate(self, a: Marker, b: Marker) -> ca.SX:
        """G^ v: the time derivative of the geometric part of the row; g_v of Vlasenko, Kasper (3)."""
        return (
            ca.dot(self.a_linear, a.body.v)
            + ca.dot(self.a_angular, a.body.w)
            + ca.dot(self.b_linear, b.body.v)
            + ca.dot(self.b_angular, b.body.w)
        )

    def minus(self, value: ca.SX, first: ca.SX, second: ca.SX) -> Row:
        """The row less a prescribed function of time with its first and second derivative."""
        return Row(
            self.value - value,
            self.a_linear,
            self.a_angular,
            self.b_linear,
            self.b_angular,
            self.gamma + second,
            self.nu + first,
        )

    def plus(self, other: Row, factor: ca.SX | float = 1.0) -> Row:
        """This row plus a constant multiple of another."""
        return Row(
            self.value + factor * other.value,
            self.a_linear + factor * other.a_linear,
            self.a_angular + factor * other.a_angular,
            self.b_linear + factor * other.b_linear,
            self.b_angular + factor * other.b_angular,
            self.gamma + factor * other.gamma,
            self.nu + factor * other.nu,
        )


def combined(parts: Sequence[tuple[ca.SX | float, Row, int, int]], bodies: int) -> WideRow:
    """A sum of rows, each with a constant factor and the places of its bodies a and b among all `bodies`."""
    sides = [(_zero(), _zero()) for _ in range(bodies)]
    value, gamma, nu = ca.SX(0), ca.SX(0), ca.SX(0)
    for factor, row, *places in parts:
        value, gamma, nu = (
            total + factor * own for total, own in ((value, row.value), (gamma, row.gamma), (nu, row.nu))
        )
        for place, (linear, angular) in zip(places, row.sides, strict=True):
            sides[place] = sides[place][0] + factor * linear, sides[place][1] + factor * angular
    return WideRow(value, tuple(sides), gamma, nu)


def coincident(a: Marker, b: Marker) -> list[Row]:
    """Markers at one point: p_b - p_a = 0 (three rows, world axes).

    G^ v = v_b + w_b x s_b - v_a - w_a x s_a;  gamma = w_a x (w_a x s_a) - w_b x (w_b x s_b).
    """
    gap = b.p - a.p
    gamma = a.centripetal - b.centripetal
    skew_a, skew_b = ca.skew(a.s), ca.skew(b.s)
    unit = ca.SX.eye(3)
    return [Row(gap[k], -unit[:, k], skew_a[k, :].T, unit[:, k], -skew_b[k, :].T, gamma[k]) for k in range(3)]


def perpendicular(a: Marker, u: ca.SX, b: Marker, w: ca.SX) -> Row:
    """Direction u fixed in a stays perpendicular to direction w fixed in b: u . w = 0.

    G^ v = (u x w) . (w_a - w_b);  gamma = -(w_a - w_b) . d/dt (u x w).
    """
    normal = ca.cross(u, w)
    relative = a.body.w - b.body.w
    change = ca.cross(ca.cross(a.body.w, u), w) + ca.cross(u, ca.cross(b.body.w, w))
    return Row(ca.dot(u, w), a_angular=normal, b_angular=-normal, gamma=-ca.dot(relative, change))


def offset_along(a: Marker, u: ca.SX, b: Marker) -> Row:
    """Distance of marker b from marker a along a direction u fixed in a: u . (p_b - p_a).

    With d = p_b - p_a and D = its rate: G^ v = u . D + (u x d) . w_a, and
    gamma = -(2 (w_a x u) . D + (w_a x (w_a x u)) . d + u . (centripetal_b - centripetal_a)).
    """
    d = b.p - a.p
    rate = b.velocity - a.velocity
    u_rate = ca.cross(a.body.w, u)
    gamma = -(
        2 * ca.dot(u_rate, rate)
        + ca.dot(ca.cross(a.body.w, u_rate), d)
        + ca.dot(u, b.centripetal - a.centripetal)
    )
    # d/dt of u.d: the turning of u gives (w_a x u).d = w_a.(u x d); the arm of a gives -u.(w_a x s_a)
    return Row(
        ca.dot(u, d),
        a_linear=-u,
        a_angular=ca.cross(u, d) - ca.cross(a.s, u),
        b_linear=u,
        b_angular=ca.cross(b.s, u),
        gamma=gamma,
    )


def separation(a: Marker, b: Marker) -> Row:
    """Distance between the markers' origins, |p_b - p_a| (must not vanish).

    With n the unit vector from a to b: G^ v = n . D;
    gamma = -((|D|^2 - (n . D)^2)/|d| + n . (centripetal_b - centripetal_a)).
    """
    d = b.p - a.p
    length = ca.norm_2(d)
    n = d / length
    rate = b.velocity - a.velocity
    along = ca.dot(n, rate)
    gamma = -((ca.dot(rate, rate) - along**2) / length + ca.dot(n, b.centripetal - a.centripetal))
    return Row(
        length, a_linear=-n, a_angular=-ca.cross(a.s, n), b_linear=n, b_angular=ca.cross(b.s, n), gamma=gamma
    )


def velocity_at(
    a: Marker, b: Marker, point: MovingVector, along: MovingVector, value: ca.SX | None = None
) -> Row:
    """Velocity of b's material point at P minus that of a's there, along d; both P and d may move in any way.

    G^ v = d . (v_b(P) - v_a(P));  gamma = -d' . (v_b(P) - v_a(P)) - d . (w_b x (P' - x_b') - w_a x (P' - x_a')).
    `value` is what has this rate, where there is such a thing; zero for a row of speeds.
    """
    (p, p_rate), (d, d_rate) = point, along
    arm_a, arm_b = p - a.body.x, p - b.body.x
    relative = b.body.v + ca.cross(b.body.w, arm_b) - a.body.v - ca.cross(a.body.w, arm_a)
    carried = ca.cross(b.body.w, p_rate - b.body.v) - ca.cross(a.body.w, p_rate - a.body.v)
    return Row(
        ca.SX(0) if value is None else value,
        a_linear=-d,
        a_angular=-ca.cross(arm_a, d),
        b_linear=d,
        b_angular=ca.cross(arm_b, d),
        gamma=-ca.dot(d_rate, relative) - ca.dot(d, carried),
    )


def unit(vector: MovingVector) -> MovingVector:
    """A moving vector of length 1 along another."""
    v, rate = vector
    length = ca.norm_2(v)
    u = v / length
    return u, (rate - ca.dot(u, rate) * u) / length


def turn_about_axis(a: Marker, b: Marker, counted: ca.SX | float = 0.0) -> Row:
    """Angle from a's x axis to b's x axis about the common z axis, in radians, any number of turns.

    The principal value is x = atan2(ey_a . ex_b - ex_a . ey_b, ex_a . ex_b + ey_a . ey_b), right-handed about
    z. `counted` is the angle as counted along the motion, right to within half a turn: it settles the number of
    turns, and the angle is x + 2 pi floor((counted - x) / (2 pi) + 1/2).

    For axes z_a, z_b that need not be parallel (a torsional spring between free bodies), with c = z_a . z_b:
    G^ v = n . (w_b - w_a), n = (z_a + z_b)/(1 + c), and gamma = -n' . (w_b - w_a); parallel axes give n = z.

    In the plane bodies have angles over any number of turns, and the angle is their difference, about the world's
    z; the number of turns is `counted`'s here too: angles of the markers in their bodies are principal values.
    """
    if a.angle is not None and b.angle is not None:
        z = ca.SX([0, 0, 1])
        return Row(_whole_turns(b.angle - a.angle, counted), a_angular=-z, b_angular=z)
    sine = ca.dot(a.ey, b.ex) - ca.dot(a.ex, b.ey)
    cosine = ca.dot(a.ex, b.ex) + ca.dot(a.ey, b.ey)
    principal = ca.atan2(sine, cosine)
    over = 1 / (1 + ca.dot(a.ez, b.ez))
    n = over * (a.ez + b.ez)
    rate_a, rate_b = ca.cross(a.body.w, a.ez), ca.cross(b.body.w, b.ez)
    n_rate = over * (rate_a + rate_b - n * (ca.dot(rate_a, b.ez) + ca.dot(a.ez, rate_b)))
    gamma = -ca.dot(n_rate, b.body.w - a.body.w)
    return Row(_whole_turns(principal, counted), a_angular=-n, b_angular=n, gamma=gamma)


def _whole_turns(angle: ca.SX, counted: ca.SX | float) -> ca.SX:
    """The angle plus as many whole turns as bring it next to the counted one."""
    return angle + 2 * math.pi * ca.floor((counted - angle) / (2 * math.pi) + 0.5)
