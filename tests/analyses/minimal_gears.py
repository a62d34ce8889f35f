"""A housing with two wheels in mesh in minimal coordinates: an independent reference.

Nothing here knows of joints, constraints or tooth forces. With s the turn of wheel a against the housing, the turn (of
a rack: the way) of wheel b is u s. In the housing's axes, with v and w the velocity and the angular velocity of the
housing, body i has the angular velocity w + n_i k_i s' and its centre of mass the velocity v + w x r_i(s) + r_i'(s) s'.
So T = nu^T M(s) nu/2 with nu = (v, w, s'), and with P = M nu the equations of motion are those of Boltzmann and Hamel:

    P_v' = -w x P_v + F,   P_w' = -w x P_w - v x P_v + L,   P_s' = nu^T (dM/ds) nu/2 + Q
"""

from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp

from .gear_pairs import Geared


def about(axis: np.ndarray, angle: Any) -> Any:
    """Rotation matrix (Rodrigues)."""
    K = ca.skew(ca.DM(axis))
    return ca.SX.eye(3) + ca.sin(angle) * K + (1 - ca.cos(angle)) * (K @ K)


class MinimalGears:
    """Equations of motion of a :class:`Geared` housing; forces are torques on the wheels as functions of time."""

    def __init__(self, geared: Geared, orientations: dict[str, np.ndarray], gravity: np.ndarray):
        """orientations: world from body at the start"""
        m, pair = geared.mechanism, geared.pair
        base = m.bodies["housing"]
        self.start = np.array(base.position)
        s = ca.SX.sym("s")
        mass = float(base.mass)
        M = ca.SX(7, 7)
        M[:3, :3] = mass * ca.SX.eye(3)
        M[3:6, 3:6] = ca.diag(ca.DM(base.inertia))
        offset, total = ca.SX(3, 1), mass
        for k, name in enumerate("ab"):
            body = m.bodies[name]
            axis, point = geared.axes @ pair.axes[k], geared.place(pair.points[k]) - self.start
            ratio = pair.speeds[k]
            arm = np.array(body.position) - self.start - point
            if pair.rack and k == 1:
                r, turn = ca.DM(point + arm) + ratio * s * ca.DM(axis), 0.0
                R = ca.SX.eye(3)
            else:
                turn = ratio
                R = about(axis, ratio * s)
                r = ca.DM(point) + R @ ca.DM(arm)
            R = R @ ca.DM(orientations[name])
            J = R @ ca.diag(ca.DM(body.inertia)) @ R.T
            # rows: velocity of the centre of mass, angular velocity, as linear in nu
            A = ca.horzcat(ca.SX.eye(3), -ca.skew(r), ca.jacobian(r, s))
            B = ca.horzcat(ca.SX(3, 3), ca.SX.eye(3), ca.DM(turn * axis))
            M += body.mass * A.T @ A + B.T @ J @ B
            offset += body.mass * r
            total += body.mass
        self.M = ca.Function("M", [s], [M])
        # the state (P, s, R by columns, x) and Q -> its rates
        P, world, x, Q, nu = (
            ca.SX.sym(n, *size) for n, *size in (("P", 7), ("R", 3, 3), ("x", 3), ("Q",), ("nu", 7))
        )
        speeds = ca.solve(M, P)
        v, w, g = speeds[:3], speeds[3:6], world.T @ ca.DM(gravity)
        bend = ca.substitute(ca.jacobian(nu.T @ M @ nu / 2, s), nu, speeds)
        rates = ca.vertcat(
            -ca.cross(w, P[:3]) + total * g,
            -ca.cross(w, P[3:6]) - ca.cross(v, P[:3]) + ca.cross(offset, g),
            bend + Q + ca.dot(ca.jacobian(offset, s), g),
            speeds[6],
            ca.vec(world @ ca.skew(w)),
            world @ v,
        )
        self.rates = ca.Function("rates", [ca.vertcat(P, s, ca.vec(world), x), Q], [rates])

    def solve(self, t: np.ndarray, nu: np.ndarray, drive: Callable[[float], float], rtol: float = 1e-11):
        """v, w (housing axes), s, s', world from housing and the place of the housing, at the times t.

        nu: at the start, in the housing's axes, which are the world's then
        drive: the generalised force Q of the drives
        """

        def rates(time: float, y: np.ndarray) -> np.ndarray:
            return self.rates(y, drive(time)).full().ravel()

        y = np.concatenate([np.array(self.M(0.0)) @ nu, [0.0], np.eye(3).ravel(), self.start])
        run = solve_ivp(rates, (t[0], t[-1]), y, method="DOP853", t_eval=t, rtol=rtol, atol=1e-12)
        assert run.success, run.message
        s, R, x = run.y[7], run.y[8:17].T.reshape(-1, 3, 3).transpose(0, 2, 1), run.y[17:].T
        nus = np.array([np.linalg.solve(np.array(self.M(a)), P) for a, P in zip(s, run.y[:7].T, strict=True)])
        return nus, s, R, x
