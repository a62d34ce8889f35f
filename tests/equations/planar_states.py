"""Random states of planar bodies, and differentiation with respect to their coordinates (x, y, phi)."""

import casadi as ca
import numpy as np

from wheelwork.system.kernels import ConstraintKernel


def random_coordinates(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """q = (x, y, phi) and v of both bodies, some way apart; phi over several turns."""
    q, v = rng.normal(size=6), rng.normal(size=6)
    q[[2, 5]] *= 5
    direction = rng.uniform(0, 2 * np.pi)
    q[3:5] = q[0:2] + 4 * np.array([np.cos(direction), np.sin(direction)])
    return q, v


def planar_marker(point: np.ndarray, angle: float) -> np.ndarray:
    """A marker record: position, and axes turned about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([point[0], point[1], 0, c, -s, 0, s, c, 0, 0, 0, 1])


def record(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """x, y, cos phi, sin phi, phi, vx, vy, w."""
    return np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2]), q[2], *v])


def quantities(kernel: ConstraintKernel, arguments: list) -> tuple[np.ndarray, ...]:
    """Phi, Phi_q (rows x 6), nu, gamma of a kernel at (q, v, data, inputs, z), without the padding."""
    q, v, data, inputs, z = arguments
    parts = kernel.full.call(
        [ca.DM(x) for x in (record(q[:3], v[:3]), record(q[3:], v[3:]), data, inputs, z)]
    )
    g, G_a, G_b, gamma, nu = (np.array(part)[: kernel.rows] for part in parts)
    return g[:, 0], np.hstack([G_a, G_b]), nu[:, 0], gamma[:, 0]


def by_differentiation(kernel: ConstraintKernel, of_time: bool = True) -> ca.Function:
    """The same from nothing but Phi(q, t), with CasADi: Phi_q by q, nu = -Phi_t, gamma = -d/dt(Phi_q v + Phi_t) without
    accelerations. Inputs are functions of time, u + u' t + u'' t^2/2, unless `of_time` is False.
    """
    q, v, t = ca.SX.sym("q", 6), ca.SX.sym("v", 6), ca.SX.sym("t")
    data, z = ca.SX.sym("d", kernel.full.size1_in(2)), ca.SX.sym("z", kernel.full.size1_in(4))
    inputs = ca.SX.sym("u", 3 * kernel.inputs)
    u = ca.reshape(inputs, 3, kernel.inputs)
    then = ca.vertcat(u[0, :] + t * u[1, :] + t**2 / 2 * u[2, :], u[1, :] + t * u[2, :], u[2, :])
    then = then if of_time else u
    records = [
        ca.vertcat(q[k], q[k + 1], ca.cos(q[k + 2]), ca.sin(q[k + 2]), q[k + 2], v[k : k + 3]) for k in (0, 3)
    ]
    g = kernel.residual.call([*records, data, ca.vec(then), z])[0][: kernel.rows]
    jacobian, by_time = ca.jacobian(g, q), ca.jacobian(g, t)
    speed = ca.mtimes(jacobian, v) + by_time
    gamma = -(ca.mtimes(ca.jacobian(speed, q), v) + ca.jacobian(speed, t))
    now = [ca.substitute(x, t, ca.SX(0)) for x in (g, jacobian, -by_time, gamma)]
    return ca.Function("quantities", [q, v, data, inputs, z], [ca.densify(x) for x in now])


def differentiated(function: ca.Function, arguments: list) -> tuple[np.ndarray, ...]:
    g, jacobian, nu, gamma = (np.array(x) for x in function.call([ca.DM(x) for x in arguments]))
    return g[:, 0], jacobian, nu[:, 0], gamma[:, 0]
