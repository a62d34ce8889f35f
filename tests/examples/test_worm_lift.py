"""The worm lift against the text-book's screw: torque up and down, efficiency, and a load that stays."""

import numpy as np
import pytest

from wheelwork.engine.engine import EventKind

from .bundled import model, result

G = 9.80665
WEIGHT = 200 * G
THREAD, RATIO, PINION = 0.028, 40, 0.04
LEAD = 2 * np.pi * THREAD * np.tan(np.arctan(0.004 / 0.056))  # pi times the module
GAMMA = np.arctan(LEAD / (2 * np.pi * THREAD))
RHO = np.arctan(0.09 / np.cos(np.radians(20)))
AXIAL = WEIGHT * PINION / 0.08  # force along the worm: what turns the wheel of 80 mm
UP, DOWN = AXIAL * THREAD * np.tan(GAMMA + RHO), AXIAL * THREAD * np.tan(GAMMA - RHO)
SPEED, SLOPE = 160.0, 0.1


def at(t):
    return result("worm-lift").at(t)


def test_the_worm_locks():
    assert np.degrees(GAMMA) == pytest.approx(4.086, abs=1e-3)
    assert np.degrees(RHO) == pytest.approx(5.471, abs=1e-3)
    assert pytest.approx(np.pi * 0.004) == LEAD


@pytest.mark.slow
def test_efficiency_on_the_way_up():
    """At steady speed: power into the load over power of the motor."""
    now = at(0.95)
    found = WEIGHT * float(now["guide.speed"]) / float(now["motor.power"])
    exact = np.tan(GAMMA) / np.tan(GAMMA + RHO)
    assert exact == pytest.approx(0.42427, abs=5e-6)  # as the page says
    assert found == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize(("t", "torque", "full"), [(0.95, UP, SPEED), (2.95, DOWN, -SPEED)])
def test_torque_and_speed(t, torque, full):
    """Down, the motor pushes too; its line of torque over speed says how fast the worm runs."""
    now = at(t)
    assert float(now["motor.torque"]) == pytest.approx(torque, rel=1e-6)
    speed = full - torque / SLOPE
    assert float(now["spindle.w"]) == pytest.approx(speed, rel=1e-7)
    assert float(now["guide.speed"]) == pytest.approx(speed / RATIO * PINION, rel=1e-7)


def test_the_load_stays_while_the_motor_is_off():
    r = result("worm-lift")
    assert [event.kind for event in r.events] == [EventKind.SLIDE, EventKind.STICK] * 2
    _, stop, start, end = (event.t for event in r.events)
    assert 1 < stop < 1.1
    assert start == pytest.approx(2, abs=1e-8)
    assert 3 < end < 3.5
    height, t = r["guide.displacement"].to_numpy(), r.t
    assert height.max() > 0.1
    for first, last in ((stop, start), (end, t[-1])):
        held = (t > first) & (t < last)
        assert held.sum() > 40
        assert np.ptp(height[held]) < 1e-13
        assert np.abs(r["spindle.w"].to_numpy()[held]).max() < 1e-12
        # the weight is on the teeth all the same
        assert np.abs(r["lifting.force.tangential"].to_numpy()[held]) == pytest.approx(WEIGHT, rel=1e-9)


def test_time_to_stop():
    """The inertia at the worm, with losses where it comes through the thread: J w' = -T."""
    r = result("worm-lift")
    _, stop, _, end = (event.t for event in r.events)
    # of wheel, pinion and load at the wheel; gear blanks are discs of 8000 and 7850 kg/m^3
    discs = sum(
        np.pi * density * width * radius**4 / 2
        for density, width, radius in ((8000, 0.04, 0.08), (7850, 0.05, 0.04))
    )
    wheel = discs + 200 * PINION**2
    worm = 5 * THREAD**2 / 2
    for seconds, torque, speed, sense in (
        (stop - 1, UP, SPEED - UP / SLOPE, 1),
        (end - 3, -DOWN, SPEED + DOWN / SLOPE, -1),
    ):
        thread = sense * np.tan(GAMMA + sense * RHO) / np.tan(GAMMA)  # of T_2/u, at the worm
        # going up the load's inertia helps it on, against the thread; going down its weight grows by it
        inertia = worm + thread * wheel / RATIO**2 * sense
        assert seconds == pytest.approx(speed * inertia / torque, rel=1e-4)


def test_a_better_thread_lets_the_load_down():
    """With less friction than the lead angle the load runs down when the motor is off."""
    r = model("worm-lift").with_parameters(mu=0.05).run(end=2)
    assert r.outcome.good
    assert float(r["guide.displacement"][-1]) < float(r.at(1.2)["guide.displacement"]) - 0.01
