"""A bushing as bearing and as mount: what turns in it, however far, is held by tilt and spin told apart."""

import numpy as np
import pytest

import wheelwork as ww

RUNS = {
    "absolute": {"formulation": "absolute"},
    "reduced": {"formulation": "reduced"},
    "sdirk4": {"method": "sdirk4"},
}


def shaft(speed: float, load: tuple = ("100*min(1, 5*t)", 0, 0), **bearing: tuple) -> ww.Mechanism:
    """A shaft in a bearing of 1e5 N m/rad against tilt, with 100 N m across it in a fixed direction."""
    m = ww.Mechanism("shaft", gravity=(0, 0, 0))
    m.add("shaft", ww.Body(mass=5, inertia=(2, 2, 1), angular_velocity=(0, 0, speed)))
    given = {"rotational_stiffness": (1e5, 1e5, 0), "rotational_damping": (1e3, 1e3, 0)} | bearing
    m.add("bearing", ww.Bushing(bodies=("ground", "shaft"), point=(0, 0, 0), stiffness=(10,) * 3, **given))
    m.add("load", ww.Torque(body="shaft", value=load))
    return m


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("speed", [0.0, 5.0, -60.0])
def test_a_shaft_tilts_by_torque_over_stiffness_at_any_speed(run, speed):
    """100 N m / 1e5 N m/rad = 1.000 mrad, at rest and over 19 turns: angular momentum stays along the tilted axis, so
    that a steady tilt needs no torque but the load."""
    r = shaft(speed).simulate(end=2, output=20, **RUNS[run])
    w, x, y, z = np.asarray(r["shaft.orientation"]).T
    tilt = 2 * np.stack([y * z - w * x, x * z + w * y])  # of the shaft's axis: its y and x components
    settled = np.asarray(r["bearing.tilt.x"].time) > 1
    np.testing.assert_allclose(-tilt[0, settled], np.sin(1e-3), rtol=2e-5)
    np.testing.assert_allclose(tilt[1, settled], 0, atol=2e-8)
    np.testing.assert_allclose(r["bearing.tilt.x"][settled], 1e-3, rtol=2e-5)
    assert float(r["shaft.w"][-1, 2]) == pytest.approx(speed, abs=1e-4 + 1e-6 * abs(speed))


@pytest.mark.parametrize("run", RUNS)
def test_energy_lasts_through_large_tilts_and_many_turns(run):
    """No damper, no load: a body tilts by more than a radian while it winds up the spring about z over turns."""
    m = ww.Mechanism("mount", gravity=(0, 0, 0))
    m.add("body", ww.Body(mass=1, inertia=(0.3, 0.5, 0.7), angular_velocity=(9, 1, 12)))
    m.add(
        "mount",
        ww.Bushing(
            bodies=("ground", "body"),
            point=(0, 0, 0.1),
            stiffness=(40, 50, 60),
            rotational_stiffness=(5, 6, 1),
        ),
    )
    r = m.simulate(end=3, output=100, rtol=1e-9, atol=1e-11, **RUNS[run])
    energy = np.asarray(r["energy.total"])
    assert np.abs(energy - energy[0]).max() < 1e-6 * energy[0]
    assert float(np.hypot(r["mount.tilt.x"], r["mount.tilt.y"]).max()) > 1
    assert float(np.abs(r["mount.angle"]).max()) > 2 * np.pi


@pytest.mark.parametrize("run", RUNS)
def test_stiffness_about_the_spin_axis_is_a_spring_wound_over_turns(run):
    """10 N m on 0.5 N m/rad: 20 rad, more than three turns, in space and in the plane."""
    winds = {"rotational_stiffness": (10, 10, 0.5), "rotational_damping": (1, 1, 1.5)}
    space = shaft(0.0, load=(0, 0, 10), **winds)
    plane = ww.Mechanism("plane", kind="planar")
    plane.add("shaft", ww.Body(mass=5, inertia=1))
    spring = {"rotational_stiffness": 0.5, "rotational_damping": 1.5}
    plane.add("bearing", ww.Bushing(bodies=("ground", "shaft"), point=(0, 0), stiffness=(10, 10), **spring))
    plane.add("load", ww.Torque(body="shaft", value=10))
    for m in (space, plane):
        r = m.simulate(end=30, output=3, **RUNS[run])
        np.testing.assert_allclose([r["bearing.angle"][-1], r["bearing.torque.z"][-1]], [20, -10], rtol=1e-5)


@pytest.mark.parametrize("turned", [0.0, 7.0, -20.0])
def test_no_load_at_the_given_position_whatever_the_angle_of_a_rotor(turned):
    """Angles of rotors count turns; springs placed in the world start without load all the same."""
    m = ww.Mechanism("rotor", gravity=(0, 0, 0))
    m.add("wheel", ww.Rotor(inertia=1, axis=(0, 0, 1), angle=turned))
    m.add("bush", ww.Bushing(bodies=("ground", "wheel"), point=(0, 0, 0), rotational_stiffness=(0, 0, 3)))
    m.add("spring", ww.TorsionalSpring(bodies=("ground", "wheel"), axis=(0, 0, 1), stiffness=2))
    r = m.simulate(end=0.1, output=2)
    np.testing.assert_allclose([r["bush.angle"], r["spring.angle"]], 0, atol=1e-9)
