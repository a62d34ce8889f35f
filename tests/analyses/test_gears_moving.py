"""Gears in a housing that moves: gyroscopic and reaction torques on the carrier, momentum and energy."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .gear_pairs import PAIRS, in_housing
from .minimal_gears import MinimalGears
from .test_gears_balance import matrices

GRAVITY = np.array([1.0, -3.0, -9.0])


def compared(r: Any, reference: Any, tolerance: float) -> None:
    nu, s, R, x = reference
    found = matrices(r["housing.orientation"].to_numpy())
    assert r["housing.position"].to_numpy() == pytest.approx(x, abs=tolerance)
    assert found == pytest.approx(R, abs=tolerance)
    w = np.einsum("nij,ni->nj", R, r["housing.w"].to_numpy())
    assert w == pytest.approx(nu[:, 3:6], abs=10 * tolerance)
    assert r["bearing-a.angle"].to_numpy() == pytest.approx(s, abs=10 * tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_against_minimal_coordinates(name):
    """Unbalanced wheels in a tumbling housing, driven and loaded: the motion of Boltzmann and Hamel's equations."""
    pair = PAIRS[name]()
    load = 20.0 if pair.rack else 2.0
    drives = {"a": "3*cos(9*t)", "b": f"-{load}*sin(7*t)"}
    g = in_housing(pair, seed=3, gravity=tuple(GRAVITY), **drives)
    runs = [
        g.mechanism.simulate(end=0.6, output=12, rtol=1e-10, atol=1e-12, formulation=formulation)
        for formulation in ("absolute", "reduced")
    ]
    r = runs[0]
    orientations = {body: matrices(r[f"{body}.orientation"].to_numpy()[:1])[0] for body in g.mechanism.bodies}
    start = [r[f"housing.{word}"].to_numpy()[0] for word in ("velocity", "w")]
    nu = np.concatenate([*start, r["bearing-a.w"].to_numpy()[:1]])

    def drive(t: float) -> float:
        return 3 * np.cos(9 * t) - pair.speeds[1] * load * np.sin(7 * t)

    reference = MinimalGears(g, orientations, GRAVITY).solve(r.t, nu, drive)
    assert np.abs(reference[1]).max() > 1  # it does turn
    for run in runs:
        assert run.outcome.good, run.report
        compared(run, reference, 1e-7)


def spin(g, rate):
    """Wheel a turns at this rate in its housing, which tumbles."""
    tumble = np.array(g.mechanism.bodies["housing"].angular_velocity)
    g.mechanism.bodies["a"].angular_velocity = tuple(tumble + rate * g.axes @ g.pair.axes[0])


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("name", PAIRS)
def test_a_free_flying_drive_keeps_energy_and_momentum(name, formulation):
    """Nothing outside acts, and no motor: wheel a spins at the start, and a spring takes up its turns."""
    g = in_housing(PAIRS[name](), seed=7, gravity=(0, 0, 0))
    spin(g, 60)
    g.mechanism.add("spring", ww.TorsionalSpring(joint="bearing-a", stiffness=0.05))
    options = {"rtol": 1e-10, "atol": 1e-12, "formulation": formulation}
    r = g.mechanism.simulate(end=1.0, output=20, **options)
    assert r.outcome.good, r.report
    assert np.abs(r["mesh.force.tangential"].to_numpy()).max() > 0.3
    assert np.ptp(r["bearing-a.w"].to_numpy()) > 1
    energy = r["energy.total"].to_numpy()
    assert energy == pytest.approx(energy[0], rel=1e-8)
    for what in ("linear", "angular"):
        momentum = r[f"momentum.{what}"].to_numpy()
        assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-8)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize(
    "name",
    ["helical", "helical, left-handed", "internal, helical", "worm", "crossed", "crossed, of both hands"],
)
def test_wheels_that_slide_along_their_axes_keep_energy_and_momentum(name, formulation):
    """Wheel a on a cylindrical joint and an axial spring: as it slides it turns b like a rack.

    At the start b stands still in the housing, and a screws itself along it.
    """
    g = in_housing(PAIRS[name](), seed=2, gravity=(0, 0, 0))
    m, bearing = g.mechanism, g.mechanism.joints.pop("bearing-a")
    m.add("bearing-a", ww.Cylindrical(bodies=bearing.bodies, point=bearing.point, axis=bearing.axis))
    behind = tuple(np.array(bearing.point) - 0.2 * np.array(bearing.axis))
    m.add("spring", ww.Spring(bodies=("housing", "a"), point_a=behind, point_b=bearing.point, stiffness=300))
    spin(g, 30)
    m.bodies["b"].angular_velocity = m.bodies["housing"].angular_velocity
    r = m.simulate(end=0.5, output=20, rtol=1e-10, atol=1e-12, formulation=formulation)
    assert r.outcome.good, r.report
    assert (float(r["bearing-a.w"][0]), float(r["bearing-b.w"][0])) == pytest.approx((30, 0), abs=1e-9)
    assert np.ptp(r["bearing-a.displacement"].to_numpy()) > 3e-3
    energy, angular = r["energy.total"].to_numpy(), r["momentum.angular"].to_numpy()
    assert energy == pytest.approx(energy[0], rel=1e-9)
    assert angular == pytest.approx(np.broadcast_to(angular[0], angular.shape), abs=1e-10)
    assert np.abs(r["mesh.residual"].to_numpy()).max() < 1e-13
    # axial motion of a is part of what turns b
    rolled = r["bearing-b.angle"].to_numpy() - g.pair.speeds[1] * r["bearing-a.angle"].to_numpy()
    assert np.ptp(rolled) > 1e-2


def test_a_gyrostat():
    """Two balanced wheels geared together on one satellite, closed form: H' + w x H = 0 with
    H = J w + h e, and h = C (s' + e.w): the wheels together are one of inertia C about its axis e.

    An external pair of ratio u has the net spin I_a - I_b/u about z; driven without torque, the momentum of the free
    turn stays: d/dt [I_a (s' + w_z) - (I_b/u) (-s'/u + w_z)] = 0.
    """
    u, I_a, I_b = 2.0, 2e-3, 9e-3
    moments = np.array([0.4, 0.5, 0.6])
    m = ww.Mechanism("gyrostat", gravity=(0, 0, 0))
    # centres of mass on one line along z, so that nothing but spins moves against the housing
    m.add("housing", ww.Body(mass=20, inertia=tuple(moments), angular_velocity=(0.5, 1.0, 0.2)))
    for name, x, spin, mass in (("a", -0.05, I_a, 1.0), ("b", 0.1, I_b, 0.5)):
        m.add(
            name,
            ww.Body(
                mass=mass,
                inertia=(spin / 2, spin / 2, spin),
                position=(x, 0, 0),
                velocity=tuple(np.cross((0.5, 1.0, 0.2), (x, 0, 0))),
                angular_velocity=(0.5, 1.0, 0.2 + (100.0 if name == "a" else -50.0)),
            ),
        )
        m.add(f"on-{name}", ww.Revolute(bodies=("housing", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40)))
    r = m.simulate(end=5, output=50, rtol=1e-10, atol=1e-12)

    from scipy.integrate import solve_ivp

    # housing and wheels as one body about its centre, which is the origin: 1 * 0.05 = 0.5 * 0.1
    J = (
        moments
        + [I_a / 2 + I_b / 2, I_a / 2 + I_b / 2, I_a + I_b]
        + (1.0 * 0.05**2 + 0.5 * 0.1**2) * np.array([0, 1, 1])
    )
    C, D = I_a + I_b / u**2, I_a - I_b / u  # of the free turn, and its share in the momentum

    def rates(_, y):
        w, speed = y[:3], y[3]
        H = J * w + [0, 0, D * speed]
        A = np.diag([*J, C]).astype(float)
        A[2, 3] = A[3, 2] = D
        return np.linalg.solve(A, [*-np.cross(w, H), 0.0])

    exact = solve_ivp(
        rates, (0, 5), [0.5, 1.0, 0.2, 100.0], method="DOP853", t_eval=r.t, rtol=1e-12, atol=1e-12
    ).y.T
    R = matrices(r["housing.orientation"].to_numpy())
    w = np.einsum("nij,ni->nj", R, r["housing.w"].to_numpy())
    assert np.ptp(exact[:, 0]) > 0.5  # it does tumble
    assert w == pytest.approx(exact[:, :3], abs=1e-7)
    assert r["on-a.w"].to_numpy() == pytest.approx(exact[:, 3], abs=1e-6)
