"""Driven motions of what rolls: the drivers give all speeds, positions follow by integration."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.simulate import RunWarning


def sleigh(x: str, angle: str) -> ww.Mechanism:
    m = ww.Mechanism("sleigh", kind="planar", gravity=(0, 0))
    m.add("sleigh", ww.Body(mass=2, inertia=0.05))
    m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=(0, 0), axis=(1, 0)))
    m.add("goes", ww.BodyDriver(body="sleigh", coordinate="x", value=x))
    m.add("steers", ww.BodyDriver(body="sleigh", coordinate="angle", value=angle))
    return m


def test_a_blade_whose_way_ahead_and_heading_are_driven():
    """y' = x' tan(angle) with x = 0.5 t, angle = 0.3 t: y = -0.5/0.3 ln cos(0.3 t), and the forces of the drivers from
    Newton's law: the blade gives the part across it."""
    m = sleigh("0.5*t", "0.3*t")
    r = m.kinematics(end=3, output=60)
    assert r.outcome.good
    t = np.asarray(r.t)
    np.testing.assert_allclose(r["sleigh.position.x"], 0.5 * t, atol=1e-9)
    np.testing.assert_allclose(r["sleigh.position.y"], -0.5 / 0.3 * np.log(np.cos(0.3 * t)), atol=1e-9)
    np.testing.assert_allclose(r["sleigh.velocity.y"], 0.5 * np.tan(0.3 * t), atol=1e-9)
    forces = m.inverse(end=3, output=60)
    # m y'' = F cos(angle) across the blade, and -F sin(angle) ahead, which the driver of x makes up for
    across = 2 * 0.5 * 0.3 / np.cos(0.3 * t) ** 2 / np.cos(0.3 * t)
    np.testing.assert_allclose(forces["goes.force"], across * np.sin(0.3 * t), atol=1e-8)


@pytest.mark.parametrize("kind", ["kinematics", "inverse"])
def test_the_same_as_a_run_with_the_same_drivers(kind):
    m = sleigh("0.5*t + 0.1*sin(3*t)", "0.4*sin(2*t)")
    r = getattr(m, kind)(end=2, output=40)
    run = m.simulate(end=2, output=40, rtol=1e-11, atol=1e-13)
    for name in ("sleigh.position.y", "sleigh.velocity.y", "goes.force", "steers.torque"):
        np.testing.assert_allclose(r[name], run[name], atol=1e-7)


def cart(left: str, right: str) -> ww.Mechanism:
    """Two driven wheels of 0.1 m on one axle, 0.4 m apart, one of which may slide along it; the frame stays level."""
    m = ww.Mechanism("cart")
    m.add("frame", ww.Body(mass=8, inertia=(0.2, 0.2, 0.3), position=(0, 0, 0.1)))
    m.add("level", ww.Planar(bodies=("ground", "frame"), point=(0, 0, 0.1), axis=(0, 0, 1)))
    for name, y, value, slips in (("left", 0.2, left, False), ("right", -0.2, right, True)):
        m.add(name, ww.Body(mass=1, inertia=(0.003, 0.005, 0.003), position=(0, y, 0.1)))
        m.add(f"{name}_hub", ww.Revolute(bodies=("frame", name), point=(0, y, 0.1), axis=(0, 1, 0)))
        m.add(
            f"{name}_rolls",
            ww.RollingWheel(
                bodies=("ground", name), point=(0, y, 0.1), axis=(0, 1, 0), radius=0.1, side_slip=slips
            ),
        )
        m.add(f"{name}_drive", ww.JointDriver(joint=f"{name}_hub", value=value))
    return m


def test_a_cart_with_two_driven_wheels_goes_in_a_circle():
    """v = r (w_l + w_r)/2, W = r (w_r - w_l)/b: a circle of the radius v/W."""
    r = cart("4*t", "6*t").kinematics(end=5, output=50)
    v, W, t = 0.5, 0.1 * 2 / 0.4, np.asarray(r.t)
    np.testing.assert_allclose(r["frame.position.x"], v / W * np.sin(W * t), atol=1e-8)
    np.testing.assert_allclose(r["frame.position.y"], v / W * (1 - np.cos(W * t)), atol=1e-8)
    np.testing.assert_allclose(r["frame.w.z"], W, atol=1e-8)


def test_the_torques_that_a_cart_takes():
    """Straight ahead with a = 0.3 m/s^2: each wheel (m/2 + J/r^2) a r; on the spot (w_l = -w_r): inertia of turning."""
    straight = cart("1.5*t^2", "1.5*t^2").inverse(end=1, output=10)
    total = 10 + 2 * 0.005 / 0.1**2
    for name in ("left", "right"):
        np.testing.assert_allclose(straight[f"{name}_drive.torque"], total * 0.3 * 0.1 / 2, atol=1e-8)
    spot = cart("-1.5*t^2", "1.5*t^2").inverse(end=1, output=10)
    inertia = 0.3 + 2 * (0.003 + 0.2**2) + 2 * 0.005 * (0.2 / 0.1) ** 2
    alpha = 0.3 / 0.2
    np.testing.assert_allclose(spot["right_drive.torque"], inertia * alpha * 0.1 / 0.4, atol=1e-8)


def test_a_ball_on_the_arm_of_a_mill():
    """It turns at W rho/r about its axle, the arm at W about the vertical; angles after many turns, and the torque of
    a start with W' = 2 rad/s^2: arm, ball on its way, and its spin through the ratio."""
    m = ww.Mechanism("mill")
    r, rho = 0.05, 0.2
    J = 0.4 * 0.3 * r**2
    m.add("arm", ww.Body(mass=1, inertia=(0.01, 0.01, 0.02), position=(0, 0, r)))
    m.add("post", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, r), axis=(0, 0, 1)))
    m.add("ball", ww.Body(mass=0.3, inertia=(J, J, J), position=(rho, 0, r)))
    m.add("axle", ww.Revolute(bodies=("arm", "ball"), point=(rho, 0, r), axis=(1, 0, 0)))
    m.add("rolls", ww.RollingBall(bodies=("ground", "ball"), point=(rho, 0, r), radius=r))
    m.add("drive", ww.JointDriver(joint="post", value="t^2"))
    turned = m.kinematics(end=5, output=50)
    np.testing.assert_allclose(
        turned["axle.angle"], -(rho / r) * np.asarray(turned.t) ** 2, rtol=1e-8, atol=1e-8
    )
    inertia = 0.02 + 0.3 * rho**2 + J + J * (rho / r) ** 2
    np.testing.assert_allclose(m.inverse(end=5, output=50)["drive.torque"], 2 * inertia, rtol=1e-8)


def test_states_of_a_control_come_along():
    """Heat of a bearing in the wheel: an integral over the driven motion."""
    m = cart("4*t", "6*t")
    m.add("way", ww.Integrator(input="left.w.y"))
    r = m.kinematics(end=2, output=20)
    assert float(r["way"][-1]) == pytest.approx(np.trapezoid(r["left.w.y"], r.t), rel=1e-3)


def test_what_is_not_driven_and_what_cannot_be_followed_is_said():
    """Too few drivers; a sleigh that is to go ahead while it is turned across: its speed has no bound."""
    m = sleigh("0.5*t", "0.3*t")
    del m.drivers["steers"]
    with pytest.raises(ww.ModelError, match="the drivers leave 1 degree of freedom"):
        m.kinematics(end=1)
    with pytest.warns(
        RunWarning, match=r"speeds without bound at t = (0\.99|1).* to 1.* s, where what rolls cannot go"
    ):
        r = sleigh("0.5*t", "pi/2*t").kinematics(end=1.5, output=16)
    assert not r.outcome.good
    assert r.t[-1] == pytest.approx(15 / 16, abs=1e-12)
