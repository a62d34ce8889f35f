"""What physics keeps, the solution keeps: energy, momentum, angular momentum."""

import numpy as np
import pytest

import wheelwork as ww

from .models import link

RNG_SEEDS = (0, 1, 2)


def free_flyer(seed, gravity=(0.0, 0.0, 0.0)):
    """Four bodies on a ball, a hinge, a universal joint and springs between them, thrown with random velocities.

    Each body turns against the one before it as their joint allows, and its centre follows from their common point.
    """
    rng = np.random.default_rng(seed)
    m = ww.Mechanism("flyer", gravity=gravity)
    hinge = rng.normal(size=3)
    turning = (np.eye(3), np.eye(3), hinge[:, None], np.eye(3)[:, 1:])  # axes about which each body may turn
    position, velocity, spin = np.zeros(3), rng.normal(size=3), np.zeros(3)
    for k in range(4):
        moments = 0.1 + 0.05 * rng.random(3)
        joint, before = np.array([k - 0.5, 0, 0]), (position, spin)
        position = np.array([k, 0.3 * rng.normal(), 0.3 * rng.normal()])
        spin = spin + turning[k] @ (2 * rng.normal(size=turning[k].shape[1]))
        if k:
            velocity = velocity + np.cross(before[1], joint - before[0]) + np.cross(spin, position - joint)
        body = ww.Body(
            mass=1 + rng.random(),
            inertia=tuple(moments),
            position=tuple(position),
            orientation={"rotation_vector": tuple(rng.normal(size=3))},
            velocity=tuple(velocity),
            angular_velocity=tuple(spin),
        )
        m.add(f"body{k}", body)
    m.add("ball", ww.Spherical(bodies=("body0", "body1"), point=(0.5, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("body1", "body2"), point=(1.5, 0, 0), axis=tuple(hinge)))
    m.add(
        "cross", ww.Universal(bodies=("body2", "body3"), point=(2.5, 0, 0), axis=(0, 1, 0), axis2=(0, 0, 1))
    )
    spring = {"point_a": (0, 0.5, 0), "point_b": (3, 0.5, 0), "stiffness": 3}
    m.add("band", ww.Spring(bodies=("body0", "body3"), **spring))
    m.add("twist", ww.TorsionalSpring(joint="hinge", stiffness=2))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("seed", RNG_SEEDS)
def test_free_flight_keeps_everything(seed, formulation):
    r = free_flyer(seed).simulate(end=5, output=100, formulation=formulation)
    assert r.outcome.good
    assert r.statistics.formulation.startswith(formulation)
    energy = r["energy.total"].to_numpy()
    # 1e-8 per step, some 1000 steps; momenta are changed by the rounding of projections and by orientations' errors
    assert energy == pytest.approx(energy[0], rel=1e-6)
    linear = r["momentum.linear"].to_numpy()
    # minimal coordinates know nothing of momentum: it is kept as well as the tolerances say
    loose = 1e-9 if formulation == "absolute" else 1e-7
    assert linear == pytest.approx(np.broadcast_to(linear[0], linear.shape), abs=loose)
    angular = r["momentum.angular"].to_numpy()
    assert angular == pytest.approx(np.broadcast_to(angular[0], angular.shape), abs=1e-5)
    assert np.ptp(r["energy.kinetic"].to_numpy()) > 0.1


def test_tighter_tolerances_keep_more():
    drifts = []
    for rtol in (1e-6, 1e-8, 1e-10):
        r = free_flyer(0).simulate(end=5, output=50, rtol=rtol, atol=rtol / 100)
        energy = r["energy.total"].to_numpy()
        drifts.append(np.abs(energy - energy[0]).max())
    assert drifts[1] < drifts[0] / 10
    assert drifts[2] < drifts[1] / 10


@pytest.mark.slow
def test_centre_of_mass_falls_freely():
    m = free_flyer(3, gravity=(1.0, -2.0, -9.0))
    r = m.simulate(end=2, output=20)
    masses = np.array([body.mass for body in m.bodies.values()])
    middle = sum(mass * r[name + ".position"].to_numpy() for name, mass in zip(m.bodies, masses, strict=True))
    middle = middle / masses.sum()
    start = r["momentum.linear"].to_numpy()[0] / masses.sum()
    t = r.t[:, None]
    exact = middle[0] + start * t + np.array([1.0, -2.0, -9.0]) * t**2 / 2
    assert middle == pytest.approx(exact, abs=1e-8)


@pytest.mark.slow
def test_internal_dampers_keep_momentum_and_take_energy():
    m = free_flyer(3)
    m.add("damper", ww.Friction(joint="hinge", viscous=0.3, coulomb=0.1))
    m.forces["band"].damping = 0.2
    r = m.simulate(end=5, output=200)
    linear, angular = r["momentum.linear"].to_numpy(), r["momentum.angular"].to_numpy()
    assert linear == pytest.approx(np.broadcast_to(linear[0], linear.shape), abs=1e-9)
    assert angular == pytest.approx(np.broadcast_to(angular[0], angular.shape), abs=1e-5)
    energy = r["energy.total"].to_numpy()
    assert np.diff(energy).max() < 1e-7
    # that of the centre of mass is not theirs to take
    inner = energy - linear[0] @ linear[0] / (2 * sum(body.mass for body in m.bodies.values()))
    assert inner[-1] < 0.9 * inner[0]


def test_closed_loop_that_floats():
    """A four-bar with nothing fixed: 6 + 1 freedoms, and full hinges that are redundant.

    Speeds of the first bar and the turning of the second are all that the loop leaves free.
    """
    m = ww.Mechanism("floating loop", gravity=(0, 0, 0))
    corners = [(0, 0), (0.1, 1), (1.3, 1.2), (1, 0)]
    speeds = [
        {"angular_velocity": (0.5, 1.0, 0.3), "velocity": (0, 1.5, 0)},
        {"angular_velocity": (0.5, 0, 0.3)},
        {},
        {},
    ]
    for k in range(4):
        m.add(f"bar{k}", link(corners[k], corners[(k + 1) % 4], **speeds[k]))
    for k in range(4):
        point = (corners[(k + 1) % 4][0], 0, corners[(k + 1) % 4][1])
        m.add(f"pin{k}", ww.Revolute(bodies=(f"bar{k}", f"bar{(k + 1) % 4}"), point=point, axis=(0, 1, 0)))
    found = m.check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, len(found.redundant)) == (4, 7, 3)
    assert found.loose_bodies == [f"bar{k}" for k in range(4)]
    r = m.simulate(end=5, output=100)
    assert r.outcome.good
    energy, angular = r["energy.total"].to_numpy(), r["momentum.angular"].to_numpy()
    assert energy == pytest.approx(energy[0], rel=1e-6)
    assert angular == pytest.approx(np.broadcast_to(angular[0], angular.shape), abs=1e-5)


def test_free_rotation_about_the_middle_axis_tumbles_and_comes_back():
    """Euler's equations for a free body: energy and angular momentum, and the tumbling itself, against SciPy."""
    from scipy.integrate import solve_ivp

    J = np.array([1.0, 2.0, 2.8])
    start = np.array([0.01, 3.0, 0.01])
    m = ww.Mechanism("handle", gravity=(0, 0, 0))
    m.add("handle", ww.Body(mass=1, inertia=tuple(J), angular_velocity=tuple(start)))
    r = m.simulate(end=10, output=200)
    R = _matrices(r["handle.orientation"].to_numpy())
    in_body = np.einsum("nij,ni->nj", R, r["handle.w"].to_numpy())
    exact = solve_ivp(
        lambda _, w: np.cross(J * w, w) / J,
        (0, 10),
        start,
        method="DOP853",
        t_eval=r.t,
        rtol=1e-12,
        atol=1e-13,
    ).y.T
    assert exact[:, 1].min() < -2.9  # it does turn over
    assert in_body == pytest.approx(exact, abs=1e-5)


def _matrices(q):
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)
