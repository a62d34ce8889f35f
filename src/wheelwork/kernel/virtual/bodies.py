"""A rigid body in its state variables, as CasADi functions: frame, inverse mass, own forces, small motions.

Symbols: q = (x, e) position of the centre of mass and Euler parameters (7), v = (v, w) velocities in world
axes (6), numbers = (m, J' by rows, J'^-1 by rows, gravity) (22). J = R J' R^T is the inertia tensor in world
axes.

    e' = 1/2 (0, w) o e                                   rate of the Euler parameters (o: product of quaternions)
    M  = diag(m, m, m, J),   f = (m gravity, -w x J w)    Newton and Euler
"""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np

from wheelwork.equations.frames import BodyFrame, Marker, matrix_by_rows
from wheelwork.equations.program import Numbers
from wheelwork.equations.rows import turn_about_axis

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
def body_function() -> ca.Function:
    """(q, v, numbers) -> record (18), M^-1 (6 x 6), f (6), q' (7)."""
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
def moved_function() -> ca.Function:
    """(q, small motion) -> q after a small displacement and rotation (world axes), Euler parameters of length 1."""
    q, step = ca.SX.sym("q", 7), ca.SX.sym("s", 6)
    e = q[3:] + _half_product(step[3:], q[3:])
    return ca.Function("moved", [q, step], [ca.vertcat(q[:3] + step[:3], e / ca.norm_2(e))])


@cache
def turn_function() -> ca.Function:
    """(record a, record b, two marker records) -> principal angle from a to b about z, its rate."""
    records = [ca.SX.sym("a", 18), ca.SX.sym("b", 18)]
    data = ca.SX.sym("d", 24)
    a, b = (
        Marker.from_record(BodyFrame.from_record(record), data[12 * k : 12 * k + 12])
        for k, record in enumerate(records)
    )
    row = turn_about_axis(a, b)
    return ca.Function("turn", [*records, data], ca.cse([row.value, row.rate(a, b)]))


@cache
def inertia_jacobian() -> ca.Function:
    """(record, numbers, acceleration) -> d(M a - f)/d(small motion, twist) (6 x 12), for implicit methods."""
    record, numbers, acceleration = ca.SX.sym("r", 18), ca.SX.sym("n", NUMBERS), ca.SX.sym("a", 6)
    nudge = ca.SX.sym("nudge", 12)
    frame = BodyFrame.from_record(record).perturbed(nudge[0:3], nudge[3:6], nudge[6:9], nudge[9:12])
    J = ca.mtimes([frame.R, matrix_by_rows(numbers[1:10]), frame.R.T])
    torque = ca.mtimes(J, acceleration[3:]) + ca.cross(frame.w, ca.mtimes(J, frame.w))
    jacobian = ca.substitute(ca.jacobian(torque, nudge), nudge, ca.SX.zeros(12, 1))
    return ca.Function(
        "inertia_jacobian",
        [record, numbers, acceleration],
        ca.cse([ca.densify(ca.vertcat(ca.SX(3, 12), jacobian))]),
    )


@cache
def kinematic_jacobian() -> ca.Function:
    """(q, v) -> dq'/dq (7 x 7), dq'/dv (7 x 6), d(small motion)/dq (6 x 7)."""
    q, v = ca.SX.sym("q", 7), ca.SX.sym("v", 6)
    rate = ca.vertcat(v[:3], _half_product(v[3:], q[3:]))
    # the rotation vector of a small change de is 2 de o e^-1: the inverse of de = 1/2 (0, turn) o e
    turn = ca.SX.sym("turn", 3)
    motion = ca.diagcat(
        ca.SX.eye(3), 4 * ca.jacobian(_half_product(turn, q[3:]), turn).T / ca.dot(q[3:], q[3:])
    )
    results = [ca.jacobian(rate, q), ca.jacobian(rate, v), motion]
    return ca.Function("kinematic_jacobian", [q, v], [ca.densify(result) for result in results])
