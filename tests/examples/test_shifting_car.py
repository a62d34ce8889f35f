"""The car that shifts: accelerations by hand before, during and after, heat, ice."""

import numpy as np
import pytest

from .bundled import model, result

R, THROTTLE, MASS = 0.3, 150.0, 1340.0


def acceleration(speed, ratio, engine_on):
    """Of the car as one mass; all shafts turn, and the engine with the one that its closed clutch holds."""
    shafts = 2 * 2.0 + 0.01 * 6**2 + 0.01 * 4**2 + 0.01 * 4**2
    engine = 0.25 * ratio**2 if engine_on else 0.0
    return (ratio * THROTTLE / R - 0.4 * speed**2) / (MASS + (shafts + engine) / R**2)


@pytest.mark.parametrize(("first", "last", "ratio"), [(0.35, 0.5, 6.0), (1.6, 2.0, 4.0)])
def test_the_car_accelerates_as_one_mass(first, last, ratio):
    r = result("shifting-car")
    chosen = (r.t >= first) & (r.t <= last)
    speed = r["chassis.velocity.x"].values[chosen]
    found = (speed[-1] - speed[0]) / (r.t[chosen][-1] - r.t[chosen][0])
    assert found == pytest.approx(
        acceleration(speed.mean(), ratio, True), rel=5e-3
    )  # it still pitches on its tyres


def test_the_engine_slows_down_by_the_torque_of_the_clutch_alone():
    r = result("shifting-car")
    chosen = (r.t > 0.76) & (r.t < 0.93)
    slope = np.polyfit(r.t[chosen], r["engine.w"].values[chosen], 1)[0]
    assert slope == pytest.approx((300 - THROTTLE) / 0.25, rel=1e-3)  # it turns in the negative direction


@pytest.mark.slow
def test_clutches_change_over_and_nothing_is_lost():
    r = result("shifting-car")
    assert [(e.element, e.kind.name) for e in r.events] == [("clutch-2", "SLIDE"), ("clutch-3", "STICK")]
    assert r["engine.w"].values[-1] == pytest.approx(r["third.w"].values[-1], rel=1e-9)
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-8 * balance.scale
    slip = r["clutch-3.heat"].values
    assert -balance.work["clutch-3"][-1] == pytest.approx(np.trapezoid(slip, r.t), rel=1e-3)


def test_wheels_spin_on_ice():
    """Rear wheels push with friction times their load, and turn faster than the car goes."""
    r = model("shifting-car").with_parameters(grip=0.05).simulate(end=0.4, output=400)
    assert r["rear-tyre.sticks"].values[-1] == 0
    assert r["rear-tyre.force.friction"].values[-1] == pytest.approx(
        0.05 * r["rear-tyre.force.normal"].values[-1], rel=1e-9
    )
    assert -r["rear.w"].values[-1] * R > r["chassis.velocity.x"].values[-1] + 1.0


@pytest.mark.slow
def test_both_formulations_agree():
    runs = [
        model("shifting-car").simulate(formulation=f, rtol=1e-9, output=50) for f in ("absolute", "reduced")
    ]
    for name in ("chassis.velocity.x", "engine.w", "chassis.angle"):
        one, other = (r[name].values for r in runs)
        assert np.max(np.abs(one - other)) < 1e-6 * max(1.0, np.max(np.abs(one)))
