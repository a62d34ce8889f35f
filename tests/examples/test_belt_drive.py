"""The chipper: Eytelwein's limit while the belt slips, creep while it holds."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

RA, RB, APART, TENSION, EA = 0.06, 0.15, 0.6, 200.0, 3e4
ARC = np.pi - 2 * np.arcsin((RB - RA) / APART)
GRIP = 0.35 / np.sin(np.radians(18)) * ARC
LIMIT = 2 * TENSION * (np.exp(GRIP) - 1) / (np.exp(GRIP) + 1)
"""N: T1 - T2 where T1/T2 = exp(mu' phi) and T1 + T2 = 2 T0."""


def part(first, last):
    r = result("belt-drive")
    return r, (r.t > first) & (r.t < last)


@pytest.mark.parametrize(("first", "last", "load"), [(0.2, 1.2, 4.0), (4.6, 4.98, 94.0), (5.05, 5.5, 34.0)])
def test_a_belt_that_slips_hands_on_what_eytelwein_says(first, last, load):
    r, slips = part(first, last)
    np.testing.assert_allclose(r["belt.force.tangential"].values[slips], LIMIT, rtol=1e-9)
    ratio = r["belt.force.tight"].values[slips] / r["belt.force.slack"].values[slips]
    np.testing.assert_allclose(ratio, np.exp(GRIP), rtol=1e-9)
    np.testing.assert_allclose(r["belt.friction_used"].values[slips], 1, rtol=1e-9)
    slope = np.polyfit(r.t[slips], r["drum.w"].values[slips], 1)[0]
    assert slope == pytest.approx((LIMIT * RB - load) / 1.2, rel=5e-3)


def test_a_belt_never_hands_on_more():
    r = result("belt-drive")
    assert r["belt.force.tangential"].values.max() <= LIMIT * (1 + 1e-9)


@pytest.mark.parametrize(("t", "load"), [(2.9, 4.0), (4.4, 34.0), (7.0, 34.0)])
def test_a_belt_that_holds_creeps(t, load):
    """By (T1 - T2)/(EA) of its speed, the mean of both rims' (Johnson, Contact Mechanics, section 8.2)."""
    r = result("belt-drive")
    motor, drum, tight, slack = (
        float(np.interp(t, r.t, r[name].values))
        for name in ("motor.w", "drum.w", "belt.force.tight", "belt.force.slack")
    )
    assert tight - slack == pytest.approx(load / RB, rel=1e-4)
    assert tight + slack == pytest.approx(2 * TENSION, rel=1e-6)
    rims = motor * RA, drum * RB
    assert (rims[0] - rims[1]) / np.mean(rims) == pytest.approx(load / RB / EA, rel=1e-4)


def test_what_the_motor_gives_is_in_the_drum_the_wood_and_the_belt():
    r = model("belt-drive").simulate(rtol=1e-9)
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-5 * balance.scale
    squeal = r.t < 1.4
    lost = np.trapezoid(r["belt.power.loss"].values[squeal], r.t[squeal])
    assert lost == pytest.approx(LIMIT * np.trapezoid(r["belt.slip"].values[squeal], r.t[squeal]), rel=0.02)
