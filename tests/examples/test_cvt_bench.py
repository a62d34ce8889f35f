"""The drive line with a CVT: clunk of the spline, power and torques in steady running, by hand."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

TAKEN, PLAY, STIFF, RATIO = 0.015, 0.04, 3000.0, 1.2
POWER = (75 + 0.2 * (140 - 75)) * 300
"""W, of the engine at 300 rad/s by its map, a fifth of the way from half to full throttle."""


def at(signal, t):
    r = result("cvt-bench")
    return float(np.interp(t, r.t, r[signal].values))


@pytest.mark.parametrize(("t", "more"), [(7.9, 1), (14.0, 4)])
def test_the_brakes_take_the_power_of_the_engine_by_equal_torques(t, more):
    """more*c*left^2 = c*right^2, and this torque times the sum of both speeds is the power."""
    right = (POWER / TAKEN / (1 + more**-0.5)) ** (1 / 3)
    assert at("engine.w", t) == pytest.approx(300, rel=1e-4)
    # what changes slowly is still on its way there
    assert at("right.w", t) == pytest.approx(right, rel=1e-3)
    assert at("left.w", t) == pytest.approx(right / np.sqrt(more), rel=1e-3)
    assert at("cage.w", t) == pytest.approx((at("left.w", t) + at("right.w", t)) / 2, rel=1e-9)
    assert abs(at("differential.torque_left", t)) == pytest.approx(
        abs(at("differential.torque_right", t)), rel=1e-9
    )


def test_the_cvt_keeps_power_while_it_changes():
    """Torques of its shafts are in its ratio, and what the engine gives is in flywheels and brakes."""
    r = result("cvt-bench")
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale
    ratio = r["engine.w"].values / r["pulley.w"].values
    assert np.ptp(ratio) > 1
    np.testing.assert_allclose(
        r["cvt.torque_b"].values, -ratio * r["cvt.torque_a"].values, rtol=1e-6, atol=1e-6
    )


def test_the_spline_crosses_its_play_and_strikes_as_two_inertias_do():
    """With a fixed gear and no damping: evenly accelerated through the play, then half a swing on the spring."""
    r = model("cvt-bench").with_parameters(follows=0, c=0).simulate(end=0.55, output=55_000)
    mode, speed, torque = (r[f"spline.{name}"].values for name in ("mode", "speed", "torque"))
    leaves = np.flatnonzero((r.t > 0.5) & (mode == 0))[0]
    strikes = leaves + np.flatnonzero(mode[leaves:] != 0)[0]
    parts = leaves + np.flatnonzero((mode[leaves:] == 0) & (r.t[leaves:] > r.t[strikes]))[0]
    before, behind = 0.02 + 0.15 * RATIO**2, 0.01 + (0.2 + 2 * 4) / 4**2
    inertia = before * behind / (before + behind)
    brakes = 2 * TAKEN * r["left.w"].values[leaves] ** 2 / 4
    engine = r["torque"].values[[leaves, strikes]].mean()  # the map rises by one percent meanwhile
    acceleration = engine * RATIO / before + brakes / behind
    first = abs(speed[leaves])
    hits = np.sqrt(first**2 + 2 * acceleration * PLAY)
    assert r.t[strikes] - r.t[leaves] == pytest.approx((hits - first) / acceleration, rel=5e-3)
    assert abs(speed[strikes]) == pytest.approx(hits, rel=2e-3)
    rest = inertia * acceleration
    largest = rest + np.sqrt(rest**2 + inertia * STIFF * hits**2)
    assert torque[strikes:parts].max() == pytest.approx(largest, rel=1e-2)


def test_both_formulations_agree():
    runs = [
        model("cvt-bench").simulate(end=2, output=40, formulation=f, rtol=1e-9)
        for f in ("absolute", "reduced")
    ]
    for name in ("engine.w", "left.w", "gear"):
        one, other = (r[name].values for r in runs)
        assert np.max(np.abs(one - other)) < 1e-5 * np.max(np.abs(one))
