"""A rigid body in its state variables, as CasADi functions: frame, inverse mass, own forces, small motions.

In space. Symbols: q = (x, e) position of the centre of mass and Euler parameters (7), v = (v, w) velocities in world
axes (6), numbers = (m, J' by rows, J'^-1 by rows, gravity) (22). J = R J' R^T is the inertia tensor in world
axes.

    e' = 1/2 (0, w) o e                                   rate of the Euler parameters (o: product of quaternions)
    M  = diag(m, m, m, J),   f = (m gravity, -w x J w)    Newton and Euler

In the plane q = (x, y, phi), v = (vx, vy, w), M = diag(m, m, J'_zz), f = (m gravity, 0).
"""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np

from wheelwork.equations.frames import Marker, matrix_by_rows
from wheelwork.equations.program import Numbers
from wheelwork.equations.rows import turn_about_axis
from wheelwork.equations.space import PLANAR, SPATIAL, Space

NUMBERS = 22


def number_table(numbers: Numbers) -> np.ndarray:
    """The numbers of each body, one row a body."""
    count = len(numbers.mass)
    inverse = np.linalg.inv(numbers.inertia)
    return np.hstack(
        [
            numbers.mass.reshape(count, 1),
            numbers.inertia.reshape(count, 9),
            inverse.reshape(count, 9),
            numbers.gravity.reshape(count, 3),
        ]
    )


def _rotation(e: ca.SX) -> ca.SX:
    """Rotation matrix of Euler parameters of any length: R = 1 + 2 (e0 u~ + u~ u~) / |e|^2, u = (e1, e2, e3)."""
    u = ca.skew(e[1:])
    return ca.SX.eye(3) + 2 * (e[0] * u + ca.mtimes(u, u)) / ca.dot(e, e)


def _half_product(w: ca.SX, e: ca.SX) -> ca.SX:
    """1/2 (0, w) o e."""
    return 0.5 * ca.vertcat(-ca.dot(w, e[1:]), w * e[0] + ca.cross(w, e[1:]))


@cache
def body_function(space: Space) -> ca.Function:
    """(q, v, numbers) -> record, M^-1 (V x V), f (V), q' (Q)."""
    return _planar_body() if space is PLANAR else _spatial_body()


def _planar_body() -> ca.Function:
    q, v, numbers = ca.SX.sym("q", 3), ca.SX.sym("v", 3), ca.SX.sym("n", NUMBERS)
    results = [
        ca.vertcat(q[:2], ca.cos(q[2]), ca.sin(q[2]), q[2], v),
        ca.diag(ca.vertcat(1 / numbers[0], 1 / numbers[0], numbers[18])),
        ca.vertcat(numbers[0] * numbers[19:21], 0),
        v,
    ]
    return ca.Function("body", [q, v, numbers], [ca.densify(result) for result in results])


def _spatial_body() -> ca.Function:
    q, v, numbers = ca.SX.sym("q", 7), ca.SX.sym("v", 6), ca.SX.sym("n", NUMBERS)
    R = _rotation(q[3:])
    inertia, inverse = matrix_by_rows(numbers[1:10]), matrix_by_rows(numbers[10:19])
    w = v[3:]
    in_body = ca.mtimes(R.T, w)
    gyroscopic = ca.mtimes(R, ca.cross(in_body, ca.mtimes(inertia, in_body)))
    inverse_mass = ca.diagcat(ca.SX.eye(3) / numbers[0], ca.mtimes([R, inverse, R.T]))
    results = [
        ca.vertcat(q[:3], ca.vec(R.T), v),
        inverse_mass,
        ca.vertcat(numbers[0] * numbers[19:22], -gyroscopic),
        ca.vertcat(v[:3], _half_product(w, q[3:])),
    ]
    return ca.Function("body", [q, v, numbers], ca.cse([ca.densify(result) for result in results]))


@cache
def moved_function(space: Space) -> ca.Function:
    """(q, small motion) -> q after a small displacement and rotation (world axes), Euler parameters of length 1."""
    if space is PLANAR:
        q, step = ca.SX.sym("q", 3), ca.SX.sym("s", 3)
        return ca.Function("moved", [q, step], [q + step])
    q, step = ca.SX.sym("q", 7), ca.SX.sym("s", 6)
    e = q[3:] + _half_product(step[3:], q[3:])
    return ca.Function("moved", [q, step], [ca.vertcat(q[:3] + step[:3], e / ca.norm_2(e))])


@cache
def turn_function(space: Space) -> ca.Function:
    """(record a, record b, two marker records) -> principal angle from a to b about z, its rate."""
    records = [ca.SX.sym("a", space.record), ca.SX.sym("b", space.record)]
    data = ca.SX.sym("d", 24)
    a, b = (
        Marker.from_record(space.frame(record), data[12 * k : 12 * k + 12])
        for k, record in enumerate(records)
    )
    row = turn_about_axis(a, b)
    return ca.Function("turn", [*records, data], ca.cse([row.value, row.rate(a, b)]))


@cache
def inertia_jacobian(space: Space) -> ca.Function:
    """(record, numbers, acceleration) -> d(M a - f)/d(small motion, twist) (V x 2V), for implicit methods."""
    record, numbers = ca.SX.sym("r", space.record), ca.SX.sym("n", NUMBERS)
    acceleration, nudge = ca.SX.sym("a", space.V), ca.SX.sym("nudge", 2 * space.V)
    if space is PLANAR:  # M is constant, f does not depend on the motion
        zero = ca.DM.zeros(3, 6)
        return ca.Function("inertia_jacobian", [record, numbers, acceleration], [zero])
    frame = SPATIAL.nudged(SPATIAL.frame(record), nudge[:6], nudge[6:])
    J = ca.mtimes([frame.R, matrix_by_rows(numbers[1:10]), frame.R.T])
    torque = ca.mtimes(J, acceleration[3:]) + ca.cross(frame.w, ca.mtimes(J, frame.w))
    jacobian = ca.substitute(ca.jacobian(torque, nudge), nudge, ca.SX.zeros(12, 1))
    return ca.Function(
        "inertia_jacobian",
        [record, numbers, acceleration],
        ca.cse([ca.densify(ca.vertcat(ca.SX(3, 12), jacobian))]),
    )


@cache
def kinematic_jacobian(space: Space) -> ca.Function:
    """(q, v) -> dq'/dq (Q x Q), dq'/dv (Q x V), d(small motion)/dq (V x Q)."""
    if space is PLANAR:
        q, v = ca.SX.sym("q", 3), ca.SX.sym("v", 3)
        return ca.Function(
            "kinematic_jacobian",
            [q, v],
            [ca.densify(m) for m in (ca.DM.zeros(3, 3), ca.DM.eye(3), ca.DM.eye(3))],
        )
    q, v = ca.SX.sym("q", 7), ca.SX.sym("v", 6)
    rate = ca.vertcat(v[:3], _half_product(v[3:], q[3:]))
    # the rotation vector of a small change de is 2 de o e^-1: the inverse of de = 1/2 (0, turn) o e
    turn = ca.SX.sym("turn", 3)
    motion = ca.diagcat(
        ca.SX.eye(3), 4 * ca.jacobian(_half_product(turn, q[3:]), turn).T / ca.dot(q[3:], q[3:])
    )
    results = [ca.jacobian(rate, q), ca.jacobian(rate, v), motion]
    return ca.Function("kinematic_jacobian", [q, v], [ca.densify(result) for result in results])
