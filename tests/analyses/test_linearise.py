"""Small motions: analytic frequencies, and the right-hand side of the simulation by finite differences."""

import numpy as np
import pytest

import wheelwork as ww

from .models import G, four_bar, pendulum


def test_pendulum_frequency():
    found = pendulum(angle=np.pi / 2).linearise()
    assert found.frequencies == pytest.approx([np.sqrt(2 * G / 2.3) / (2 * np.pi)], rel=1e-12)
    assert found.stable


def test_inverted_pendulum_grows():
    found = pendulum(angle=-np.pi / 2).linearise()
    rate = np.sqrt(2 * G / 2.3)
    assert np.sort(found.eigenvalues.real) == pytest.approx([-rate, rate], rel=1e-12)
    assert not found.stable
    assert len(found.frequencies) == 0


def test_point_pendulum_in_space_has_two_equal_frequencies():
    m = ww.Mechanism("plumb line")
    m.add("bob", ww.Body(mass=1, inertia=(0.1, 0.1, 0.1), position=(0, 0, -2)))
    m.add("hook", ww.Spherical(bodies=("ground", "bob"), point=(0, 0, 0)))
    found = m.linearise()
    swing = np.sqrt(G * 2 / 4.1) / (2 * np.pi)
    assert found.frequencies[-2:] == pytest.approx([swing, swing], rel=1e-9)
    # it may spin about the vertical freely
    assert abs(found.eigenvalues[:2]) == pytest.approx(0, abs=1e-6)


def test_double_pendulum_frequencies():
    """Two equal point-like pendulums hanging: w^2 = (2 -+ sqrt(2)) g/l."""
    m = ww.Mechanism("double")
    small = 1e-9
    for k, parent in ((1, "ground"), (2, "bob1")):
        body = ww.Body(mass=1, inertia=(small, small, small), position=(0, 0, -k))
        m.add(f"bob{k}", body)
        m.add(f"pin{k}", ww.Revolute(bodies=(parent, f"bob{k}"), point=(0, 0, 1 - k), axis=(0, 1, 0)))
    exact = np.sqrt(G * np.array([2 - np.sqrt(2), 2 + np.sqrt(2)])) / (2 * np.pi)
    assert m.linearise().frequencies == pytest.approx(exact, rel=1e-7)  # inertia of 1e-9 is neglected


def test_damped_oscillator():
    """m x'' + c x' + k x = 0."""
    m = ww.Mechanism("oscillator", gravity=(0, 0, 0))
    m.add("block", ww.Body(mass=2, inertia=(1, 1, 1)))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    spring = {"point_a": (-1, 0, 0), "point_b": (0, 0, 0), "stiffness": 50, "damping": 3}
    m.add("spring", ww.Spring(bodies=("ground", "block"), **spring))
    exact = np.roots([2, 3, 50])
    found = m.linearise()
    assert np.sort_complex(found.eigenvalues) == pytest.approx(np.sort_complex(exact), rel=1e-12)
    assert found.frequencies == pytest.approx([np.sqrt(25) / (2 * np.pi)], rel=1e-12)
    assert found.stable


def test_tension_makes_a_string_stiff():
    """A bead between two springs under tension T: across, k = 2 T/l, which comes from the load alone."""
    m = ww.Mechanism("string", gravity=(0, 0, 0))
    m.add("bead", ww.Body(mass=0.1, inertia=(1, 1, 1)))
    m.add("plane", ww.Planar(bodies=("ground", "bead"), point=(0, 0, 0), axis=(0, 0, 1)))
    for name, x in (("left", -0.5), ("right", 0.5)):
        spring = {"point_a": (x, 0, 0), "point_b": (0, 0, 0), "stiffness": 20, "free_length": 0.3}
        m.add(name, ww.Spring(bodies=("ground", "bead"), **spring))
    tension = 20 * 0.2
    exact = np.sqrt(np.array([2 * tension / 0.5, 2 * 20]) / 0.1) / (2 * np.pi)
    assert m.linearise().frequencies[-2:] == pytest.approx(exact, rel=1e-12)


def test_compressed_column_of_two_bars_buckles():
    """Two bars in line under a load F with a spring k in the middle hinge: stiffness of loaded joints."""
    length, spring = 1.0, 30.0

    def column(load):
        m = ww.Mechanism("column", gravity=(0, 0, 0))
        for k, parent in ((1, "ground"), (2, "bar1")):
            m.add(f"bar{k}", ww.Body(mass=1, inertia=(0.1, 0.1, 0.01), position=(0, 0, (k - 0.5) * length)))
            joint = ww.Revolute(bodies=(parent, f"bar{k}"), point=(0, 0, (k - 1) * length), axis=(0, 1, 0))
            m.add(f"pin{k}", joint)
        m.add("top", ww.PointOnLine(bodies=("ground", "bar2"), point=(0, 0, 2 * length), axis=(0, 0, 1)))
        m.add("spring", ww.TorsionalSpring(joint="pin2", stiffness=spring))
        m.add("load", ww.Force(body="bar2", point_in_body=(0, 0, length / 2), value=(0, 0, -load)))
        return m.linearise()

    # V = k (2 a)^2 / 2 - F l a^2 with a the lean of either bar: critical at F = 2 k / l
    critical = 2 * spring / length
    assert column(0.99 * critical).stable
    assert not column(1.01 * critical).stable
    moving = 2 * (0.1 + 1 * 0.25)  # inertia of both bars for a: their middles move across
    frequency = np.sqrt((4 * spring - 2 * 20 * length) / moving) / (2 * np.pi)
    assert column(20).frequencies == pytest.approx([frequency], rel=1e-9)


def loaded_four_bar():
    """At rest in equilibrium, with springs and dampers: everything but rotation enters."""
    m = four_bar()
    m.add("twist", ww.TorsionalSpring(joint="B", stiffness=3, damping=0.2, free_angle=0.4))
    spring = {"point_a": (0.2, 0, 0.8), "point_b": (0.3, 0, 0.39), "stiffness": 60, "damping": 1.5}
    m.add("spring", ww.Spring(bodies=("ground", "coupler"), **spring, free_length=0.3))
    m.add("drag", ww.Friction(joint="D", viscous=0.3))
    return m


def test_against_finite_differences_of_the_right_hand_side():
    m = loaded_four_bar()
    at = m.equilibrium()
    found = m.linearise(at=at)
    prepared = at.prepared
    program, engine = prepared.program, prepared.engine
    (direction,) = found.basis.T

    def acceleration(move, rate):
        """Of the one coordinate, at a state moved along the free direction and put back onto the constraints."""
        y = program.displaced(at.state, move * direction)
        y[program.nq : program.nq + program.nv] = rate * direction
        y, done = engine.project(0.0, y, 1e-13, 50)
        assert done
        _, a, _ = engine.derivative(0.0, y)
        return a[4] / direction[4]  # the crank's angle, in the units of the basis

    assert program.bodies[0] == "crank"
    h = 1e-4
    stiffness = -(acceleration(h, 0) - acceleration(-h, 0)) / (2 * h)
    damping = -(acceleration(0, h) - acceleration(0, -h)) / (2 * h)
    # central differences: h^2 times third derivatives, and 1e-13/h of the projection
    assert found.K.item() == pytest.approx(stiffness, rel=1e-5)
    assert found.C.item() == pytest.approx(damping, rel=1e-6)


def test_frequency_shows_in_the_simulation():
    """Let go a little beside its rest, the undamped linkage swings at the frequency found."""
    m = loaded_four_bar()
    for name in ("twist", "spring"):
        m.forces[name].damping = 0.0
    del m.forces["drag"]
    at = m.equilibrium()
    frequency = m.linearise(at=at).frequencies[0]
    from wheelwork.engine.engine import RunOptions

    prepared = at.prepared
    program, engine = prepared.program, prepared.engine
    y = program.displaced(at.state, 1e-3 * m.linearise(at=at).basis[:, 0])
    y, _ = engine.project(0.0, y, 1e-13, 50)
    cycles = 10
    grid = np.linspace(0, cycles / frequency, 1001)
    run = engine.integrate(y, grid, RunOptions(end=grid[-1], rtol=1e-10, atol=1e-13))
    height = run.state[:, 7 + 2] - at.state[7 + 2]  # of the coupler's middle
    up = np.flatnonzero((height[:-1] < 0) & (height[1:] >= 0))
    crossings = grid[up] - height[up] * (grid[1] - grid[0]) / (height[up + 1] - height[up])
    measured = (len(crossings) - 1) / (crossings[-1] - crossings[0])
    assert measured == pytest.approx(
        frequency, rel=1e-4
    )  # amplitude of 1e-3, squared, and linear interpolation


def test_rotor_shaft_with_gyroscopic_moment():
    """A disc spinning at W on a gimbal of torsional springs: forward and backward whirl, A w^2 -+ C W w - k = 0."""
    A, C, W, k = 0.02, 0.03, 100.0, 50.0
    m = ww.Mechanism("gimbal", gravity=(0, 0, 0))
    tiny = 1e-9
    m.add("ring", ww.Body(mass=1e-6, inertia=(tiny, tiny, tiny)))
    m.add("frame", ww.Body(mass=1e-6, inertia=(tiny, tiny, tiny)))
    m.add("disc", ww.Body(mass=1, inertia=(A, A, C), angular_velocity=(0, 0, W)))
    m.add("outer", ww.Revolute(bodies=("ground", "ring"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("inner", ww.Revolute(bodies=("ring", "frame"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("axle", ww.Revolute(bodies=("frame", "disc"), point=(0, 0, 0), axis=(0, 0, 1)))
    for joint in ("outer", "inner"):
        m.add(f"spring-{joint}", ww.TorsionalSpring(joint=joint, stiffness=k))
    exact = np.abs(np.concatenate([np.roots([A, -C * W, -k]), np.roots([A, C * W, -k])]))
    found = m.linearise().eigenvalues
    whirls = np.sort(np.abs(found.imag))[-4:]
    assert whirls == pytest.approx(np.sort(exact), rel=1e-5)  # rings of 1e-9 kg m^2 are neglected
