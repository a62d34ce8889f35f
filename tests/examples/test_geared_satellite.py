"""The geared satellite: its bus turns as the balance of angular momentum says, and free it tumbles as a gyrostat."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from .bundled import model, result

TORQUE, BURN, RATIO = 0.02, 4.0, 5
BUS, PANELS, MOTOR, RING = 40.0, 6.0, 0.8, 4.0
TOP, BOTTOM, WIDTH = 0.23, -0.17, 0.04
MOTOR_X, RING_X = 0.08, -0.016
I_MOTOR, I_RING = MOTOR * 0.024**2 / 2, RING * (0.14**2 + 0.12**2) / 2
# of the turn of the pinion against the bus, and its share in the momentum about z; the ring turns the same way
C, D = I_MOTOR + I_RING / RATIO**2, I_MOTOR + I_RING / RATIO


def moments():
    """Of the whole satellite about its centre of mass, which lies on z; z is a principal axis since the parts at the
    top balance each other."""
    assert abs(MOTOR * MOTOR_X + RING * RING_X) < 1e-15
    parts = [
        (BUS, (0, 0), BUS / 12 * np.array([0.4**2 + 0.32**2, 0.4**2 + 0.32**2, 2 * 0.4**2])),
        (
            PANELS,
            (0, BOTTOM),
            PANELS / 12 * np.array([1.4**2 + 0.015**2, 0.3**2 + 0.015**2, 0.3**2 + 1.4**2]),
        ),
        (MOTOR, (MOTOR_X, TOP), np.array([*[I_MOTOR / 2 + MOTOR * WIDTH**2 / 12] * 2, I_MOTOR])),
        (RING, (RING_X, TOP), np.array([*[I_RING / 2 + RING * WIDTH**2 / 12] * 2, I_RING])),
    ]
    height = sum(mass * z for mass, (_, z), _ in parts) / sum(mass for mass, _, _ in parts)
    about = [
        own + mass * np.array([(z - height) ** 2, x**2 + (z - height) ** 2, x**2])
        for mass, (x, z), own in parts
    ]
    return np.sum(about, axis=0)


@pytest.mark.slow
def test_turn_of_the_bus_by_the_balance_of_momentum():
    """J w + D s' = 0 and D w + C s' = T t, s' the speed of the pinion against the bus."""
    r = result("geared-satellite")
    J = moments()[2]
    bus = -D / (J * C - D**2) * TORQUE * np.minimum(r.t, BURN)
    assert bus[-1] == pytest.approx(-0.17847, abs=5e-6)  # as the page says
    # the step across the jump of the torque is not as good as others
    assert r["bus.w.z"].to_numpy() == pytest.approx(bus, abs=1e-6)
    assert r["motor-bearing.w"].to_numpy() == pytest.approx(-J / D * bus, abs=1e-4)
    assert r["ring-bearing.w"].to_numpy() * RATIO == pytest.approx(r["motor-bearing.w"].to_numpy(), abs=1e-12)
    assert np.abs(r["bus.w"].to_numpy()[:, :2]).max() < 1e-14


def test_momentum_stays_zero():
    r = result("geared-satellite")
    ring = I_RING * r["ring.w.z"].to_numpy()
    assert ring[-1] > 0.3
    for what in ("linear", "angular"):
        assert np.abs(r[f"momentum.{what}"].to_numpy()).max() < 1e-13


def test_tooth_force():
    """It alone turns the ring."""
    r = result("geared-satellite")
    torque = I_RING * r["ring.angular_acceleration.z"].to_numpy()
    assert torque[0] > 0.01
    assert np.abs(r["teeth.force.tangential"].to_numpy()) * 0.12 == pytest.approx(np.abs(torque), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["reduced", "absolute"])
def test_free_tumble(formulation):
    """No torque: energy and momentum stay, and the bus turns as Euler's equations of a gyrostat say."""
    tumble, spin = 0.3, 60.0
    m = model("geared-satellite").with_parameters(torque=0, tumble=tumble, spin=spin)
    r = m.run(end=20, output=200, rtol=1e-10, atol=1e-12, formulation=formulation)
    assert r.outcome.good, r.report
    energy = r["energy.total"].to_numpy()
    assert energy == pytest.approx(energy[0], rel=1e-9)
    momentum = r["momentum.angular"].to_numpy()
    assert momentum == pytest.approx(np.broadcast_to(momentum[0], momentum.shape), abs=1e-9)

    J = moments()

    def rates(_, y):
        w, speed = y[:3], y[3]
        A = np.diag([*J, C])
        A[2, 3] = A[3, 2] = D
        return np.linalg.solve(A, [*-np.cross(w, J * w + [0, 0, D * speed]), 0])

    exact = solve_ivp(
        rates, (0, 20), [tumble, 0, 0, spin], method="DOP853", t_eval=r.t, rtol=1e-12, atol=1e-13
    ).y.T
    assert np.ptp(exact[:, 1]) > 0.3  # it does tumble
    assert r["motor-bearing.w"].to_numpy() == pytest.approx(exact[:, 3], abs=1e-6)
    # the length of w is the same in all axes
    length = np.linalg.norm(r["bus.w"].to_numpy(), axis=1)
    assert length == pytest.approx(np.linalg.norm(exact[:, :3], axis=1), abs=1e-8)
