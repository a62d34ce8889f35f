"""The energy balance: works of all elements are the change of energy, to the accuracy of run and quadrature."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples


@pytest.mark.parametrize(
    ("name", "share", "elements"),
    [
        ("planetary-gearbox", 1e-9, {"drive", "load"}),  # rigid teeth, a motor, a drag
        ("helical-reducer", 1e-9, {"motor", "machine"}),
        ("drive-line", 1e-6, {"windings", "air", "shaft"}),  # springs and dampers
        ("stick-slip", 1e-3, {"motor", "rubbing"}),  # dry friction, with events between outputs
        ("slider-crank", 1e-6, {"motor"}),  # a driver
        (
            "backlash-pair",
            1e-5,
            {"mesh", "drive", "brake"},
        ),  # compliant teeth whose stiffness and error do work
    ],
)
def test_works_are_the_change_of_energy(name, share, elements):
    balance = ww.load(examples.path(name)).run().energy_balance()
    assert elements <= set(balance.work)
    assert np.max(np.abs(balance.remainder)) < share * balance.scale
    np.testing.assert_allclose(
        balance.brought_in + balance.taken_out + balance.remainder, balance.change, atol=1e-12 * balance.scale
    )


def test_friction_takes_and_springs_give_back():
    """A block on a spring with Coulomb friction c: it loses c times its way (a text-book exercise)."""
    m = ww.Mechanism("block", gravity=(0, 0, 0))
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), position=(0.1, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add(
        "spring",
        ww.Spring(
            bodies=("ground", "block"), point_a=(-1, 0, 0), point_b=(0.1, 0, 0), stiffness=100, free_length=1
        ),
    )
    m.add("rub", ww.Friction(joint="guide", coulomb=2))
    r = m.simulate(end=2, output=400)
    balance = r.energy_balance()
    way = np.concatenate([[0], np.cumsum(np.abs(np.diff(r["guide.displacement"])))])
    np.testing.assert_allclose(balance.work["rub"], -2 * way, atol=2e-3)
    assert np.max(np.abs(balance.remainder)) < 1e-3 * balance.scale
    assert "spring" not in balance.work or np.max(np.abs(balance.work["spring"])) < 1e-3 * balance.scale


def test_impacts_are_what_remains():
    r = ww.load(examples.path("bouncing-ball")).run()
    balance = r.energy_balance()
    assert balance.work == {}
    np.testing.assert_allclose(balance.remainder, balance.change)
    assert balance.remainder[-1] < -1
