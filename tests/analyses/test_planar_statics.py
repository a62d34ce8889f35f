"""Inverse dynamics, equilibrium and small motions in the plane, against statics, Lagrange and the forward run."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import wheelwork as ww

from .planar_models import G, four_bar, hinge, link, pendulum, slider_crank, slider_motion

MASS, LENGTH, ABOUT_HINGE = 2.0, 1.0, 2.3


# -- inverse dynamics


def test_torque_of_a_driven_pendulum():
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value="0.4*sin(3*t) + 0.2*t"))
    r = m.inverse(end=2, output=100)
    angle, rate = 0.4 * np.sin(3 * r.t) + 0.2 * r.t, 1.2 * np.cos(3 * r.t) + 0.2
    second = -3.6 * np.sin(3 * r.t)
    torque = ABOUT_HINGE * second + MASS * G * LENGTH * np.cos(angle)
    assert r["motor.torque"].to_numpy() == pytest.approx(torque, abs=1e-8)
    assert r["motor.power"].to_numpy() == pytest.approx(torque * rate, abs=1e-8)
    x = MASS * LENGTH * (-np.sin(angle) * second - np.cos(angle) * rate**2)
    y = MASS * LENGTH * (np.cos(angle) * second - np.sin(angle) * rate**2) + MASS * G
    assert r["hinge.reaction.force"].to_numpy() == pytest.approx(np.column_stack([x, y]), abs=1e-8)


def test_drive_of_a_slider_crank_by_virtual_work():
    """d'Alembert: power of the motor and of the applied forces is that of the inertia forces, body by body."""
    m = slider_crank()
    m.add("gas", ww.Force(body="slider", value=("-50 - 20*sin(5*t)", 0)))
    m.add("motor", ww.JointDriver(joint="bearing", value="4*t + 0.3*t^2"))
    r = m.inverse(end=3, output=100)
    _, v, _ = slider_motion(np.pi / 2 + 4 * r.t + 0.3 * r.t**2, 4 + 0.6 * r.t, 0.6, 0.1, 0.3)
    power = (50 + 20 * np.sin(5 * r.t)) * v
    for name, mass, inertia in (
        ("crank", 0.4, 0.4 * 0.1**2 / 12),
        ("rod", 0.6, 0.6 * 0.3**2 / 12),
        ("slider", 1.5, 0),
    ):
        velocity, acceleration = (r[f"{name}.{k}"].to_numpy() for k in ("velocity", "acceleration"))
        power = power + mass * np.sum(velocity * (acceleration + np.array([0, G])), axis=1)
        power = power + inertia * r[f"{name}.w"].to_numpy() * r[f"{name}.angular_acceleration"].to_numpy()
    assert r["motor.torque"].to_numpy() == pytest.approx(power / (4 + 0.6 * r.t), abs=1e-8)
    # the guide carries what the rod pushes sideways, and the weight
    rod = r["wrist.reaction.force"].to_numpy()
    assert r["slide.reaction.force.y"].to_numpy() == pytest.approx(1.5 * G - rod[:, 1], abs=1e-8)


def test_forward_run_under_the_torque_found():
    """Driver out, its torque in as a table: the motion comes back."""
    m = four_bar()
    m.add("motor", ww.JointDriver(joint="A", value="-0.5*t^2"))
    given = m.inverse(end=1.5, output=400)
    del m.drivers["motor"]
    table = ww.Table(time=given.t, value=given["motor.torque"].to_numpy())
    m.add("torque", ww.Actuator(joint="A", value=table))
    r = m.simulate(end=1.5, output=40, rtol=1e-10, atol=1e-12)
    assert r["A.angle"].to_numpy() == pytest.approx(-0.5 * r.t**2, abs=1e-6)


@pytest.mark.slow
def test_power_of_drivers_of_every_kind_goes_into_the_energy():
    """Work of the driver is the gain of energy; trapezoids of 1 ms."""
    for driver in (
        ww.JointDriver(joint="slide", value="0.05*sin(3*t)"),
        ww.BodyDriver(body="crank", coordinate="angle", value="pi/2 + t + sin(2*t)/4"),
        ww.DistanceDriver(
            bodies=("ground", "rod"),
            point_a=(-0.2, 0.3),
            point_b=(0.12, 0.05),
            value="0.40607881 + 0.02*sin(3*t)",
        ),
        ww.RotationDriver(bodies=("crank", "rod"), value="-1.91063323624902 - 0.3*sin(t)"),
    ):
        m = slider_crank()
        m.add("drive", driver)
        r = m.inverse(end=1.5, output=1500)
        power, energy = r["drive.power"].to_numpy(), r["energy.total"].to_numpy()
        work = np.append(0, np.cumsum(np.diff(r.t) * (power[1:] + power[:-1]) / 2))
        assert np.ptp(energy) > 0.02
        assert energy - energy[0] == pytest.approx(work, abs=1e-5)


@pytest.mark.slow
def test_mesh_and_cam_forces_of_a_driven_machine():
    """A crank wheel turns a cam wheel at half its speed, which lifts a weight: torque by virtual work."""
    m = ww.Mechanism("cam drive", kind="planar")
    m.add("pinion", ww.Body(mass=1, inertia=0.02, position=(0.3, 0)))
    m.add("cam", ww.Body(mass=1, inertia=0.05))
    m.add("weight", ww.Body(mass=3, inertia=0.1, position=(0, 0.5)))
    m.add("A", hinge("ground", "pinion", (0.3, 0)))
    m.add("B", hinge("ground", "cam", (0, 0)))
    m.add("guide", ww.Translational(bodies=("ground", "weight"), point=(0, 0), axis=(0, 1)))
    m.add("teeth", ww.ExternalMesh(bodies=("pinion", "cam"), radii=(0.1, 0.2)))
    circle = {"type": "formula", "x": "0.15 + 0.5*cos(s)", "y": "0.5*sin(s)"}
    face = {"point_a": (0, 0), "point_b": (0, 0.5), "direction": (1, 0)}
    m.add("contact", ww.CamFlat(bodies=("cam", "weight"), outline=circle, **face))
    m.add("motor", ww.JointDriver(joint="A", value="-3*t"))
    r = m.inverse(end=4, output=100)
    phi, w = 1.5 * r.t, 1.5
    assert r["weight.position.y"].to_numpy() == pytest.approx(0.5 + 0.15 * np.sin(phi), abs=1e-10)
    lift = 3 * (G - 0.15 * w**2 * np.sin(phi))
    assert r["contact.force.normal"].to_numpy() == pytest.approx(lift, abs=1e-8)
    torque_on_cam = lift * 0.15 * np.cos(phi)
    assert np.abs(r["teeth.force.tangential"].to_numpy()) == pytest.approx(
        np.abs(torque_on_cam) / 0.2, abs=1e-8
    )
    assert r["motor.torque"].to_numpy() == pytest.approx(-torque_on_cam / 2, abs=1e-8)


def test_dry_friction_is_refused_in_inverse_dynamics():
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value="t"))
    m.add("rubbing", ww.Friction(joint="hinge", coulomb=1.0))
    with pytest.raises(ww.ModelError, match="dry friction is not part of inverse dynamics"):
        m.inverse(end=1)


# -- equilibrium


def test_pendulum_hangs_down():
    at = pendulum(angle=0.3).equilibrium()
    assert at["arm.position"].values == pytest.approx([0, -1], abs=1e-9)
    assert at["arm.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert at["hinge.reaction.force"].values == pytest.approx([0, MASS * G], abs=1e-7)


def test_pendulum_started_nearly_upright_hangs_down():
    at = pendulum(angle=np.pi / 2 - 0.01).equilibrium()
    assert at["arm.position"].values == pytest.approx([0, -1], abs=1e-9)


def test_arm_on_a_torsional_spring():
    """k a = m g l cos(a), downwards."""
    m = pendulum()
    m.add("spring", ww.TorsionalSpring(joint="hinge", stiffness=30))
    exact = brentq(lambda a: 30 * a - MASS * G * np.cos(a), 0, np.pi / 2, xtol=1e-14)
    assert m.equilibrium()["hinge.angle"] == pytest.approx(-exact, abs=1e-10)


def test_hanging_four_bar_is_as_low_as_it_can_be():
    at = four_bar().equilibrium()
    weight = {"crank": 0.5, "coupler": 1.2, "rocker": 0.9}
    found = sum(mass * G * at[f"{name}.position.y"] for name, mass in weight.items())
    coupler, rocker = np.hypot(0.4, 0.25), np.hypot(0.1, 0.45)

    def energy(angle):
        x, y = 0.2 * np.cos(angle), 0.2 * np.sin(angle)
        d = np.hypot(0.5 - x, y)
        lean = np.arctan2(-y, 0.5 - x) + np.arccos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))
        pin = y + coupler * np.sin(lean)
        return G * (0.5 * y / 2 + 1.2 * (y + pin) / 2 + 0.9 * pin / 2)

    # the loop stays on the branch it starts on, the upper one
    best = min(
        minimize_scalar(energy, bounds=(low, low + 1), method="bounded", options={"xatol": 1e-10}).fun
        for low in np.linspace(-np.pi, np.pi, 13)
    )
    assert found == pytest.approx(best, abs=1e-8)
    assert at["energy.kinetic"] == 0


def test_a_weight_on_a_rope_drum_and_a_spring_on_its_gear():
    """Torques over gears in balance: weight at the small wheel, spring at the large one."""
    m = ww.Mechanism("hoist", kind="planar")
    m.add("small", ww.Body(mass=1, inertia=0.02))
    m.add("large", ww.Body(mass=2, inertia=0.1, position=(0.3, 0)))
    m.add("A", hinge("ground", "small", (0, 0)))
    m.add("B", hinge("ground", "large", (0.3, 0)))
    m.add("teeth", ww.ExternalMesh(bodies=("small", "large"), radii=(0.1, 0.2)))
    m.add("pull", ww.Actuator(joint="A", value=4.0))
    m.add("spring", ww.TorsionalSpring(joint="B", stiffness=20.0))
    at = m.equilibrium()
    # 4 N m turn the small wheel forward, the large one backward with 8 N m
    assert at["B.angle"] == pytest.approx(-8 / 20, abs=1e-10)
    assert at["A.angle"] == pytest.approx(16 / 20, abs=1e-10)
    assert abs(at["teeth.force.tangential"]) == pytest.approx(40, abs=1e-8)
    assert at["teeth.force.radial"] == pytest.approx(40 * np.tan(np.radians(20)), abs=1e-8)


def test_bar_in_a_corner_held_by_a_rope():
    """A ladder with feet in two slots; the rope at its lower end carries half the weight over the tangent."""
    m = ww.Mechanism("ladder", kind="planar")
    top, foot = (0.0, 1.2), (0.5, 0.0)
    m.add("ladder", link(foot, top, mass=6))
    wall = ww.PointOnLine(bodies=("ground", "ladder"), point=top, axis=(0, 1))
    floor = ww.PointOnLine(bodies=("ground", "ladder"), point=foot, axis=(1, 0))
    m.add("at-wall", wall)
    m.add("on-ground", floor)
    m.add(
        "rope",
        ww.Spring(bodies=("ground", "ladder"), point_a=(0, 0), point_b=foot, stiffness=1e3, free_length=0.5),
    )
    at = m.equilibrium()
    x = float(at["rope.length"])
    y = np.sqrt(1.3**2 - x**2)
    assert 1e3 * (x - 0.5) == pytest.approx(6 * G / 2 * x / y, abs=1e-8)


# -- small motions


def test_frequency_of_a_pendulum():
    found = pendulum(angle=-np.pi / 2).linearise()
    exact = np.sqrt(MASS * G * LENGTH / ABOUT_HINGE) / (2 * np.pi)
    assert found.frequencies == pytest.approx([exact], rel=1e-10)


def test_frequencies_of_two_wheels_in_mesh_on_a_spring():
    """One freedom: J_a + (r_a/r_b)^2 J_b against the spring on b times (r_a/r_b)^2."""
    m = ww.Mechanism("wheels", kind="planar")
    m.add("a", ww.Body(mass=1, inertia=0.02))
    m.add("b", ww.Body(mass=1, inertia=0.1, position=(0.3, 0)))
    m.add("A", hinge("ground", "a", (0, 0)))
    m.add("B", hinge("ground", "b", (0.3, 0)))
    m.add("teeth", ww.ExternalMesh(bodies=("a", "b"), radii=(0.1, 0.2)))
    m.add("spring", ww.TorsionalSpring(joint="B", stiffness=50.0))
    exact = np.sqrt(50 / 4 / (0.02 + 0.1 / 4)) / (2 * np.pi)
    assert m.linearise().frequencies == pytest.approx([exact], rel=1e-9)
