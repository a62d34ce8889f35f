"""The truck's gearbox: ratios, time of braking and of synchronising, blow of the dogs, by hand."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

WHEELS = {"first": (38, 18, 0.05), "second": (34, 22, 0.03), "third": (28, 28, 0.015)}
"""Teeth on main shaft and countershaft, inertia of the loose wheel."""
RATIO = {name: 32 / 24 * z / zc for name, (z, zc, _) in WHEELS.items()}
COUNTER = 0.1 + 0.02 * (32 / 24) ** 2 + sum(J * (zc / z) ** 2 for z, zc, J in WHEELS.values())
"""kg m^2, of everything that turns with the countershaft while clutch and dogs are open."""
TRUCK, GRADE = 80.0, 250.0
MODES = ["first", "opening", "slowing", "sending", "second", "neutral", "joining", "third"]


def entered(mode):
    """When the lever came into a mode."""
    events = [e for e in result("gearbox-shift").events if e.kind.name == "TRANSITION"]
    return next(e.t for e in events if round(e.size) == MODES.index(mode))


def closed(name):
    return next(e for e in result("gearbox-shift").events if (e.element, e.kind.name) == (name, "CLOSED"))


def at(signal, t):
    r = result("gearbox-shift")
    return float(np.interp(t, r.t, r[signal].values))


def at_wheel(name):
    """Inertia of the countershaft and its wheels as the loose wheel of a gear feels it."""
    z, zc, _ = WHEELS[name]
    return COUNTER * (z / zc) ** 2


@pytest.mark.parametrize(("t", "gear"), [(0.4, "first"), (1.8, "second"), (3.0, "third")])
def test_ratios_in_gear(t, gear):
    assert at("crankshaft.w", t) / at("main-bearing.w", t) == pytest.approx(RATIO[gear], rel=1e-9)


def test_the_brake_slows_the_countershaft_as_one_inertia():
    """From the speed of the first gear to 3 rad/s above that of the second; the truck slows down meanwhile."""
    begin, end = entered("slowing"), entered("sending")
    difference = at("main-bearing.w", begin) * (RATIO["first"] / RATIO["second"] - 1)
    rate = 20 / COUNTER * 22 / 34 - GRADE / TRUCK
    assert end - begin == pytest.approx((difference - 3) / rate, rel=1e-4)


def test_dogs_find_each_other_and_their_blow_loses_what_two_inertias_lose():
    event, sent = closed("dogs-2"), entered("sending")
    slip = 3 + GRADE / TRUCK * (event.t - sent)
    assert 0.005 < event.t - sent <= 2 * np.pi / 24 / 3  # the next dog comes by after one pitch at the latest
    one = at_wheel("second")
    assert event.lost == pytest.approx(one * TRUCK / (one + TRUCK) * slip**2 / 2, rel=1e-6)
    off = (at("loose-2.angle", 1.5) - np.radians(8)) / (2 * np.pi / 24)  # in pitches; a twentieth is play
    assert abs(off - round(off)) <= 0.05 * (1 + 1e-3)


def test_the_cone_takes_the_time_and_the_heat_of_the_closed_form():
    """The slip falls with T/J_1 + T/J_2, less what the road takes from the truck; heat is T times the angle of slip."""
    begin, end = entered("joining"), closed("synchroniser").t
    slip = at("main-bearing.w", begin) * (RATIO["second"] / RATIO["third"] - 1)
    rate = 35 / at_wheel("third") + (35 - GRADE) / TRUCK
    assert end - begin == pytest.approx(slip / rate, rel=1e-4)
    assert at("synchroniser.slip_work", 3.0) == pytest.approx(35 * slip**2 / rate / 2, rel=1e-3)


def test_dogs_that_are_sent_in_too_early_end_the_run():
    """They grind, which is told with the element, the time and the speed; what was computed is kept."""
    with pytest.warns(Warning, match=r"dogs-2. cannot close at a difference of speeds of 8 rad/s"):
        r = model("gearbox-shift").with_parameters(near=8).simulate(end=1)
    assert not r.outcome.good
    assert 0.6 < r.t[-1] < 0.8


def test_both_formulations_agree():
    runs = [
        model("gearbox-shift").simulate(formulation=f, rtol=1e-9, output=60) for f in ("absolute", "reduced")
    ]
    for name in ("crankshaft.w", "main-bearing.w", "counter-bearing.w"):
        one, other = (r[name].values for r in runs)
        assert np.max(np.abs(one - other)) < 1e-6 * np.max(np.abs(one))
