"""Models that the tests of results share; each is run once."""

import pytest

import wheelwork as ww

G = 9.80665
LENGTH, MASS, INERTIA = 0.5, 2.0, 0.01


def make_pendulum() -> ww.Mechanism:
    """A bob on an arm along y, hinged about x, let go from level."""
    m = ww.Mechanism("pendulum", parameters={"length": "0.5 m"})
    m.add("bob", ww.Body(mass=MASS, inertia=(INERTIA,) * 3, position=(0, "length", 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(1, 0, 0)))
    return m


@pytest.fixture(scope="session")
def pendulum() -> ww.Mechanism:
    return make_pendulum()


@pytest.fixture(scope="session")
def swing(pendulum):
    return pendulum.simulate(end=2, output=200, rtol=1e-10, atol=1e-12)
