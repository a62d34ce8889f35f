"""The hoist: start with all the motor has, buffer, slip and brake, by hand."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

LOAD, R, RATIO, SPEED = 500.0, 0.15, 8.0, 0.6 * 8 / 0.15
WEIGHT = LOAD * 9.80665 * R / RATIO
"""N m, at the motor's shaft."""
INERTIA = 60 * 0.1**2 / 2 + 8 * 0.02**2 / 2 + (80 * R**2 / 2 + LOAD * R**2) / RATIO**2
"""kg m^2, of everything as the motor's shaft feels it."""


def at(element, kind):
    """When this happened first."""
    return next(e.t for e in result("hoist").events if (e.element, e.kind.name) == (element, kind))


def test_the_motor_starts_with_all_it_has():
    """(T - weight)/J until the speed is nearly there."""
    r = result("hoist")
    chosen = (r.t > 0.02) & (r.t < 0.1)
    slope = np.polyfit(r.t[chosen], r["motor-bearing.w"].values[chosen], 1)[0]
    assert slope == pytest.approx((200 - WEIGHT) / INERTIA, rel=1e-6)


def test_the_integral_follows_the_motor_that_is_at_its_limit():
    """Wound up, the controller would let the motor run far beyond the speed that is wanted."""
    with_it, without = (
        model("hoist").with_parameters(tracking=time).simulate(end=1, output=1000)["motor-bearing.w"].values
        for time in (0.05, 1e6)
    )
    assert with_it.max() < 1.02 * SPEED
    assert without.max() > 1.05 * SPEED


def test_the_buffer_is_pressed_with_what_the_clutch_hands_on():
    r = result("hoist")
    slips, back = at("slipping-clutch", "SLIDE"), at("order", "TRANSITION")
    assert slips > 0.8 / 0.6  # not before the buffer
    pressed = float(np.interp(back - 2e-3, r.t, r["end.upper.force"].values))
    # half a second after it was struck: 540 kg on 1e5 N/m and 1.2e4 N s/m come to rest with exp(-11 t)
    assert pressed == pytest.approx((160 - WEIGHT) * RATIO / R, rel=5e-3)
    torque = r["slipping-clutch.torque"].values
    assert np.max(np.abs(torque[(r.t > slips + 1e-3) & (r.t < back)])) == pytest.approx(160, rel=1e-9)


def test_the_clutch_turns_what_the_motor_gives_into_heat():
    """Its torque times the angle by which the motor has run away from the load: 15 rad in half a second."""
    r = result("hoist")
    away = r["motor-bearing.angle"].values[-1] - r["pinion-bearing.angle"].values[-1]
    heat = r["slipping-clutch.slip_work"].values[-1]
    assert heat == pytest.approx(160 * away, rel=1e-6)
    assert away > 0.9 * 0.5 * SPEED


def test_the_brake_holds_after_the_time_the_way_and_the_heat_of_hand_formulas():
    r = result("hoist")
    closed = at("brake", "STICK")
    time = SPEED * INERTIA / (200 - WEIGHT)
    assert closed - 3 == pytest.approx(time, rel=1e-3)
    height = r["guide.displacement"].values
    assert np.interp(3.0, r.t, height) - height[-1] == pytest.approx(0.6 * time / 2, rel=2e-3)
    assert r["brake.slip_work"].values[-1] == pytest.approx(200 * SPEED * time / 2, rel=2e-3)
    assert np.ptp(height[r.t > closed + 1e-3]) < 1e-9
    assert abs(r["brake.torque"].values[-1]) == pytest.approx(WEIGHT, rel=1e-9)


def test_nothing_is_lost_and_both_formulations_agree():
    one, other = (model("hoist").simulate(formulation=f, rtol=1e-9) for f in ("absolute", "reduced"))
    balance = one.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale  # the heat between outputs is a trapezium
    assert np.max(np.abs(one["guide.displacement"].values - other["guide.displacement"].values)) < 1e-6
