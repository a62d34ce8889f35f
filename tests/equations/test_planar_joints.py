"""Planar joints against calculus and against the course, in its five steps: Phi, Phi_q, nu, gamma.

1. CasADi's differentiation of Phi with respect to (x, y, phi) of both bodies, at random states.
2. The formulas of the course (Haug, Computer Aided Kinematics and Dynamics, 1989, ch. 3; ME451 notes with errata),
   transcribed here in NumPy with the book's own symbols: r, A, B, s'.
3. The same joint in space, between bodies that move in the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from wheelwork.elements.joints.relative import Relative
from wheelwork.system.kernels import ConstraintKernel, driver_kernel, joint_kernel, rate_kernel
from wheelwork.system.space import PLANAR

from .planar_states import by_differentiation, differentiated, planar_marker, quantities, random_coordinates
from .states import JOINTS, PLANAR_JOINTS

VARIANTS = [
    variant
    for joint in PLANAR_JOINTS.values()
    for variant in (
        [type(joint)(held) for held in ("x", "y", "angle")]
        if isinstance(joint, Relative.InPlane.__base__)
        else [joint]
    )
]
COORDINATES = [(joint, name) for joint in VARIANTS for name in joint.coordinates]
KERNELS: dict[str, ConstraintKernel] = {
    kernel.key: kernel
    for kernel in (
        *(joint_kernel(joint, PLANAR) for joint in VARIANTS),
        *(driver_kernel(joint, name, PLANAR) for joint, name in COORDINATES),
        *(rate_kernel(joint, name, PLANAR) for joint, name in COORDINATES),
    )
}
NAMES = ("Phi", "Phi_q", "nu", "gamma")


@dataclass(frozen=True)
class Pair:
    """Two bodies i and j with a point P and a direction on each, in the book's symbols."""

    q: np.ndarray
    v: np.ndarray
    points: np.ndarray
    angles: np.ndarray

    @classmethod
    def random(cls, rng: np.random.Generator) -> Pair:
        q, v = random_coordinates(rng)
        return cls(q, v, rng.normal(size=(2, 2)), rng.uniform(-3, 3, size=2))

    @property
    def data(self) -> np.ndarray:
        return np.concatenate([planar_marker(p, a) for p, a in zip(self.points, self.angles, strict=True)])

    def arguments(self, *extras: float, inputs: tuple[float, ...] = (), z: float = 0.0) -> list:
        return [
            self.q,
            self.v,
            np.concatenate([self.data, extras]),
            np.array(inputs, float),
            np.array([z]),
        ]


def random_arguments(rng: np.random.Generator, kernel: ConstraintKernel) -> list:
    pair = Pair.random(rng)
    return pair.arguments(
        *rng.normal(size=kernel.extras),
        inputs=tuple(rng.normal(size=3 * kernel.inputs)),
        z=2 * np.pi * rng.integers(-3, 4),
    )


def compare(ours: tuple[np.ndarray, ...], theirs: tuple[np.ndarray, ...]) -> None:
    for name, a, b in zip(NAMES, ours, theirs, strict=True):
        # sums of a few dozen products of numbers of size 1 to 30
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("key", KERNELS)
def test_closed_forms_equal_differentiation_by_x_y_phi(key):
    kernel = KERNELS[key]
    function = by_differentiation(kernel)
    rng = np.random.default_rng(len(key))
    for _ in range(20):
        arguments = random_arguments(rng, kernel)
        positions = slice(kernel.rows - kernel.speeds)
        ours, theirs = quantities(kernel, arguments), differentiated(function, arguments)
        compare(tuple(x[positions] for x in ours), tuple(x[positions] for x in theirs))


def test_a_blade_in_the_plane_is_that_in_space():
    """Its row of speeds, and gamma by differences: along a motion of constant twist d/dt (G v) = -gamma."""
    kernel = KERNELS["planar:joint:knife_edge"]
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, v, *others = random_arguments(rng, kernel)
        Phi, _, nu, gamma = quantities(kernel, [q, v, *others])
        assert not np.any([*Phi, *nu])
        forth, back = (quantities(kernel, [q + h * v, v, *others])[1] @ v for h in (1e-5, -1e-5))
        np.testing.assert_allclose(-gamma, (forth - back) / 2e-5, rtol=0, atol=1e-6)


@pytest.mark.parametrize("key", KERNELS)
def test_exact_jacobian_of_the_equations_of_motion(key):
    """d(Phi_q^T lambda)/dq and d(Phi_q a - gamma)/d(q, v), as an implicit method needs them, by differences."""
    kernel = KERNELS[key]
    rng = np.random.default_rng(3)
    arguments = random_arguments(rng, kernel)
    q, v, data, inputs, z = arguments
    multipliers, accelerations = rng.normal(size=PLANAR.lanes), rng.normal(size=6)
    records = [PLANAR.records(q[k : k + 3], v[k : k + 3]) for k in (0, 3)]
    given = [*records, data, inputs, z, multipliers, accelerations]
    stiffness, bottom = (np.array(part) for part in kernel.jacobian.call([ca.DM(x) for x in given]))

    def both(y: np.ndarray) -> np.ndarray:
        _, G, _, gamma = quantities(kernel, [y[:6], y[6:], data, inputs, z])
        return np.concatenate([G.T @ multipliers[: kernel.rows], G @ accelerations - gamma])

    y, h = np.concatenate([q, v]), 1e-5
    for column, direction in enumerate(np.eye(12)):
        rate = (both(y + h * direction) - both(y - h * direction)) / (2 * h)
        if column < 6:
            # error of the differences: h^2 times third derivatives of size 100
            np.testing.assert_allclose(stiffness[:, column], rate[:6], rtol=0, atol=1e-7)
        np.testing.assert_allclose(bottom[: kernel.rows, column], rate[6:], rtol=0, atol=1e-7)


# -- the course


R = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Turn by 90 degrees (sec. 2.4)."""


def A(phi: float) -> np.ndarray:
    return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])


def B(phi: float) -> np.ndarray:
    """dA/dphi = A R = R A."""
    return R @ A(phi)


class Book:
    """r, phi, s'^P, v' and their rates of bodies i and j."""

    def __init__(self, pair: Pair):
        self.ri, self.phi_i, self.rj, self.phi_j = pair.q[:2], pair.q[2], pair.q[3:5], pair.q[5]
        self.dri, self.wi, self.drj, self.wj = pair.v[:2], pair.v[2], pair.v[3:5], pair.v[5]
        self.si, self.sj = pair.points
        self.vi, self.vj = (np.array([np.cos(a), np.sin(a)]) for a in pair.angles)
        self.Ai, self.Aj, self.Bi, self.Bj = A(self.phi_i), A(self.phi_j), B(self.phi_i), B(self.phi_j)
        self.dij = self.rj + self.Aj @ self.sj - self.ri - self.Ai @ self.si
        self.Aij = self.Ai.T @ self.Aj
        self.Bij = R @ self.Aij
        """B(phi_j - phi_i)"""


def revolute(b: Book) -> tuple[np.ndarray, ...]:
    """Sec. 3.3, revolute joint: Phi = r_i^P - r_j^P and its derivatives."""
    jacobian = np.column_stack([np.eye(2), b.Bi @ b.si, -np.eye(2), -b.Bj @ b.sj])
    return -b.dij, jacobian, np.zeros(2), b.Ai @ b.si * b.wi**2 - b.Aj @ b.sj * b.wj**2


def translational(b: Book) -> tuple[np.ndarray, ...]:
    """Sec. 3.3, translational joint, Phi and gamma with the errata of the notes (pages 67 and 68)."""
    perp = b.Bi @ b.vi
    phi = np.array([perp @ b.dij, perp @ (b.Aj @ b.vj)])
    jacobian = np.array(
        [
            [
                *(-perp),
                -b.vi @ b.Ai.T @ (b.rj - b.ri) - b.vi @ b.Aij @ b.sj,
                *perp,
                b.vi @ b.Aij @ b.sj,
            ],
            [0, 0, -b.vi @ b.Aij @ b.vj, 0, 0, b.vi @ b.Aij @ b.vj],
        ]
    )
    gamma = -np.array(
        [
            b.vi
            @ (
                b.Bij @ b.sj * (b.wj - b.wi) ** 2
                - b.Bi.T @ (b.rj - b.ri) * b.wi**2
                - 2 * b.Ai.T @ (b.drj - b.dri) * b.wi
            ),
            0.0,
        ]
    )
    return phi, jacobian, np.zeros(2), gamma


def distance(b: Book, length: float) -> tuple[np.ndarray, ...]:
    """Sec. 3.3, relative distance: Phi = d^T d - C^2, by the product rule."""
    rate = b.drj + b.Bj @ b.sj * b.wj - b.dri - b.Bi @ b.si * b.wi
    jacobian = 2 * np.array([*(-b.dij), -b.dij @ b.Bi @ b.si, *b.dij, b.dij @ b.Bj @ b.sj])
    change = b.Ai @ b.si * b.wi**2 - b.Aj @ b.sj * b.wj**2
    return (
        np.array([b.dij @ b.dij - length**2]),
        jacobian[None],
        np.zeros(1),
        np.array([-2 * (rate @ rate + b.dij @ change)]),
    )


def relative(b: Book, held: str, value: float) -> tuple[np.ndarray, ...]:
    """Sec. 3.3, relative x, y and phi, bodies j less i."""
    if held == "angle":
        return (
            np.array([b.phi_j - b.phi_i - value]),
            np.array([[0, 0, -1, 0, 0, 1]]),
            np.zeros(1),
            np.zeros(1),
        )
    k = "xy".index(held)
    phi, jacobian, nu, gamma = revolute(b)
    return -phi[[k]] - value, -jacobian[[k]], nu[[k]], -gamma[[k]]


def random_pairs(seed: int, count: int = 20) -> list[Pair]:
    rng = np.random.default_rng(seed)
    return [Pair.random(rng) for _ in range(count)]


def test_revolute_is_the_course_s():
    for pair in random_pairs(1):
        phi, jacobian, nu, gamma = revolute(Book(pair))
        compare(quantities(KERNELS["planar:joint:revolute"], pair.arguments()), (-phi, -jacobian, nu, -gamma))


def test_prismatic_is_the_course_s_translational_joint_with_its_errata():
    """At any state, but for gamma of the second row, which the book leaves out where the row itself is met."""
    kernel = KERNELS["planar:joint:prismatic"]
    for pair in random_pairs(2):
        b = Book(pair)
        phi, jacobian, nu, gamma = translational(b)
        gamma[1] += phi[1] * (b.wj - b.wi) ** 2
        compare(quantities(kernel, pair.arguments()), (phi, jacobian, nu, gamma))
    for pair in random_pairs(3):
        aligned = Pair(pair.q.copy(), pair.v, pair.points, pair.angles)
        aligned.q[5] = aligned.q[2] + pair.angles[0] - pair.angles[1]
        b = Book(aligned)
        compare(quantities(kernel, aligned.arguments()), translational(b))
        assert abs(translational(b)[3][0]) > 1e-3


@pytest.mark.parametrize("name", ["distance", "revolute_revolute"])
def test_distance_is_the_square_root_of_the_course_s(name):
    """With L = |d|: Phi = L^2 - C^2, so Phi_q = 2 L L_q, and gamma = 2 L gamma_L - 2 (L')^2."""
    for pair in random_pairs(5):
        length = 1.7
        phi, jacobian, nu, gamma = quantities(KERNELS[f"planar:joint:{name}"], pair.arguments(length))
        L, rate = phi + length, jacobian @ pair.v
        squared = (L**2 - length**2, 2 * L * jacobian, 2 * L * nu, 2 * L * gamma - 2 * rate**2)
        compare(squared, distance(Book(pair), length))


@pytest.mark.parametrize("name", ["revolute_translational", "point_on_line"])
def test_a_point_at_a_distance_from_a_line_is_the_first_row_of_the_translational_joint(name):
    """Sec. 3.3, revolute-translational: Phi = v_i^perp . d_ij / |v_i| - c."""
    for pair in random_pairs(6):
        extras = (0.3,) if name == "revolute_translational" else ()
        phi, jacobian, nu, gamma = (part[:1] for part in translational(Book(pair)))
        found = quantities(KERNELS[f"planar:joint:{name}"], pair.arguments(*extras))
        compare(found, (phi - sum(extras), jacobian, nu, gamma))


@pytest.mark.parametrize("held", ["x", "y", "angle"])
def test_relative_coordinates_are_the_course_s(held):
    for pair in random_pairs(7):
        found = quantities(KERNELS[f"planar:joint:relative_{held}"], pair.arguments(0.4))
        compare(found, relative(Book(pair), held, 0.4))


@pytest.mark.parametrize("held", ["x", "y", "angle"])
def test_absolute_coordinates_are_the_course_s(held):
    """Sec. 3.2: Phi^x = x_i + x_i'^P cos phi_i - y_i'^P sin phi_i - C, and so on, with body i on ground's axes."""
    for pair in random_pairs(8):
        on_ground = Pair(np.r_[0, 0, 0, pair.q[3:]], np.r_[0, 0, 0, pair.v[3:]], pair.points, pair.angles)
        on_ground.points[0] = 0
        (x, y, phi), (xp, yp), w = pair.q[3:], pair.points[1], pair.v[5]
        c, s = np.cos(phi), np.sin(phi)
        value, by_phi, gamma = {
            "x": (x + xp * c - yp * s, -xp * s - yp * c, (xp * c - yp * s) * w**2),
            "y": (y + xp * s + yp * c, xp * c - yp * s, (xp * s + yp * c) * w**2),
            "angle": (phi, 1.0, 0.0),
        }[held]
        row = np.array([held == "x", held == "y", by_phi], float)
        found = quantities(KERNELS[f"planar:joint:absolute_{held}"], on_ground.arguments(0.4))
        compare((found[0], found[1][:, 3:], *found[2:]), ([value - 0.4], row[None], [0.0], [gamma]))


def test_fixed_is_a_revolute_joint_and_a_relative_angle():
    for pair in random_pairs(9):
        phi, jacobian, nu, gamma = quantities(KERNELS["planar:joint:fixed"], pair.arguments())
        course = revolute(Book(pair))
        compare((phi[:2], jacobian[:2], nu[:2], gamma[:2]), (-course[0], -course[1], course[2], -course[3]))
        angle = pair.q[5] + pair.angles[1] - pair.q[2] - pair.angles[0]
        assert phi[2] == pytest.approx(np.arctan2(np.sin(angle), np.cos(angle)), abs=1e-12)
        np.testing.assert_array_equal(jacobian[2], [0, 0, -1, 0, 0, 1])
        assert gamma[2] == 0


# -- the same joints in space


def in_space(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    R = Rotation.from_rotvec([0, 0, q[2]]).as_matrix()
    return np.concatenate([q[:2], [0], R.ravel(), v[:2], [0, 0, 0], v[2:]])


SAME: dict[str, tuple[str, list[int], Callable[[np.ndarray], np.ndarray]]] = {
    "revolute": ("revolute", [0, 1], lambda axes: axes),
    "distance": ("distance", [0], lambda axes: axes),
    "revolute_revolute": ("rod", [0], lambda axes: axes),
    # z of the joint frame in space is x in the plane
    "prismatic": ("prismatic", [0, 2], lambda axes: axes[:, [1, 2, 0]]),
    "point_on_line": ("point_on_line", [0], lambda axes: axes[:, [1, 2, 0]]),
}
"""Joint in space, which of its rows, and its frame from that in the plane."""


@pytest.mark.parametrize("name", SAME)
def test_rows_are_those_of_the_joint_in_space(name):
    spatial, rows, turned = SAME[name]
    kernel, flat = joint_kernel(JOINTS[spatial]), KERNELS[f"planar:joint:{name}"]
    for pair in random_pairs(10, 5):
        extras = [1.3] * kernel.extras
        markers = [
            np.concatenate([m[:3], turned(m[3:].reshape(3, 3)).ravel()]) for m in pair.data.reshape(2, 12)
        ]
        given = [in_space(pair.q[k : k + 3], pair.v[k : k + 3]) for k in (0, 3)]
        parts = kernel.full.call(
            [ca.DM(x) for x in (*given, np.concatenate([*markers, extras]), np.zeros(0), np.zeros(1))]
        )
        g, G_a, G_b, gamma, nu = (np.array(part)[rows] for part in parts)
        columns = [0, 1, 5]
        expected = (g[:, 0], np.hstack([G_a[:, columns], G_b[:, columns]]), nu[:, 0], gamma[:, 0])
        compare(quantities(flat, pair.arguments(*extras)), expected)


def test_angle_is_counted_over_whole_turns():
    kernel = KERNELS["planar:rate:revolute:angle"]
    for pair in random_pairs(11):
        angle = pair.q[5] + pair.angles[1] - pair.q[2] - pair.angles[0]
        for turns in (-3, 0, 4):
            near = angle + 2 * np.pi * turns + 0.9 * np.pi
            assert quantities(kernel, pair.arguments(z=near))[0][0] == pytest.approx(
                angle + 2 * np.pi * turns, abs=1e-12
            )


FREEDOM = {
    "fixed": 0, "revolute": 1, "prismatic": 1, "point_on_line": 2, "distance": 2, "revolute_revolute": 2,
    "revolute_translational": 2, "absolute": 2, "relative": 2,
}  # fmt: skip


def test_rows_are_independent_and_leave_the_freedom_they_should():
    for joint in VARIANTS:
        kernel = KERNELS[f"planar:joint:{joint.key}"]
        assert kernel.rows == 3 - FREEDOM.get(joint.type, 3 - len(joint.row_names))
        for pair in random_pairs(12, 5):
            G = quantities(kernel, pair.arguments(*[1.0] * kernel.extras))[1]
            assert np.linalg.matrix_rank(G, tol=1e-6) == kernel.rows
