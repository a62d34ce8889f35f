"""A bevel differential: mean of speeds, equal torques, and its motion against equations of two freedoms by hand."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from .bundled import model, result

FINAL, SIDE = 42 / 12, 18 / 12  # crown to drive, gear of a wheel to spider pinion
STALL, IDLE, DRAG, ICE = 20.0, 70.0, 1.75, 0.1
RADIUS = 36e-3 - 6e-3 * np.sin(np.arctan(SIDE))  # of the wheels' gears, in the middle of 12 mm wide teeth


def tube(outer, length, inner=0.0):
    """Mass of a steel tube, its moment about its axis, and that across it."""
    mass = 7850 * np.pi * (outer**2 - inner**2) * length
    squares = outer**2 + inner**2
    return mass, mass * squares / 2, mass * (3 * squares + length**2) / 12


SPIDER = tube(22e-3, 14e-3, 12e-3)


def masses():
    """Of (w_left, w_right): the crown has their mean, a spider pinion turns with SIDE times half their difference."""
    wheel = 0.5 + tube(14e-3, 110e-3)[1] + tube(32e-3, 14e-3)[1]
    mass, spin, across = SPIDER
    crown = tube(84e-3, 16e-3, 60e-3)[1] + tube(12e-3, 144e-3)[2] + 2 * (across + mass * 40e-3**2)
    drive = tube(45e-3, 90e-3)[1] + tube(24e-3, 24e-3, 14e-3)[1] + tube(14e-3, 50e-3)[1]
    mean, half = np.array([0.5, 0.5]), np.array([0.5, -0.5])
    carried = (crown + drive * FINAL**2) * np.outer(mean, mean)
    return wheel * np.eye(2) + carried + 2 * spin * SIDE**2 * np.outer(half, half)


def rates(t, w):
    crown = FINAL * STALL * (1 - FINAL * w.mean() / IDLE)
    grip = 1 - (1 - ICE) * (1 + np.tanh((t - 2) / 0.05)) / 2
    return np.linalg.solve(masses(), crown / 2 - DRAG * w * np.array([1, grip]))


def tooth_torque(r, side):
    """Of both spider pinions on the gear of a wheel."""
    return sum(np.abs(r[f"{side}{k}.force.tangential"].to_numpy()) for k in (1, 2)) * RADIUS


@cache
def settled():
    return model("differential").simulate(end=40, output=40).at(40)


@pytest.mark.slow
def test_crown_has_the_mean_of_the_speeds():
    r = result("differential")
    left, right, crown = (r[f"{name}.w"].to_numpy() for name in ("left", "right", "axle"))
    assert (right - left)[-1] > 25
    assert (left + right) / 2 == pytest.approx(crown, abs=1e-9)
    assert r["shaft.w"].to_numpy() == pytest.approx(FINAL * crown, abs=1e-9)
    left, right, crown = (r[f"{name}.angle"].to_numpy() for name in ("left", "right", "axle"))
    assert (left + right) / 2 == pytest.approx(crown, abs=1e-9)
    # the two spider pinions face each other
    for name, sign in (("pin1", 1), ("pin2", -1)):
        assert r[f"{name}.angle"].to_numpy() == pytest.approx(sign * SIDE * (left - right) / 2, abs=1e-9)


@pytest.mark.slow
def test_motion_against_two_freedoms():
    r = result("differential")
    left, right = solve_ivp(
        rates, (0, r.t[-1]), (0, 0), method="DOP853", t_eval=r.t, rtol=1e-11, atol=1e-12, max_step=0.01
    ).y
    assert r["left.w"].to_numpy() == pytest.approx(left, abs=1e-6)
    assert r["right.w"].to_numpy() == pytest.approx(right, abs=1e-6)


@pytest.mark.slow
def test_wheels_get_equal_torques():
    """To what it takes to speed the spider pinions up, which is next to nothing."""
    r = result("differential")
    left, right = (tooth_torque(r, side) for side in ("left", "right"))
    assert left == pytest.approx(right, abs=5e-3)
    difference = CubicSpline(r.t, (r["left.w"] - r["right.w"]).to_numpy() / 2).derivative()(r.t)
    steady = (
        np.abs(r.t - 2) > 0.2
    )  # the ice comes within 0.1 s: too fast for a derivative from outputs 0.01 s apart
    exact = -2 * SPIDER[1] * SIDE**2 * difference
    assert (left - right)[steady] == pytest.approx(exact[steady], abs=1e-6)


@pytest.mark.slow
def test_settled_on_ice():
    r = settled()
    assert float(r["left.w"]) == pytest.approx(40 / 13, rel=1e-9)
    assert float(r["right.w"]) == pytest.approx(400 / 13, rel=1e-9)
    crown = float(r["engine.torque"]) * FINAL
    for side in ("left", "right"):
        assert float(tooth_torque(r, side)) == pytest.approx(crown / 2, rel=1e-9)
    assert crown / 2 == pytest.approx(DRAG * 40 / 13, rel=1e-9)


def test_before_the_ice_it_turns_as_one():
    r = model("differential").with_parameters(ice=1).simulate(end=20, output=20).at(20)
    for name in ("left", "right", "axle"):
        assert float(r[f"{name}.w"]) == pytest.approx(10, rel=1e-9)
    assert float(r["pin1.w"]) == pytest.approx(0, abs=1e-9)
