"""Friction that causes more friction than it is itself: worms and guides that lock in an instant, or cannot be driven.

A self-locking worm (lead angle gamma below rho', tan(rho') = mu/cos(alpha_n)) that its wheel would drive has, while it
slides, no finite tooth force if its own inertia is small (Painleve's paradox). In the limit of stiff teeth the force
grows until worm and wheel are at rest.
"""

from math import atan, cos, pi, radians, sin, tan

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork.engine.engine import EventKind
from wheelwork.engine.outcome import Outcome

R_WORM, R_WHEEL, RATIO, J_WHEEL, MU = 0.028, 0.08, 40, 0.05, 0.1
GAMMA = atan(0.004 / (2 * R_WORM))
RHO = atan(MU / cos(radians(20)))
LOCKS_BELOW = J_WHEEL * R_WORM * tan(RHO - GAMMA) / (RATIO * R_WHEEL)
"""Inertia of the worm: with F from the wheel, r F tan(rho' - gamma)/J_1 brakes it faster than R F/J_2 its wheel."""


def worm(inertia, torque="0", speed=None, mu=MU):
    m = ww.Mechanism("worm", gravity=(0, 0, 0))
    high = (0, 0, R_WORM + R_WHEEL)
    given = {"angular_velocity": (speed, 0, 0)} if speed else {}
    m.add("worm", ww.Body(mass=2, inertia=(inertia,) * 3, **given))
    m.add("wheel", ww.Body(mass=5, inertia=(J_WHEEL,) * 3, position=high))
    m.add("a", ww.Revolute(bodies=("ground", "worm"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("b", ww.Revolute(bodies=("ground", "wheel"), point=high, axis=(0, 1, 0)))
    m.add("thread", ww.WormMesh(bodies=("worm", "wheel"), teeth=(1, RATIO), module=0.004, friction=mu))
    m.add("motor", ww.Actuator(joint="a", value=torque))
    return m


def driven_inertia(inertia):
    """Of worm and wheel at the worm while it drives: T - r F tan(gamma + rho') = J_1 w', R F = J_2 w'/40."""
    return inertia + J_WHEEL * R_WORM * tan(GAMMA + RHO) / (RATIO * R_WHEEL)


@pytest.mark.slow
@pytest.mark.parametrize("inertia", [1e-5, 1e-8])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "sdirk4"])
def test_a_light_worm_locks_when_its_torque_turns_round(inertia, method):
    """It comes to rest at once, with the energy of worm and wheel, and starts anew the other way round."""
    r = worm(inertia, "0.01*sin(9*t)").simulate(
        0.6, output=60, method=method, step=1e-3 if method == "rk4" else None
    )
    assert r.outcome.good
    assert r.statistics.steps < 1000  # sdirk4 took 400,000 for 6 ms
    t = r.t
    way = np.sign(np.sin(9 * t))
    speed = 0.01 / (9 * driven_inertia(inertia)) * (way - np.cos(9 * t)) * (t > 0)
    np.testing.assert_allclose(r["a.w"].values, speed, atol=2e-6 * np.max(np.abs(speed)))
    (locked,) = [event for event in r.events if event.kind is EventKind.LOCKED]
    assert locked.t == pytest.approx(pi / 9, abs=2e-9)
    assert locked.element == "thread.friction"
    top = 0.02 / (9 * driven_inertia(inertia))
    assert locked.lost == pytest.approx((inertia + J_WHEEL / RATIO**2) * top**2 / 2, rel=1e-6)
    assert "locked" in r.report
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale


@pytest.mark.slow
def test_the_inertia_below_which_it_locks():
    """Above it the wheel drags the worm on against its friction, as any text-book's efficiency below zero has it."""
    for factor, locks in ((0.98, True), (1.02, False)):
        r = worm(factor * LOCKS_BELOW, "if(t < 0.1, 0.01, -1e-4)").simulate(0.3, output=30)
        assert any(event.kind is EventKind.LOCKED for event in r.events) is locks
        assert r.outcome.good
        assert r["a.w"].values[-1] < 0


def stiff_teeth(stiffness, start, times):
    """Speed of a worm of 1e-6 kg m^2 from 0.34 s on, with elastic, damped teeth and friction that is smooth at rest."""
    slope = np.array([sin(GAMMA) * R_WORM, -cos(GAMMA) * R_WHEEL]) * cos(radians(20))
    slide = np.array([cos(GAMMA) * R_WORM, sin(GAMMA) * R_WHEEL])
    inertias = np.array([1e-6, J_WHEEL])
    damping = 2 * np.sqrt(stiffness / np.sum(slope**2 / inertias))

    def rates(t, y):
        angles, speeds = y[:2], y[2:]
        normal = stiffness * slope @ angles + damping * slope @ speeds
        friction = MU * abs(normal) * np.tanh(slide @ speeds / 1e-3)
        torque = 0.01 * sin(9 * t) * np.array([1, 0]) - normal * slope - friction * slide
        return np.concatenate([speeds, torque / inertias])

    y = np.array([0, 0, start, start / RATIO])
    return solve_ivp(rates, (times[0], times[-1]), y, method="LSODA", t_eval=times, rtol=1e-7, atol=1e-10).y[
        2
    ]


@pytest.mark.slow
def test_it_is_the_limit_of_stiff_teeth():
    """The stiffer the teeth, the shorter the time after the turn of the torque in which elastic teeth stop the worm;
    before and after that the motion is that of the rigid ones."""
    r = worm(1e-6, "0.01*sin(9*t)").simulate(0.36, output=3600)
    times, rigid = r.t[3400:], r["a.w"].values[3400:]
    elastic = [stiff_teeth(k, rigid[0], times) for k in (1e5, 1e7, 1e9)]
    delay = [times[np.argmax(w < rigid[0] / 2)] - pi / 9 for w in elastic]
    assert 1e-3 < delay[0] < 1e-2
    assert delay[1] < 0.3 * delay[0]
    assert delay[2] < 0.3 * delay[1]
    beside = np.abs(times - pi / 9) > 5e-4
    np.testing.assert_allclose(elastic[2][beside], rigid[beside], atol=1e-2 * rigid[0])


@pytest.mark.slow
def test_of_two_answers_the_one_that_friction_grows_into():
    """A light worm that drives: friction with the other sense of the tooth force fits too, and is no motion of stiff
    teeth. The torque varies as quickly as may be."""
    r = worm(1e-7, "0.01 + 0.009*sin(300*t)", speed=5.0).simulate(0.1, output=100, rtol=1e-9)
    assert r.outcome.good
    work = 0.01 * r.t + 0.009 / 300 * (1 - np.cos(300 * r.t))
    np.testing.assert_allclose(r["a.w"].values, 5 + work / driven_inertia(1e-7), rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("motion", "when"), [("0.2*sin(9*t)", pi / 18), ("0.2*(1 - cos(9*t))", 0.0)])
def test_no_motion_drives_a_self_locking_worm_at_its_wheel(motion, when):
    """It is refused with element and number, tan(rho')/tan(gamma). It crept on in steps of 1e-9 s."""
    m = worm(1e-3)
    m.add("hand", ww.JointDriver(joint="b", value=motion))
    with pytest.warns(UserWarning, match="no consistent friction"):
        r = m.simulate(1, output=100)
    assert r.outcome is Outcome.FRICTION_UNSOLVED
    assert r.statistics.t == pytest.approx(when, abs=1e-9)
    assert r.statistics.steps < 200
    assert r.statistics.amplification == pytest.approx(tan(RHO) / tan(GAMMA), rel=1e-6)
    assert "mesh `thread` each newton of friction causes 1.49 N" in r.report
    m = worm(1e-3, mu=0.05)
    m.add("hand", ww.JointDriver(joint="b", value=motion))
    assert m.simulate(1, output=100).outcome.good


def guide(**motion):
    """A block 2 m below its guide of half-length 0.1 m: friction F tilts it, and presses with 2 F/0.1."""
    m = ww.Mechanism("drawer")
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, -2), **motion))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("rubbing", ww.Friction(joint="slide", coefficient=0.8, radius=0.1))
    return m


def test_a_guide_that_tilts_locks():
    r = guide(velocity=(0.5, 0, 0)).simulate(1, output=10)
    assert r.outcome.good
    (locked,) = [event for event in r.events if event.kind is EventKind.LOCKED]
    assert (locked.t, locked.element) == (0.0, "rubbing")
    assert locked.size == pytest.approx(0.5)
    assert locked.lost == pytest.approx(0.125)
    np.testing.assert_allclose(r["slide.displacement"].values, 0, atol=1e-12)
    assert "`rubbing` locked" in r.report
