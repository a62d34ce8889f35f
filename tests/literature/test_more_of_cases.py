"""What published cases say besides the values that test_cases.py asserts."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.validation.cases.adams import tilted
from wheelwork.validation.cases.iftomm import A02, exact_windows
from wheelwork.validation.cases.modelica_first import drive_train
from wheelwork.validation.cases.planar_planetary import planetary


def test_reactions_on_both_bodies():
    """The pendulum of `adams-revolute`."""
    r = tilted(ww.Revolute).simulate(end=0.5, output=10)
    ground, on_body = r.reaction("hinge", body="a").force.to_numpy(), r["hinge.reaction.force"].to_numpy()
    assert np.abs(on_body).max() > 1
    assert on_body == pytest.approx(-ground, abs=1e-12)


def test_a02_reference_is_that_of_the_equation():
    """With which other numbers of windows are compared."""
    assert exact_windows(2, 10.0) == pytest.approx(A02, abs=2e-10)


def test_equations_of_a_vibration_engineer():
    """Of `modelica-first`: 12 phi2'' = 10 tau - 10 phi2' - k (phi2 - phi3), 2 phi3'' = k (phi2 - phi3)."""
    r = drive_train().reduced()
    assert r.names == ("two.bearing.angle", "three.bearing.angle")
    u, v, t = np.array([0.02, -0.01]), np.array([0.3, 0.7]), 0.03
    terms = r.terms(u, v, t)
    assert terms.mass == pytest.approx(np.diag([2 + 0.1 * 100, 2.0]), rel=1e-12)
    assert terms.coriolis == pytest.approx(0, abs=1e-12)
    twist = 1e4 * (u[0] - u[1])
    pull = 10 * 10 * np.sin(2 * np.pi * 5 * t)
    assert terms.applied == pytest.approx([pull - 10 * v[0] - twist, twist], rel=1e-12)


@pytest.mark.slow
def test_tooth_forces_of_the_planar_planetary():
    """Each light wheel: torque of its tooth force, outer torque and inertia balance."""
    run = planetary().run()
    assert run.outcome.good, run.report
    light = 1e-3
    ring = run["planet-ring.b.force.tangential"].to_numpy() * 3
    assert ring + 1 == pytest.approx(light * run["ring.acceleration"].to_numpy(), abs=1e-9)
    sun = run["sun-planet.a.force.tangential"].to_numpy() * 1
    assert sun + run["motor.torque"].to_numpy() == pytest.approx(np.zeros(len(run.t)), abs=1e-9)
    # at the planet both wheels pull: with radius 1 m on either side
    planet = sum(run[f"{name}.force.tangential"].to_numpy() for name in ("sun-planet.b", "planet-ring.a"))
    assert planet == pytest.approx(light * run["planet.angular_acceleration"].to_numpy(), abs=1e-9)
