"""Tooth forces of `planar-planetary`. Its motion is asserted in test_cases.py."""

import numpy as np
import pytest

from wheelwork.validation.cases.planar_planetary import planetary


@pytest.fixture(scope="module")
def run():
    r = planetary().run()
    assert r.outcome.good, r.report
    return r


@pytest.mark.slow
def test_tooth_forces(run):
    """Each light wheel: torque of its tooth force, outer torque and inertia balance."""
    light = 1e-3
    ring = run["planet-ring.b.force.tangential"].to_numpy() * 3
    assert ring + 1 == pytest.approx(light * run["ring.acceleration"].to_numpy(), abs=1e-9)
    sun = run["sun-planet.a.force.tangential"].to_numpy() * 1
    assert sun + run["motor.torque"].to_numpy() == pytest.approx(np.zeros(len(run.t)), abs=1e-9)
    # at the planet both wheels pull: with radius 1 m on either side
    planet = sum(run[f"{name}.force.tangential"].to_numpy() for name in ("sun-planet.b", "planet-ring.a"))
    assert planet == pytest.approx(light * run["planet.angular_acceleration"].to_numpy(), abs=1e-9)
