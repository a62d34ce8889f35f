"""The ball on a slanting turntable: circles at 2/7 of the table's speed, and their drift."""

import numpy as np
import pytest

from .bundled import model, result

OMEGA, SLOPE, FALL = 7.0, np.radians(1), 9.80665 * np.sin(np.radians(1))


def exact(t, v, y):
    """Velocity and place as x + i y: v' = 2/7 i Omega v - 5/7 g sin(slope) (Weltner, Am. J. Phys. 47, 1979, 984)."""
    drift, turn = -2.5j * FALL / OMEGA, 2j / 7 * OMEGA
    velocity = drift + (v - drift) * np.exp(turn * t)
    return velocity, 1j * y + drift * t + (v - drift) * (np.exp(turn * t) - 1) / turn


@pytest.mark.slow
def test_the_ball_runs_in_circles_that_drift_level():
    r = result("turntable")
    velocity, place = exact(r.t, 0.3, 0.3)
    v, x = r["ball.velocity"].values, r["ball.position"].values
    np.testing.assert_allclose(v[:, 0] + 1j * v[:, 1], velocity, atol=1e-7)
    np.testing.assert_allclose(x[:, 0] + 1j * x[:, 1], place, atol=1e-7)
    assert x[-1, :2] == pytest.approx([0, 0.3 - 0.0611 * 2 * np.pi], abs=1e-3)  # after two circles


@pytest.mark.slow
def test_it_needs_little_friction_and_both_formulations_agree():
    """Force along the table: what turns the velocity, and 2/7 of the weight along the slope."""
    r = result("turntable")
    velocity, _ = exact(r.t, 0.3, 0.3)
    along = 3 * (2j / 7 * OMEGA * velocity - 5 / 7 * FALL) + 3 * FALL
    used = np.abs(along) / (3 * 9.80665 * np.cos(SLOPE))
    np.testing.assert_allclose(r["rolling.friction_used"].values, used, rtol=1e-4)
    runs = [
        model("turntable").simulate(formulation=f, rtol=1e-10, output=20) for f in ("absolute", "reduced")
    ]
    one, other = (x["ball.position"].values for x in runs)
    np.testing.assert_allclose(one, other, atol=1e-7)
