"""The robot arm with backlash: statics of what the controller holds, the play, samples."""

import numpy as np
import pytest

from .bundled import model, result


@pytest.mark.slow
def test_the_motor_holds_the_weight_of_the_arm():
    """By hand: m g s sin(angle), through the ratio of the gears."""
    r = result("controlled-arm")
    angle = r.series("shoulder.angle").values[-1]
    weight = 2 * 9.80665 * 0.25 * np.sin(angle)
    assert abs(angle - 1.6) < 2e-3
    np.testing.assert_allclose(abs(r.series("current").values[-1]), weight / 5, rtol=2e-3)


def test_the_arm_is_behind_by_no_more_than_play_and_elastic_teeth_allow():
    r = result("controlled-arm")
    base = 1.5e-3 * 100 / 2 * np.cos(np.radians(20))  # radius of the base circle of the arm's wheel
    behind = np.abs(r.series("shoulder.angle").values + r.series("motor.angle").values / 5)
    largest = np.max(np.abs(r.series("gears.force.normal").values)) if "gears.force.normal" in r else 0.0
    assert 0.2 * 60e-6 / base < np.max(behind) < (60e-6 + largest / 5e7) / base * 1.05
    assert {-1.0, 1.0} <= set(np.sign(r.series("gears.side").values))


def test_the_controller_acts_at_samples_only():
    r = model("controlled-arm").simulate(end=0.02, output=377, progress=False)  # only the ends are at samples
    torque = r.series("controller").values[1:-1]
    window = np.floor(r.t[1:-1] / 1e-3)
    assert len(np.unique(window)) == 20
    assert all(len(np.unique(torque[window == k])) == 1 for k in np.unique(window))
    assert len(np.unique(torque)) == 20


def test_both_formulations_say_the_same():
    ends = [
        model("controlled-arm").simulate(end=0.1, output=10, formulation=f, rtol=1e-9, progress=False)
        for f in ("absolute", "reduced")
    ]
    a, b = (r.series("shoulder.angle").values for r in ends)
    np.testing.assert_allclose(a, b, atol=1e-7)
