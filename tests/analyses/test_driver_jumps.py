"""Drivers that jump are refused, with driver, time and size; those whose speed jumps are said."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.system import driver_jumps
from wheelwork.system.driver_jumps import DriverWarning

from .models import pendulum


def driven(value):
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value=value))
    return m


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "size", "time"),
    [
        ("0.3*step(t - 0.5)", "0.3", "0.5"),
        ("if(t < 0.25, 0, 0.1) + sin(t)", "0.1", "0.25"),
        ("floor(3*t)", "1", "0.333333"),
        ("t - floor(t)", "1", "1"),
        ("0.2*step(t)", "0.2", "0"),
        ("atan2(sin(5*t), cos(5*t))", "6.283", "0.628319"),
    ],
)
def test_a_driver_that_jumps_is_refused(value, size, time):
    for analysis in ("simulate", "kinematics", "inverse"):
        with pytest.raises(ww.ModelError, match=rf"drivers.motor.value: jumps by {size} rad at t = {time} s"):
            getattr(driven(value), analysis)(1.0, output=10)


@pytest.mark.parametrize(
    ("value", "what", "time"),
    [
        ("sqrt(t)", "speed", "0"),
        ("t^1.5", "acceleration", "0"),
        ("sqrt(abs(t - 0.3))", "speed", "0.3"),  # between samples
        ("acos(t)", "speed", "1"),
        ("if(t < 0.5, t, sqrt(t - 2))", "value", "0.5"),
    ],
)
def test_a_driver_that_is_not_finite_is_refused(value, what, time):
    """It was told as lock-up of a joint without a point of contact."""
    for analysis in ("simulate", "kinematics"):
        with pytest.raises(
            ww.ModelError, match=rf"drivers.motor.value: has no finite {what} at t = {time} s"
        ):
            getattr(driven(value), analysis)(1.0, output=10)


@pytest.mark.parametrize(
    ("value", "size", "time"),
    [
        ("max(0, t - 0.5)", "1", "0.5"),
        ("abs(sin(4*t))", "8", "0.785398"),
        ({"time": [0, 0.4, 1], "value": [0, 0.2, -0.4], "interpolation": "linear"}, "1.5", "0.4"),
    ],
    ids=str,
)
def test_a_speed_that_jumps_is_said(value, size, time):
    for analysis in ("simulate", "kinematics"):
        with pytest.warns(DriverWarning, match=rf"`motor`: its speed jumps by {size} rad/s at t = {time} s"):
            assert getattr(driven(value), analysis)(1.0, output=10).outcome.good


@pytest.mark.parametrize(
    "value",
    [
        "0.1*sin(3000*t)",
        "1e4*t",
        "tanh((t - 0.5)/1e-4)",
        "exp(-((t - 0.5)/0.0005)^2)",
        "max(0, t - 0.5)^2",
        "min(t, 1)",  # bends where the run ends
        {"time": [0, 0.4, 1], "value": [0, 0.2, -0.4], "interpolation": "smooth"},
    ],
    ids=str,
)
def test_steep_and_quick_ones_are_no_jumps(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DriverWarning)
        driven(value).kinematics(1.0, output=10)


def test_a_jump_of_speed_is_the_plastic_impulse_that_momentum_gives():
    """A slide that is set moving at 2 m/s carries a pendulum; by hand, least of m v^2 + J w^2 with v = 2 - w l."""
    mass, length, inertia = 1.5, 0.4, 0.02
    m = ww.Mechanism("set moving", kind="planar", gravity=(0, 0))
    m.add("slide", ww.Body(mass=1, inertia=1))
    m.add("bob", ww.Body(mass=mass, inertia=inertia, position=(0, -length)))
    m.add("guide", ww.Translational(bodies=("ground", "slide"), point=(0, 0), axis=(1, 0)))
    m.add("pin", ww.Revolute(bodies=("slide", "bob"), point=(0, 0)))
    m.add("motor", ww.JointDriver(joint="guide", value="2*max(0, t - 0.5)"))
    with pytest.warns(DriverWarning, match="its speed jumps by 2 m/s"):
        r = m.simulate(0.51, output=51)
    expected = -mass * 2 * length / (inertia + mass * length**2)
    assert r["bob.w"].values[-1] == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(r["bob.w"].values[:50], 0, atol=1e-12)


@pytest.mark.parametrize(("value", "most"), [("40*t", 1), ("0.1*sin(40*t)", 20)])
def test_smooth_drivers_are_soon_done_with(value, most, monkeypatch):
    """An interval is halved only as long as its derivatives leave open whether there is a jump in it."""
    calls = []
    made = driver_jumps.functions_of

    def counted(*about):
        values = made(*about)
        return lambda t: calls.append(len(t)) or values(t)

    monkeypatch.setattr(driver_jumps, "functions_of", counted)
    driven(value).simulate(1.0, output=1)
    assert 1 <= len(calls) <= most
