"""Results that the tests of reports share; each is run and reported once."""

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.report import report_page


def make_pendulum() -> ww.Mechanism:
    """A bob on an arm along y, hinged about x, let go from level."""
    m = ww.Mechanism("pendulum", parameters={"length": "0.5 m"})
    m.add("bob", ww.Body(mass=2, inertia=(0.01,) * 3, position=(0, "length", 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(1, 0, 0)))
    return m


@pytest.fixture(scope="session")
def swing():
    return make_pendulum().simulate(end=2, output=200, rtol=1e-10, atol=1e-12)


@pytest.fixture(scope="session")
def page(swing):
    return report_page(swing)


@pytest.fixture(scope="session")
def gearbox():
    return ww.load(examples.path("planetary-gearbox")).simulate(end=1, output=50)


@pytest.fixture(scope="session")
def gearbox_page(gearbox):
    return report_page(gearbox)
