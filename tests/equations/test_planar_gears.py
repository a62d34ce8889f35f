"""Gears in the plane: the spatial rows with bodies (x, y, phi), beside Haug's planar constraints.

E. J. Haug, Computer Aided Kinematics and Dynamics, vol. I, 1989, sec. 3.4, as in the ME451 notes with their errata.
Transcribed in the book's symbols: r, phi, theta, R, u of gears i and j; P are the centres, Q the first points of
contact. Our a is i, b is j, but for the rack, which is i in the book and b here.
"""

from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest

from wheelwork.equations.frames import MARKER_RECORD
from wheelwork.equations.mesh_equations import every_mesh
from wheelwork.system.kernels import ConstraintKernel
from wheelwork.system.mesh_kernels import MeshKernel
from wheelwork.system.space import PLANAR, SPATIAL

FLAT = ["external", "internal", "rack", "rack:height", "belt"]
KERNELS: dict[tuple[str, str], ConstraintKernel] = {
    (type, word): kernel
    for type in FLAT
    for word, kernel in (
        ("mesh", MeshKernel(every_mesh()[type], PLANAR).constraint),
        ("rolling", MeshKernel(every_mesh()[type], PLANAR).friction(sliding=False)),
    )
}


def marker(x: float, y: float, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([x, y, 0, c, -s, 0, s, c, 0, 0, 0, 1.0])


def planar_full(kernel: ConstraintKernel, q: np.ndarray, v: np.ndarray, data: np.ndarray):
    """g, Phi_q (rows x 6), gamma."""
    records = PLANAR.records(q, v)
    g, G_a, G_b, gamma, _ = (
        np.array(part)[: kernel.rows]
        for part in kernel.full.call([*map(ca.DM, records), ca.DM(data), ca.DM(0, 1), ca.DM(1, 1)])
    )
    return g[:, 0], np.hstack([G_a, G_b]), gamma[:, 0]


def extras(type: str, **given: float) -> np.ndarray:
    usual = {"tan_beta": 0.0, "tan_alpha_t": 0.36, "pitch": 1e3, "phase": 0.0, "sign": 1.0, "tension": 10.0}
    return np.array([(usual | given)[name] for name in every_mesh()[type].extras])


@dataclass
class State:
    """Two gears in the plane, anywhere, with centres and first points of contact given as in the book."""

    q: np.ndarray
    v: np.ndarray
    s: np.ndarray
    """Centres P_i, P_j in the bodies."""
    theta: np.ndarray
    """Directions of Q_i, Q_j in the bodies."""
    R: np.ndarray

    def data(self, type: str, **more: float) -> np.ndarray:
        """The markers' x axes point to Q; in the pinion of an internal pair away from it, where l was then."""
        angles = self.theta + ([np.pi, 0] if type == "internal" else [0, 0])
        markers = [marker(*self.s[k], angles[k]) for k in range(2)]
        return np.concatenate([*markers, extras(type, r_a=self.R[0], r_b=self.R[1], **more)])

    def turned(self, vector: np.ndarray, k: int, derivative: bool = False) -> np.ndarray:
        """A_k s' or B_k s'."""
        c, s = np.cos(self.q[k, 2]), np.sin(self.q[k, 2])
        return (np.array([[-s, -c], [c, -s]]) if derivative else np.array([[c, -s], [s, c]])) @ vector

    @property
    def centres(self) -> list[np.ndarray]:
        return [self.q[k, :2] + self.turned(self.s[k], k) for k in range(2)]


def random_state(rng: np.random.Generator, type: str = "external") -> State:
    """Bodies anywhere; Q_i and Q_j not far from the line of centres, where they were in contact."""
    R = np.sort(rng.uniform(0.5, 1.5, size=2))
    R[1] += 0.3
    q = rng.normal(size=(2, 3))
    q[1] += [3, 1, 0]
    state = State(q, rng.normal(size=(2, 3)), 0.3 * rng.normal(size=(2, 2)), np.zeros(2), R)
    return aimed(state, rng, type)


def aimed(state: State, rng: np.random.Generator, type: str, spread: float = 0.5) -> State:
    d = state.centres[1] - state.centres[0]
    line = np.arctan2(d[1], d[0])
    towards = [line - np.pi, line - np.pi] if type == "internal" else [line, line + np.pi]
    state.theta = np.array(towards) - state.q[:, 2] + rng.uniform(-spread, spread, size=2)
    return state


def closed(rng: np.random.Generator, type: str) -> State:
    """A state with the centres at the right distance, anywhere in the plane, and gear j turned until Phi = 0."""
    state = random_state(rng)
    reach = state.R[0] + state.R[1] if type == "external" else state.R[1] - state.R[0]
    direction = rng.uniform(-3, 3)
    l = reach * np.array([np.cos(direction), np.sin(direction)])
    state.q[1, :2] += state.centres[0] + l - state.centres[1]
    aimed(state, rng, type, spread=0.05)  # Phi has zeros at every half turn of theta; this is the right one
    for _ in range(20):
        before = state.centres[1]
        phi, jacobian = haug(state, 1.0 if type == "external" else -1.0)
        # about the centre: only theta matters
        state.q[1, 2] -= phi / (jacobian[5] - jacobian[3:5] @ state.turned(state.s[1], 1, derivative=True))
        state.q[1, :2] += before - state.centres[1]
    return state


# -- the book's constraints


def haug(state: State, sign: float) -> tuple[float, np.ndarray]:
    """Phi = (r_j^P - r_i^P)^T u_perp and its Jacobian, eq. 3.4.2-3.4.4 with the errata.

    sign -1 is the concave-convex pair: theta = (R_i (phi_i + theta_i) - R_j (phi_j + theta_j))/(R_i - R_j), from the
    same argument: arcs R_i alpha_i = R_j alpha_j, with gear i inside gear j.
    """
    (R_i, R_j), (t_i, t_j), phi = state.R, state.theta, state.q[:, 2]
    if sign > 0:
        theta = (R_i * (phi[0] + t_i) + R_j * (phi[1] + t_j - np.pi)) / (R_i + R_j)
    else:
        # both points of contact lie on the far side of the pinion's centre from the ring's
        theta = (R_j * (phi[1] + t_j) - R_i * (phi[0] + t_i)) / (R_j - R_i) + np.pi
    total = R_i + sign * R_j
    d = state.centres[1] - state.centres[0]
    u, perp = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
    B = [state.turned(state.s[k], k, derivative=True) for k in range(2)]
    # the angular columns: d/dphi of u_perp is -u times d theta/d phi; the print has u and u_perp exchanged
    jacobian = np.concatenate(
        [
            -perp,
            [-perp @ B[0] - d @ u * R_i / total],
            perp,
            [perp @ B[1] - d @ u * sign * R_j / total],
        ]
    )
    return float(d @ perp), jacobian


pairs = pytest.mark.parametrize(("type", "sign"), [("external", 1.0), ("internal", -1.0)])


@pairs
def test_the_gear_set_of_the_book(type, sign):
    """Phi = -|l| sin(g/(R_i +- R_j)), at any state: the same zeros."""
    rng = np.random.default_rng(6)
    for _ in range(10):
        state = random_state(rng, type)
        g, _, _ = planar_full(KERNELS[type, "mesh"], state.q, state.v, state.data(type))
        d = state.centres[1] - state.centres[0]
        phi, _ = haug(state, sign)
        assert abs(g[0]) > 1e-3
        assert np.isclose(
            phi, -np.hypot(*d) * np.sin(g[0] / (state.R[0] + sign * state.R[1])), rtol=0, atol=1e-12
        )


@pairs
def test_the_jacobian_of_the_book_on_closed_geometry(type, sign):
    """With Phi = 0 and |l| = |R_i +- R_j|: Phi_q = -row for the convex pair, +row for the concave one, since
    -|l|/(R_i +- R_j) = -1 and +1."""
    rng = np.random.default_rng(7)
    for _ in range(10):
        state = closed(rng, type)
        phi, jacobian = haug(state, sign)
        g, J, _ = planar_full(KERNELS[type, "mesh"], state.q, state.v, state.data(type))
        assert abs(phi) < 1e-13
        assert abs(g[0]) < 1e-13
        assert np.allclose(J[0], -sign * jacobian, rtol=0, atol=1e-12)


def test_the_errata_print_another_jacobian():
    """(3.4.4) of the errata has u and u_perp exchanged: it is the Jacobian of d . u, not of Phi = d . u_perp."""
    rng = np.random.default_rng(8)
    state = closed(rng, "external")
    _, jacobian = haug(state, 1.0)
    d = state.centres[1] - state.centres[0]
    u = d / np.hypot(*d)
    printed = np.array([*-u, -state.turned(state.s[0], 0, derivative=True) @ u])
    assert np.max(np.abs(jacobian[:3] - printed)) > 0.1
    assert abs(jacobian[:2] @ u) < 1e-12


def test_example_3_4_1():
    """Gear 1 fixed (phi_1 = 0, theta_1 = pi/6, R_1 = 1), gear 2 (theta_2 = 7 pi/6, R_2 = 2) rolls down it until the
    line of centres points straight down: phi_2 = -pi."""
    kernel = KERNELS["external", "mesh"]
    theta, R = np.array([np.pi / 6, 7 * np.pi / 6]), np.array([1.0, 2.0])
    start = State(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 2)), theta, R)

    def at(line: float, phi_2: float) -> State:
        start.q = np.array([[0, 0, 0], [3 * np.cos(line), 3 * np.sin(line), phi_2]])
        return start

    data = start.data("external", pitch=2 * np.pi / 10)
    # Q_1 and Q_2 touch at the start, where the line of centres is at pi/6 and phi_2 = 0
    data[-1] = planar_full(kernel, at(np.pi / 6, 0.0).q, start.v, data)[0][0]
    assert abs(planar_full(kernel, start.q, start.v, data)[0][0]) < 1e-15
    # follow the rolling: what phi_2' does G^ v = 0 ask for, while the line goes from pi/6 to -pi/2?
    line, phi_2, steps = np.pi / 6, 0.0, 400
    for _ in range(steps):
        step = (-np.pi / 2 - np.pi / 6) / steps
        state = at(line + step / 2, phi_2)
        _, J, _ = planar_full(kernel, state.q, state.v, data)
        carried = 3 * np.array([-np.sin(line + step / 2), np.cos(line + step / 2)])
        phi_2 -= step * (J[0, 3:5] @ carried) / J[0, 5]
        line += step
    assert np.isclose(phi_2, -np.pi, rtol=0, atol=1e-12)
    assert abs(planar_full(kernel, at(-np.pi / 2, -np.pi).q, start.v, data)[0][0]) < 1e-14
    # and no other angle within half a tooth
    assert abs(planar_full(kernel, at(-np.pi / 2, -np.pi + 0.1).q, start.v, data)[0][0]) > 0.1


def test_the_rack_and_pinion_of_the_book():
    """Phi = [(r_j^P - r_i^Q)^T v_i - v_i R_j alpha_j; (r_j^P - r_i^P)^T v_i_perp - v_i R_j]: rack i, pinion j.

    alpha_j is the angle from the first point of contact Q_j (fixed in the pinion) to the present one, D.
    """
    rng = np.random.default_rng(9)
    kernel = KERNELS["rack:height", "mesh"]
    for _ in range(10):
        q, R_j = rng.normal(size=(2, 3)), 0.7
        pinion, rack = q
        # markers: the rack's at Q_i, x along the line v_i, y to the pinion; the pinion's at P_j, x to Q_j
        s_j, s_i, angle_i, theta_j = 0.2 * rng.normal(size=2), 0.2 * rng.normal(size=2), 0.3, -0.4
        markers = [marker(*s_j, theta_j), marker(*s_i, angle_i)]
        data = np.concatenate([*markers, extras("rack", r_a=R_j, phase=0.0)])

        def turned(angle: float, s: np.ndarray) -> np.ndarray:
            return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ s

        P_j, Q_i = pinion[:2] + turned(pinion[2], s_j), rack[:2] + turned(rack[2], s_i)
        v_i = np.array([np.cos(rack[2] + angle_i), np.sin(rack[2] + angle_i)])
        perp = np.array([-v_i[1], v_i[0]])
        to_contact = np.arctan2(-perp[1], -perp[0])
        alpha_j = (to_contact - pinion[2] - theta_j + np.pi) % (2 * np.pi) - np.pi
        phi = [(P_j - Q_i) @ v_i - R_j * alpha_j, (P_j - Q_i) @ perp - R_j]
        g, _, _ = planar_full(kernel, q, np.zeros((2, 3)), data)
        assert np.allclose(g, phi, rtol=0, atol=1e-13)


# -- closed forms in the plane


@pytest.mark.parametrize("key", KERNELS, ids=" ".join)
def test_closed_forms_in_the_plane_equal_differentiation(key):
    """Phi_q = d Phi/dq and gamma = -(Phi_q q')_q q', with q = (x, y, phi) of both bodies."""
    kernel, type = KERNELS[key], key[0]
    q, v = ca.SX.sym("q", 6), ca.SX.sym("v", 6)
    data = ca.SX.sym("d", 2 * MARKER_RECORD + kernel.extras)

    def record(k: int) -> ca.SX:
        x, y, phi = ca.vertsplit(q[3 * k : 3 * k + 3])
        return ca.vertcat(x, y, ca.cos(phi), ca.sin(phi), phi, v[3 * k : 3 * k + 3])

    (g,) = kernel.residual.call([record(0), record(1), data, ca.SX(0, 1), ca.SX(1, 1)])
    jacobian = ca.jacobian(g, q)
    gamma = -ca.mtimes(ca.jacobian(ca.mtimes(jacobian, v), q), v)
    function = ca.Function("f", [q, v, data], [g, ca.densify(jacobian), gamma])
    rng = np.random.default_rng(12)
    for _ in range(10):
        state = random_state(rng, type)
        numbers = state.data(type)
        expected = [
            np.array(part)[: kernel.rows] for part in function(state.q.ravel(), state.v.ravel(), numbers)
        ]
        g_here, J, gamma_here = planar_full(kernel, state.q, state.v, numbers)
        np.testing.assert_allclose(g_here, expected[0][:, 0], rtol=0, atol=1e-12)
        np.testing.assert_allclose(J, expected[1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(gamma_here, expected[2][:, 0], rtol=0, atol=1e-10)


@pytest.mark.parametrize("type", FLAT)
def test_the_plane_is_a_special_case_of_space(type):
    """The same bodies as bodies in space that move in the plane: same g, same columns for vx, vy, w, same gamma."""
    flat = MeshKernel(every_mesh()[type], PLANAR).constraint
    space = MeshKernel(every_mesh()[type], SPATIAL).constraint
    rng = np.random.default_rng(13)
    for _ in range(5):
        state = random_state(rng, type)
        data = state.data(type)
        g, J, gamma = planar_full(flat, state.q, state.v, data)
        records = []
        for q, v in zip(state.q, state.v, strict=True):
            c, s = np.cos(q[2]), np.sin(q[2])
            records.append([q[0], q[1], 0, c, -s, 0, s, c, 0, 0, 0, 1, v[0], v[1], 0, 0, 0, v[2]])
        parts = space.full.call([*map(ca.DM, records), ca.DM(data), ca.DM(0, 1), ca.DM(1, 1)])
        g_s, A, B, gamma_s, _ = (np.array(part)[: flat.rows] for part in parts)
        np.testing.assert_allclose(g, g_s[:, 0], rtol=0, atol=1e-14)
        np.testing.assert_allclose(J, np.hstack([A[:, [0, 1, 5]], B[:, [0, 1, 5]]]), rtol=0, atol=1e-13)
        np.testing.assert_allclose(gamma, gamma_s[:, 0], rtol=0, atol=1e-12)
