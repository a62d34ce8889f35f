"""Inverse dynamics: analytic torques, and the forward run under these torques gives the motion back."""

import numpy as np
import pytest

import wheelwork as ww

from .models import G, four_bar, pendulum

LENGTH, MASS, INERTIA = 1.0, 2.0, 0.3
ABOUT_HINGE = INERTIA + MASS * LENGTH**2


def driven_pendulum():
    m = pendulum(LENGTH, MASS, INERTIA)
    m.add("motor", ww.JointDriver(joint="hinge", value="0.4*sin(3*t) + 0.2*t"))
    return m


def test_torque_of_a_driven_pendulum():
    r = driven_pendulum().inverse(end=2, output=100)
    angle = 0.4 * np.sin(3 * r.t) + 0.2 * r.t
    rate = 1.2 * np.cos(3 * r.t) + 0.2
    second = -3.6 * np.sin(3 * r.t)
    torque = ABOUT_HINGE * second - MASS * G * LENGTH * np.cos(angle)
    assert r["motor.torque"].to_numpy() == pytest.approx(torque, abs=1e-8)
    assert r["motor.power"].to_numpy() == pytest.approx(torque * rate, abs=1e-8)
    # the hinge carries the rest: across the arm and along it
    x = MASS * LENGTH * (-np.sin(angle) * second - np.cos(angle) * rate**2)
    z = MASS * LENGTH * (-np.cos(angle) * second + np.sin(angle) * rate**2) + MASS * G
    force = r["hinge.reaction.force"].to_numpy()
    assert force[:, [0, 2]] == pytest.approx(np.stack([x, z], axis=1), abs=1e-8)


def test_outputs_far_apart():
    """Between two outputs the pendulum turns by 31,400 rad: more than 22,000 were taken for a dead position."""
    m = pendulum(LENGTH, MASS, INERTIA)
    m.add("motor", ww.JointDriver(joint="hinge", value="314*t + 0.4*sin(3*t)"))
    for r in (m.inverse(end=200, output=2), m.kinematics(end=200, output=2)):
        angle = 314 * r.t + 0.4 * np.sin(3 * r.t)
        assert r.outcome.good
        assert list(r.t) == [0, 100, 200]
        assert r["hinge.angle"].to_numpy() == pytest.approx(angle, rel=1e-12)
        torque = -3.6 * ABOUT_HINGE * np.sin(3 * r.t) - MASS * G * LENGTH * np.cos(angle)
        assert r["motor.torque"].to_numpy() == pytest.approx(torque, abs=1e-6)


def test_forward_run_under_the_torque_as_a_formula():
    m = pendulum(LENGTH, MASS, INERTIA, speed=1.4)
    inverse = "-3.6*sin(3*t)*2.3 - 2*9.80665*cos(0.4*sin(3*t) + 0.2*t)"
    m.add("torque", ww.Actuator(joint="hinge", value=inverse))
    r = m.simulate(end=2, output=100)
    # a pendulum above level is unstable, but not for long in 2 s
    assert r["hinge.angle"].to_numpy() == pytest.approx(0.4 * np.sin(3 * r.t) + 0.2 * r.t, abs=1e-6)


@pytest.mark.slow
def test_forward_run_under_the_torque_as_a_table():
    """Of a closed loop with redundant constraints: driver out, its torque in."""
    m = four_bar()
    m.add("motor", ww.JointDriver(joint="A", value="0.5*t^2"))
    given = m.inverse(end=2, output=400)
    del m.drivers["motor"]
    table = ww.Table(time=given.t, value=given["motor.torque"].to_numpy())
    m.add("torque", ww.Actuator(joint="A", value=table))
    r = m.simulate(end=2, output=40, rtol=1e-10, atol=1e-12)
    # This motion is unstable: errors of 1e-10 per step grow 1000 times in the 2 s.
    assert r["A.angle"].to_numpy() == pytest.approx(0.5 * r.t**2, abs=1e-6)


@pytest.mark.slow
def test_power_of_the_drive_is_the_rate_of_energy():
    m = four_bar()
    m.add("motor", ww.JointDriver(joint="A", value="2*t"))
    r = m.inverse(end=2, output=2000)
    energy = r["energy.total"].to_numpy()
    rate = (energy[2:] - energy[:-2]) / (r.t[2:] - r.t[:-2])
    # central differences of 1 ms: step^2/6 times the third derivative of the energy, some 1e3 W/s^2 at most
    assert rate == pytest.approx(r["motor.power"].to_numpy()[1:-1], abs=1e-3)


@pytest.mark.slow
def test_inverse_and_simulate_agree_on_a_driven_mechanism():
    """A driver is a constraint in either; integration finds the same torques as solving for positions."""
    m = four_bar()
    m.add("motor", ww.JointDriver(joint="A", value="0.3*sin(2*t)"))
    solved, integrated = m.inverse(end=3, output=60), m.simulate(end=3, output=60)
    for name in ("motor.torque", "rocker.position", "C.reaction.force"):
        assert integrated[name].to_numpy() == pytest.approx(solved[name].to_numpy(), abs=1e-6)


def test_driver_of_a_body_coordinate():
    """Lifting a free block by its height: the force is its weight and its acceleration."""
    m = ww.Mechanism("lift")
    m.add("block", ww.Body(mass=3, inertia=(1, 1, 1)))
    m.add("guide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("crane", ww.BodyDriver(body="block", coordinate="z", value="0.1*t^3"))
    r = m.inverse(end=2, output=20)
    assert r["crane.force"].to_numpy() == pytest.approx(3 * (G + 0.6 * r.t), abs=1e-9)
