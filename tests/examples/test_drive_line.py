"""The drive line against its three equations and its natural frequencies."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww

from .bundled import model, result

J = np.array([0.02, 0.2, 0.08])
K1, K2, D = 1500.0, 800.0, 0.05
STIFFNESS = np.array([[K1, -K1, 0], [-K1, K1 + K2, -K2], [0, -K2, K2]])
SPRINGS = np.array([[1, -1, 0], [-1, 2, -1], [0, -1, 1]])


def motion(t):
    def rates(_, y):
        angle, speed = y[:3], y[3:]
        torque = -STIFFNESS @ angle - D * SPRINGS @ speed
        torque[0] += np.interp(speed[0], [0, 100, 130], [60, 50, 20])
        torque[2] -= speed[2] * abs(speed[2]) / 480
        return [*speed, *torque / J]

    options = {"method": "DOP853", "t_eval": t, "rtol": 1e-11, "atol": 1e-12, "max_step": 1e-3}
    return solve_ivp(rates, (0, t[-1]), np.zeros(6), **options).y


@pytest.mark.slow
def test_motion():
    r = result("drive-line")
    exact = motion(r.t)
    for k, name in enumerate(("motor", "flywheel", "fan")):
        # 1e-8 per step of angles that reach 270 rad; the step across the corner of the motor's curve errs more
        assert r[f"{name}.angle"].to_numpy() == pytest.approx(exact[k], abs=2e-5)
        assert r[f"{name}.w"].to_numpy() == pytest.approx(exact[3 + k], abs=1e-4)


@pytest.mark.slow
def test_final_speed():
    """50 - (w - 100) = w^2/480 has the root 120."""
    assert 50 - (120 - 100) == 120**2 / 480
    assert model("drive-line").simulate(end=20)["fan.w"].to_numpy()[-1] == pytest.approx(120, abs=1e-6)


def test_natural_frequencies():
    """w^4 - w^2 (k1/J1 + (k1 + k2)/J2 + k2/J3) + k1 k2 (J1 + J2 + J3)/(J1 J2 J3) = 0 for a free line of three."""
    b = K1 / J[0] + (K1 + K2) / J[1] + K2 / J[2]
    c = K1 * K2 * J.sum() / J.prod()
    squares = np.sort(np.roots([1, -b, c]))
    m = model("drive-line")
    for name in ("windings", "air"):
        del m.forces[name]
    for shaft in ("coupling", "shaft"):
        m.forces[shaft].damping = 0.0
    found = m.linearise()
    assert found.frequencies[-2:] == pytest.approx(np.sqrt(squares) / (2 * np.pi), rel=1e-12)
    # the whole line turns freely: a double zero, which rounding splits into two of size sqrt(1e-16 w^2)
    assert abs(found.eigenvalues[:2]) == pytest.approx(0, abs=1e-4)


def test_damped_eigenvalues_at_full_speed():
    """About a running state: motor slope -1 N m s, fan slope w/240, and the dampers of the shafts."""
    m = model("drive-line")
    for rotor in m.bodies.values():
        rotor.speed = 120.0
    C = D * SPRINGS + np.diag([1.0, 0.0, 120 / 240])
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-STIFFNESS / J[:, None], -C / J[:, None]]])
    exact = np.linalg.eigvals(A)
    found = ww.Mechanism.linearise(m).eigenvalues
    for value in exact:
        assert min(abs(found - value)) < 1e-6 * max(1, abs(value))
