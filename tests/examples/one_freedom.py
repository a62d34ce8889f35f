"""Motion of a mechanism of one degree of freedom by Lagrange's equation, as an independent reference.

Nothing here knows of joints or multipliers. A test says where every body is, as a function of one coordinate q. Then
T = I(q) q'^2 / 2, V = V(q), and  I q'' + I'(q) q'^2 / 2 + V'(q) = 0  is integrated by SciPy's DOP853. CasADi serves
only to differentiate the test's own formulas.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from scipy.integrate import solve_ivp


@dataclass(frozen=True)
class Moving:
    """A body: mass [kg], inertia about its centre of mass in body axes [kg m^2], pose as expressions of q."""

    mass: float
    inertia: Sequence[float]
    position: Any
    rotation: Any = None
    """3x3 matrix, world from body; None: it does not turn."""


class OneFreedom:
    """The equation of motion, and its solution."""

    def __init__(self, bodies: Callable[[ca.SX], list[Moving]], gravity: Sequence[float]):
        q, rate = ca.SX.sym("q"), ca.SX.sym("rate")
        kinetic, potential = ca.SX(0), ca.SX(0)
        for body in bodies(q):
            x = ca.vertcat(*body.position)
            v = ca.jacobian(x, q) * rate
            kinetic += body.mass * ca.dot(v, v) / 2
            potential -= body.mass * ca.dot(ca.DM(gravity), x)
            if body.rotation is not None:
                turning = body.rotation.T @ ca.reshape(ca.jacobian(ca.vec(body.rotation), q), 3, 3)
                w = ca.vertcat(turning[2, 1], turning[0, 2], turning[1, 0]) * rate  # body axes
                kinetic += ca.dot(ca.DM(body.inertia) * w, w) / 2
        inertia = ca.hessian(kinetic, rate)[0]
        acceleration = -(ca.jacobian(inertia, q) * rate**2 / 2 + ca.jacobian(potential, q)) / inertia
        self.acceleration = ca.Function("a", [q, rate], [acceleration])
        self.energy = ca.Function("e", [q, rate], [kinetic + potential])
        self.inertia = ca.Function("i", [q], [inertia])
        self.effort = ca.Function(  # of a drive that makes q'' what it is
            "f", [q, rate, a := ca.SX.sym("a")], [inertia * (a - acceleration)]
        )

    def solve(
        self, q: float, rate: float, t: np.ndarray, rtol: float = 1e-12
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coordinate and rate at the times `t`."""
        run = solve_ivp(
            lambda _, y: [y[1], float(self.acceleration(*y))],
            (t[0], t[-1]),
            [q, rate],
            method="DOP853",
            t_eval=t,
            rtol=rtol,
            atol=1e-13,
        )
        assert run.success, run.message
        return run.y[0], run.y[1]


def about(axis: str, angle: Any) -> ca.SX:
    """Rotation matrix about a coordinate axis, by the right hand."""
    c, s = ca.cos(angle), ca.sin(angle)
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }[axis]
    return ca.vertcat(*(ca.horzcat(*row) for row in rows))
