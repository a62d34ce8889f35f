"""The tricycle that drives: acceleration as of one mass, its circle, what its differential does, and what is kept."""

import numpy as np
import pytest

from .bundled import model, result

R, BASE, TRACK, STEER = 0.25, 1.2, 0.8, np.radians(20)


@pytest.mark.slow
def test_it_accelerates_as_one_mass():
    """i T/r over the mass and what turns: three wheels, gears and the cage with them, the pinion i times as fast."""
    check = model("geared-tricycle").check()
    of = {body.name: body for body in check.bodies}
    turning = 3 * 0.15 + 2 * of["left-gear"].principal_moments[-1] + of["crown"].principal_moments[-1]
    turning += 2 * (of["spider"].principal_moments[0] + of["spider"].mass * 0.04**2)
    turning += 3.5**2 * of["drive"].principal_moments[0]
    wanted = 3.5 * 6 / R / (sum(body.mass for body in check.bodies) + turning / R**2)
    assert wanted == pytest.approx(0.508, abs=5e-4)
    r = result("geared-tricycle")
    pulls = r.t <= 3
    np.testing.assert_allclose(r["frame.acceleration.x"].values[pulls], wanted, rtol=1e-6)
    # it steers a little all the time, tanh being what it is: by 1e-7 rad at 3 s
    np.testing.assert_allclose(
        r["frame.velocity.x"].values[pulls], wanted * r.t[pulls], rtol=1e-6, atol=1e-12
    )


def test_freedoms_of_speeds_are_fewer_than_those_of_positions():
    check = model("geared-tricycle").check()
    assert (check.freedoms_by_rank, check.position_freedoms, check.redundant) == (1, 6, [])


@pytest.mark.slow
def test_it_goes_in_a_circle_and_the_outer_wheel_is_quicker():
    r = result("geared-tricycle")
    circle = BASE / np.tan(STEER)
    turns = r.t >= 9
    np.testing.assert_allclose(r["frame.w.z"][turns] * circle, R * r["axle.w"][turns], rtol=1e-5)
    inner, outer = (r[f"{side}-bearing.w"].values[turns] for side in ("left", "right"))
    np.testing.assert_allclose(outer / inner, (circle + TRACK / 2) / (circle - TRACK / 2), rtol=1e-5)
    x, y = r["left-tyre.contact.position"].values[turns, :2].T
    fitted = np.linalg.lstsq(np.stack([2 * x, 2 * y, np.ones(len(x))], axis=1), x**2 + y**2, rcond=None)[0]
    assert np.sqrt(fitted[2] + fitted[0] ** 2 + fitted[1] ** 2) == pytest.approx(circle - TRACK / 2, rel=1e-5)


def test_the_differential_gives_both_wheels_the_same_torque():
    """In the circle too: force along each tyre less what speeds the wheel up."""
    r = result("geared-tricycle")
    left, right = (
        R * r[f"{side}-tyre.force.along"].values + 0.1502 * r[f"{side}.angular_acceleration.y"].values
        for side in ("left", "right")
    )
    pulls = r.t <= 3
    np.testing.assert_allclose(left[pulls], right[pulls], rtol=1e-6)


@pytest.mark.slow
def test_nothing_is_lost_and_the_road_carries_the_weight():
    r = result("geared-tricycle")
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    weight = 9.80665 * sum(body.mass for body in model("geared-tricycle").check().bodies)
    carried = sum(r[f"{tyre}-tyre.force.normal"] for tyre in ("left", "right", "front"))
    np.testing.assert_allclose(carried, weight, rtol=1e-6)
    assert max(r[f"{tyre}-tyre.friction_used"].max() for tyre in ("left", "right", "front")) < 0.4


@pytest.mark.slow
def test_both_formulations_agree():
    runs = [
        model("geared-tricycle").simulate(end=8, output=8, formulation=f, rtol=1e-9)
        for f in ("absolute", "reduced")
    ]
    np.testing.assert_allclose(*(r["frame.position"] for r in runs), atol=1e-6)
