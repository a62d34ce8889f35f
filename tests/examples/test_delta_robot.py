"""The delta robot, three times the same component, against sphere geometry and virtual work."""

import numpy as np
import pytest
from scipy.optimize import fsolve

from .bundled import model, result

G = 9.80665
GRAVITY = np.array([0, 0, -G])
ARM, ROD, BASE, PLATFORM, LOAD, ARM_MASS = 0.3, 0.6, 0.2, 0.06, 1.0, 0.4
AROUND = 2 * np.pi / 3 * np.arange(3)
W = 2 * np.pi


def angles(t):
    phase = W * t + AROUND
    swing = np.radians(20)
    return np.radians(30) + swing * np.sin(phase), swing * W * np.cos(phase), -swing * W**2 * np.sin(phase)


def elbows(angle):
    """Centres of the spheres on which the platform's centre lies: elbows, moved inwards by the platform's radius."""
    out = BASE - PLATFORM + ARM * np.cos(angle)
    return np.stack([out * np.cos(AROUND), out * np.sin(AROUND), -ARM * np.sin(angle)], axis=1)


def platform(t):
    """Position, velocity, acceleration and dp/dangle from |p - c_i|^2 = rod^2."""
    angle, rate, second = angles(t)
    c = elbows(angle)
    p = fsolve(lambda p: np.sum((p - c) ** 2, axis=1) - ROD**2, [0, 0, -0.6], xtol=1e-13)
    d = p - c
    out = np.stack([np.cos(AROUND), np.sin(AROUND), 0 * AROUND], axis=1)
    down = np.array([0, 0, -1.0])
    dc = ARM * (-np.sin(angle)[:, None] * out + np.cos(angle)[:, None] * down)  # by the angle
    ddc = -ARM * (np.cos(angle)[:, None] * out + np.sin(angle)[:, None] * down)
    jacobian = np.linalg.solve(d, np.diag(np.sum(d * dc, axis=1)))
    v = jacobian @ rate
    c_rate = dc * rate[:, None]
    c_second = dc * second[:, None] + ddc * rate[:, None] ** 2
    a = np.linalg.solve(d, np.sum(d * c_second, axis=1) - np.sum((v - c_rate) ** 2, axis=1))
    return p, v, a, jacobian


@pytest.mark.slow
def test_platform_position():
    r = result("delta-robot")
    exact = np.array([platform(t)[0] for t in r.t])
    assert r["platform.position"].to_numpy() == pytest.approx(exact, abs=1e-9)
    # it never turns
    assert abs(r["platform.orientation"].sel(euler_parameter=["x", "y", "z"])).max() < 1e-9


def test_platform_velocity_and_acceleration():
    r = result("delta-robot")
    exact = [platform(t) for t in r.t]
    assert r["platform.velocity"].to_numpy() == pytest.approx(np.array([e[1] for e in exact]), abs=1e-8)
    assert r["platform.acceleration"].to_numpy() == pytest.approx(np.array([e[2] for e in exact]), abs=1e-7)


@pytest.mark.slow
def test_motor_torques():
    """Virtual work: each motor moves its own arm, and a share of the platform's inertia and weight, J^T m (a - g)."""
    r = result("delta-robot")
    side = 0.02
    inertia = ARM_MASS * (ARM**2 + side**2) / 12 + ARM_MASS * ARM**2 / 4
    exact = []
    for t in r.t:
        _, _, a, jacobian = platform(t)
        angle, _, second = angles(t)
        own = inertia * second - ARM_MASS * G * ARM / 2 * np.cos(angle)
        exact.append(own + jacobian.T @ (LOAD * (a - GRAVITY)))
    found = np.stack([r[f"arm{k}.motor.torque"].to_numpy() for k in (1, 2, 3)], axis=1)
    assert found == pytest.approx(np.array(exact), abs=1e-6)


def test_three_freedoms_all_driven():
    found = model("delta-robot").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, found.redundant) == (0, 0, [])


def test_one_arm_by_itself():
    r = result("delta-arm")
    angle, _, second = np.array([angles(t) for t in r.t])[:, :, 0].T
    inertia = ARM_MASS * (ARM**2 + 0.02**2) / 12 + ARM_MASS * ARM**2 / 4
    exact = inertia * second - ARM_MASS * G * ARM / 2 * np.cos(angle)
    assert r["motor.torque"].to_numpy() == pytest.approx(exact, abs=1e-8)
