"""The energy balance: works of all elements are the change of energy, to the accuracy of run and quadrature."""

import numpy as np
import pytest

import wheelwork as ww
from robustness import random_mechanism
from wheelwork import examples
from wheelwork.results import energy


@pytest.mark.slow
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


def test_impacts_take_what_the_restitution_says():
    """Each impact leaves e^2 of the energy with which the ball arrives."""
    r = ww.load(examples.path("bouncing-ball")).run()
    balance = r.energy_balance()
    (name,) = balance.work
    assert balance.work[name][-1] < -1
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    first = r.events[0]
    assert (name, first.element) == ("ground-contact", "ground-contact")
    assert first.lost == pytest.approx((1 - 0.8**2) * 0.5 * 9.80665 * 1.0, rel=1e-3)


@pytest.mark.slow
def test_jumps_and_many_outputs_do_no_harm():
    """A torque that jumps between outputs: more outputs are never worse (it was 1e-3 of the energy from 4000 on)."""
    m = ww.Mechanism("jumps", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=0.1, axis=(0, 0, 1)))
    m.add("b", ww.Rotor(inertia=0.3, axis=(0, 0, 1), position=(0, 0, 1)))
    m.add("shaft", ww.TorsionalSpring(bodies=("a", "b"), stiffness=500, damping=0.5))
    m.add("motor", ww.Actuator(joint="a.bearing", value="10*step(sin(40*t))"))
    open_shares = []
    for output in (500, 2000, 4100):
        r = m.simulate(end=1, output=output, rtol=1e-10, atol=1e-12)
        balance = r.energy_balance()
        open_shares.append(np.max(np.abs(balance.remainder)) / balance.scale)
        if output == 4100:  # by hand: torque times the angle turned while it is on
            angle, on = r["a.bearing.angle"].to_numpy(), np.sin(40 * r.t) > 0
            steps = np.diff(angle) * 0.5 * (1.0 * on[1:] + on[:-1])
            np.testing.assert_allclose(balance.work["motor"][-1], 10 * steps.sum(), rtol=3e-3)
    assert open_shares[0] < 3e-6
    assert open_shares[1] < 5e-7
    assert open_shares[2] < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "outputs"), [(24, 600), (36, 2400)])
def test_teeth_that_strike_between_outputs_lose_nothing(seed, outputs):
    """Flanks without damping, torques from both sides: what the mesh does is what it stores (5.6 % was left open)."""
    _, m, _ = random_mechanism(seed, "elastic")
    balance = m.simulate(end=0.004, output=outputs).energy_balance()
    for mesh in m.meshes:
        assert np.max(np.abs(balance.work.get(mesh, 0.0))) < 1e-5 * balance.scale
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale  # rtol 1e-8 over some thousand steps
    assert balance.work["load"][-1] > 0.2 * balance.scale


@pytest.mark.slow
def test_a_train_at_rest_is_not_searched_for_work(monkeypatch):
    """Its bodies move by round-off (1e-50 J), in which every interval was halved twelve times over, for a minute"""
    _, m, _ = random_mechanism(73)
    looked, whole = [], energy._integrals

    def integrals(result, low, high, powers):
        looked.append(len(low))
        return whole(result, low, high, powers)

    monkeypatch.setattr(energy, "_integrals", integrals)
    balance = m.simulate(end=0.05, output=20).energy_balance()
    assert np.max(balance.kinetic) < 1e-30
    assert sum(looked) <= 2 * 20
