"""Example 3.4.1 of the course: gear 2 falls around gear 1, which is fixed, and has turned by -pi at the bottom."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import wheelwork as ww

from .bundled import model, result

G = 9.80665
R1, R2, START = 1.0, 2.0, np.pi / 6
MASS, ARM, ARM_INERTIA = 10.0, 1e-3, 1e-3
# of the one freedom, the angle theta of the line of centres: gear, its rotation by (R1 + R2)/R2, arm
INERTIA = MASS * 9 + MASS * R2**2 / 2 * 1.5**2 + ARM * 1.5**2 + ARM_INERTIA
MOMENT = G * (MASS * 3 + ARM * 1.5)


def haug(phi_1, theta_1, phi_2, theta_2):
    """Angle of the line of centres, (3.4.2): R1 (phi_1 + theta_1) + R2 (phi_2 + theta_2 - pi) over R1 + R2."""
    return (R1 * (phi_1 + theta_1) + R2 * (phi_2 + theta_2 - np.pi)) / (R1 + R2)


def time_to_the_bottom():
    """From energy: theta' = -sqrt(2 MOMENT (sin START - sin theta)/INERTIA), with theta = START - u^2 at the start."""
    rate = 2 * MOMENT / INERTIA
    return quad(
        lambda u: 2 * u / np.sqrt(rate * (np.sin(START) - np.sin(START - u * u))),
        1e-9,
        np.sqrt(START + np.pi / 2),
        epsabs=1e-12,
    )[0]


@pytest.mark.slow
def test_gear_2_has_turned_by_minus_pi_at_the_bottom():
    r = result("gear-set")
    bottom = r.at(time_to_the_bottom())
    # step errors of 1e-8, interpolation over 10 ms
    assert float(bottom["arm.angle"]) == pytest.approx(-np.pi / 2, abs=1e-6)
    assert float(bottom["gear2.angle"]) == pytest.approx(-np.pi, abs=1.5e-6)


def test_gear_2_at_the_bottom_by_kinematics():
    """The same as a position problem: the arm driven to -pi/2, no forces and no time in it."""
    m = model("gear-set")
    m.add("fall", ww.JointDriver(joint="bearing", value="-2*pi/3*t"))
    r = m.kinematics(end=1, output=20)
    assert r["gear2.angle"].to_numpy()[-1] == pytest.approx(-np.pi, abs=1e-11)
    assert r["gear2.position"].to_numpy()[-1] == pytest.approx((0, -3), abs=1e-11)


def test_haugs_equation_holds_all_the_way():
    r = result("gear-set")
    centre = r["gear2.position"].to_numpy()
    theta = np.unwrap(np.arctan2(centre[:, 1], centre[:, 0]))
    assert theta[0] == pytest.approx(START)
    assert haug(0, np.pi / 6, r["gear2.angle"].to_numpy(), 7 * np.pi / 6) == pytest.approx(theta, abs=1e-10)


def test_fall():
    r = result("gear-set")
    exact = solve_ivp(
        lambda _, y: (y[1], -MOMENT * np.cos(y[0]) / INERTIA),
        (0, r.t[-1]),
        (START, 0),
        method="DOP853",
        t_eval=r.t,
        rtol=1e-12,
        atol=1e-13,
    ).y[0]
    assert r["arm.angle"].to_numpy() == pytest.approx(exact, abs=1e-6)


def test_tooth_force():
    """It alone turns gear 2 about its centre; its part along the line of centres is tan(20 deg) of it."""
    r = result("gear-set")
    torque = r["gear2.angular_acceleration"].to_numpy() * MASS * R2**2 / 2
    assert r["teeth.b.force.tangential"].to_numpy() * R2 == pytest.approx(torque, abs=1e-7)
    radial = np.abs(r["teeth.force.tangential"].to_numpy()) * np.tan(np.radians(20))
    assert r["teeth.force.radial"].to_numpy() == pytest.approx(radial, abs=1e-9)
    # what else acts on gear 2: its pin, its weight
    away = r["gear2.position"].to_numpy() / 3
    tooth = radial[:, None] * away + r["teeth.b.force.tangential"].to_numpy()[:, None] * np.column_stack(
        [away[:, 1], -away[:, 0]]  # z times the radius from gear 2 to the pitch point, which is -away
    )
    total = tooth + r["pin.reaction.force"].to_numpy() + [0, -MASS * G]
    assert total == pytest.approx(MASS * r["gear2.acceleration"].to_numpy(), abs=1e-7)
