"""Terms of the equations of motion in minimal coordinates, each by a second way.

Mass matrix        kinetic energy of the bodies in absolute coordinates; Lagrange's equations worked out by hand
Coriolis terms     Christoffel's symbols from differences of the mass matrix; they do no work: u'.(M' - 2 C) u' = 0
weight             differences of the potential energy
applied forces     virtual work through the Jacobians of the bodies
inverse dynamics   forward dynamics; torques of drivers in absolute coordinates
"""

import casadi as ca
import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples

from .reduced_models import all_models
from .test_reduced_states import random_state

MODELS = all_models()
SCALAR = [
    "revolute turned on a hinge",
    "hinge on cylindrical",
    "screw turned on a hinge",
    "universal turned on a hinge",
    "bevel mesh, unbalanced",
    "crossed mesh",
    "3 planets",
    "unbalanced planet",
    "rack",
    "four lumps",
    "loads on wheels",
]
"""Without ball joints: their rates are no derivatives of coordinates."""


def derivative(function, u, k, h=1e-3):
    """Central differences of sixth order: errors of about 1e-12 for h = 1e-3 and functions of size 1."""
    total = 0.0
    for j, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
        step = np.zeros_like(u)
        step[k] = j * h
        total = total + weight * (function(u + step) - function(u - step))
    return total / h


@pytest.mark.parametrize("name", SCALAR)
def test_coriolis_terms_are_those_of_christoffel(name):
    r = MODELS[name].reduced()
    u, v = random_state(r, np.random.default_rng(3))
    n = len(u)
    slope = np.array([derivative(r.mass_matrix, u, k) for k in range(n)])  # [k, i, j]: dM_ij/du_k
    # c_i = sum over j, k of (dM_ij/du_k - dM_jk/du_i / 2) u_j' u_k'
    exact = np.einsum("kij,j,k->i", slope, v, v) - 0.5 * np.einsum("ijk,j,k->i", slope, v, v)
    size = np.max(np.abs(slope)) * (v @ v)
    assert r.coriolis(u, v) == pytest.approx(exact, abs=1e-9 * max(size, 1e-3))


@pytest.mark.parametrize("name", SCALAR)
def test_coriolis_terms_do_no_work(name):
    """d/dt (u'.M u'/2) = u'.Q: with the rates kept by u'' = -M^-1 c, kinetic energy is constant along the motion."""
    r = MODELS[name].reduced()
    u, v = random_state(r, np.random.default_rng(4))
    M = r.mass_matrix(u)
    accelerations = -np.linalg.solve(M, r.coriolis(u, v))
    changing = sum(v[k] * derivative(r.mass_matrix, u, k) for k in range(len(u)))
    rate = v @ M @ accelerations + 0.5 * v @ changing @ v
    assert rate == pytest.approx(0, abs=1e-9 * max(1.0, r.kinetic_energy(u, v)))


@pytest.mark.parametrize("name", SCALAR)
def test_weight_is_the_slope_of_potential_energy(name):
    m = MODELS[name].model_copy(deep=True)
    for force in list(m.forces):
        del m.forces[force]
    r = m.reduced()
    u, _ = random_state(r, np.random.default_rng(5))
    still = np.zeros(len(u))
    slope = [derivative(lambda x: r.at(x, still)["energy.potential"], u, k) for k in range(len(u))]
    assert r.gravity(u) == pytest.approx(np.array(slope), abs=1e-8)
    assert r.applied(u, still) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["loads on wheels", "four lumps"])
def test_applied_forces_by_virtual_work(name):
    """A force on a body, and the other terms as they are without it."""
    m = MODELS[name].model_copy(deep=True)
    before = m.reduced()
    target = "v" if name == "loads on wheels" else "l3"
    m.add("test-force", ww.Force(body=target, value=(1.0, -2.0, 0.5)))
    m.add("test-torque", ww.Torque(body=target, value=(0.3, 0.7, -0.2)))
    r = m.reduced()
    u, v = random_state(r, np.random.default_rng(6))
    terms, old = r.terms(u, v, 0.2), before.terms(u, v, 0.2)
    expected = r.jacobian(target, u).T @ np.array([1.0, -2.0, 0.5, 0.3, 0.7, -0.2])
    assert terms.applied - old.applied == pytest.approx(expected, abs=1e-11)
    assert terms.mass == pytest.approx(old.mass, abs=1e-14)
    assert terms.coriolis == pytest.approx(old.coriolis, abs=1e-12)
    assert terms.gravity == pytest.approx(old.gravity, abs=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_inverse_dynamics_is_the_inverse_of_forward_dynamics(name):
    r = MODELS[name].reduced()
    rng = np.random.default_rng(7)
    u, v = random_state(r, rng)
    wanted = rng.normal(size=len(v))
    Q = r.inverse(u, v, wanted, 0.4)
    assert r.forward(u, v, Q, 0.4) == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    terms = r.terms(u, v, 0.4)
    left = terms.mass @ wanted + terms.coriolis + terms.gravity - terms.applied
    assert left == pytest.approx(Q, rel=1e-9, abs=1e-9 * max(1.0, np.max(np.abs(terms.mass))))


def test_double_pendulum_by_hand():
    """Lagrange's equations of the text-book, by symbols: two bars on hinges about parallel axes under gravity."""
    m1, m2, c1, l1, c2, J1, J2, g = 1.3, 0.7, 0.2, 0.5, 0.15, 0.03, 0.02, 9.81
    m = ww.Mechanism("double pendulum", gravity=(0, 0, -g))
    for name, mass, inertia, x in (("upper", m1, J1, c1), ("lower", m2, J2, l1 + c2)):
        m.add(name, ww.Body(mass=mass, inertia=(0.02, inertia, inertia), position=(x, 0, 0)))
    m.add("shoulder", ww.Revolute(bodies=("ground", "upper"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("elbow", ww.Revolute(bodies=("upper", "lower"), point=(l1, 0, 0), axis=(0, 1, 0)))
    q, dq = ca.SX.sym("q", 2), ca.SX.sym("dq", 2)
    a, b = ca.vertsplit(q)

    # turned by a about y, a bar along x points to (cos a, -sin a)
    def place(angle, length):
        return length * ca.vertcat(ca.cos(angle), -ca.sin(angle))

    one, two = place(a, c1), place(a, l1) + place(a + b, c2)
    v1, v2 = (ca.jtimes(p, q, dq) for p in (one, two))
    T = (m1 * ca.dot(v1, v1) + m2 * ca.dot(v2, v2) + J1 * dq[0] ** 2 + J2 * ca.sum1(dq) ** 2) / 2
    V = g * (m1 * one[1] + m2 * two[1])
    momentum = ca.gradient(T, dq)
    coriolis = ca.jtimes(momentum, q, dq) - ca.gradient(T, q)
    exact = ca.Function("exact", [q, dq], [ca.hessian(T, dq)[0], coriolis, ca.gradient(V, q)])
    r = m.reduced()
    for u, v in (([0.3, -0.8], [1.1, -2.3]), ([2.0, 1.0], [-0.4, 3.0])):
        mass, velocity_terms, weight = (np.array(x) for x in exact(u, v))
        terms = r.terms(u, v)
        assert terms.mass == pytest.approx(mass, rel=1e-12)
        assert terms.coriolis == pytest.approx(velocity_terms[:, 0], rel=1e-12)
        assert terms.gravity == pytest.approx(weight[:, 0], rel=1e-12)
        assert terms.applied == pytest.approx(0, abs=1e-14)


def test_spin_on_a_turning_carrier_by_hand():
    """Chen (12): a wheel on an axis that leans by q2 from the first axis of its carrier.

    K = J (N q3')^2/2 + J N q1' q3' cos(q2), here with the spin itself as coordinate (N = 1), and its terms in the
    equations of motion as printed there.
    """
    J, A = 0.018, 0.01
    m = ww.Mechanism("gyroscope", gravity=(0, 0, 0))
    light = {"mass": 1e-9, "inertia": (1e-12, 1e-12, 1e-12)}
    m.add("column", ww.Body(**light))
    m.add("fork", ww.Body(**light))
    m.add("wheel", ww.Body(mass=0.7, inertia=(A, A, J)))
    m.add("z1", ww.Revolute(bodies=("ground", "column"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("z2", ww.Revolute(bodies=("column", "fork"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("z3", ww.Revolute(bodies=("fork", "wheel"), point=(0, 0, 0), axis=(0, 0, 1)))
    r = m.reduced()
    assert r.names == ("z1.angle", "z2.angle", "z3.angle")
    assert [spin.bodies for _, spin in r.reduction.tree.spins()] == [[2]]
    q2, (w1, w2, w3) = 0.7, (1.3, -0.4, 50.0)
    u, v = [0.2, q2, 3.0], [w1, w2, w3]
    s, c = np.sin(q2), np.cos(q2)
    # carried as if fixed: J about its own axis, A across it
    M = [[A * s * s + J * c * c, 0, J * c], [0, A, 0], [J * c, 0, J]]
    assert r.mass_matrix(u) == pytest.approx(np.array(M), abs=1e-11)
    coriolis = [
        2 * (A - J) * s * c * w1 * w2 - J * s * w2 * w3,
        (J - A) * s * c * w1 * w1 + J * s * w1 * w3,
        -J * s * w1 * w2,
    ]
    assert r.coriolis(u, v) == pytest.approx(coriolis, abs=1e-9)


@pytest.mark.slow
def test_motor_torques_of_the_wrist_are_those_of_drivers():
    """Inverse dynamics through the structure matrix (Chen (13)) against multipliers of drivers."""
    m = ww.load(examples.path("bevel-wrist"))
    m.gravity = (1.0, 2.0, -9.81)
    result = m.inverse(end=0.4, output=40)
    r = m.reduced()
    path = r.coordinates_of(result)
    motors = ["motor5", "motor6", "motor8"]
    S = r.structure_matrix(motors)
    for k in (0, 13, 40):
        Q = r.inverse(path.u[k], path.rates[k], path.accelerations[k])
        found = np.linalg.solve(S, Q)
        exact = [float(result[f"drive{j}.torque"][k]) for j in (5, 6, 8)]
        assert found == pytest.approx(exact, rel=1e-8, abs=1e-10)


@pytest.mark.slow
def test_structure_matrix_is_that_of_the_graph():
    from wheelwork.trains import displacements, structure_matrix

    m = ww.load(examples.path("bevel-wrist"))
    graph = m.gear_train()
    exact = structure_matrix(graph, displacements(graph, "link4"), ["link5", "link6", "link8"])
    r = m.reduced()
    assert r.names == ("z1.angle", "z2.angle", "z3.angle")
    assert r.structure_matrix(["motor5", "motor6", "motor8"]) == pytest.approx(
        np.array(exact, float), rel=1e-12
    )


@pytest.mark.slow
def test_coordinates_of_a_result():
    """There and back: a motion in absolute coordinates gives the coordinates that give the motion."""
    for name in ("3 planets", "free bodies", "universal turned on a hinge"):
        m = MODELS[name]
        result = m.simulate(end=0.3, output=30, rtol=1e-11, atol=1e-12)
        r = m.reduced()
        path = r.coordinates_of(result)
        for k in (0, 17, 30):
            moved = r.motion(path.u[k], path.rates[k], path.accelerations[k])
            assert moved.x == pytest.approx(result.motion.x[k], abs=1e-9)
            assert np.max(np.abs(moved.R - result.motion.R[k])) < 1e-9
            assert np.hstack([moved.v, moved.w]) == pytest.approx(result.motion.v[k], abs=1e-9)
            assert np.hstack([moved.a, moved.alpha]) == pytest.approx(result.motion.a[k], rel=1e-8, abs=1e-8)
            free = r.forward(path.u[k], path.rates[k], t=float(result.t[k]))
            assert path.accelerations[k] == pytest.approx(free, rel=1e-8, abs=1e-8)


def test_wrong_use():
    r = MODELS["3 planets"].reduced()
    with pytest.raises(ValueError, match="needs 4 numbers"):
        r.mass_matrix([0.0])
    with pytest.raises(KeyError, match="j-arm"):
        r.row("j-arn")
    with pytest.raises(KeyError, match="did you mean"):
        r.jacobian("armm")
    other = MODELS["rack"].simulate(end=0.01, output=1)
    with pytest.raises(ValueError, match="another mechanism"):
        r.coordinates_of(other)
