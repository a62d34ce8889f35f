"""Friction of a contact that sticks: rolling balls and held bodies against closed forms, in both formulations."""

import numpy as np
import pytest

import wheelwork as ww

G, R, MASS = 9.81, 0.1, 2.0


def ball(slope=0.0, speed=0.0, friction=0.2, **law):
    """A ball on a lane that falls along x, at rest on it along the normal."""
    stiffness = 1e6
    m = ww.Mechanism("lane", gravity=(G * np.sin(slope), 0, -G * np.cos(slope)))
    inertia = (0.4 * MASS * R**2,) * 3
    height = R - MASS * G * np.cos(slope) / stiffness
    m.add("ball", ww.Body(mass=MASS, inertia=inertia, position=(0, 0, height), velocity=(speed, 0, 0)))
    law = {"damping": 500.0, "stick_stiffness": 1e6, "stick_damping": 1e3, **law}
    law = ww.Compliant(stiffness=stiffness, friction=friction, **law)
    m.add("lane", ww.Contact(a=ww.ContactSphere(body="ball", radius=R), b=ww.ContactPlane(), law=law))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_a_ball_that_slides_at_first_rolls_at_five_sevenths_of_its_speed(formulation, method):
    """Sliding ends after 2 v/(7 mu g), whatever the ball weighs; the deflection then swings for some milliseconds."""
    r = ball(speed=7.0).simulate(end=2, output=2000, rtol=1e-8, formulation=formulation, method=method)
    assert r["ball.velocity.x"].values[-1] == pytest.approx(5.0, rel=1e-6)
    turns = r["lane.sticks"].values
    assert r.t[np.argmax(turns > 0.5)] == pytest.approx(2 * 7 / (7 * 0.2 * G), abs=2e-3)
    half = 500  # at 0.5 s it still slides
    assert r["ball.velocity.x"].values[half] == pytest.approx(7 - 0.2 * G * r.t[half], rel=1e-6)
    balance = r.energy_balance()
    heat = -balance.work["lane"][-1]
    assert heat == pytest.approx(MASS / 2 * 7**2 * 2 / 7, rel=1e-4)  # what is left is 5/7 of the energy
    assert np.max(np.abs(balance.remainder)) < 1e-4 * heat


@pytest.mark.parametrize(("slope", "friction"), [(0.2, 0.5), (0.9, 0.1)])
def test_a_ball_on_a_slope_rolls_or_slides(slope, friction):
    """It rolls with g sin(s)/1.4 while tan(s) < 3.5 mu, and slides with g (sin(s) - mu cos(s)) beyond."""
    r = ball(slope, friction=friction).simulate(end=1, output=100)
    rolls = np.tan(slope) < 3.5 * friction
    wanted = G * np.sin(slope) / 1.4 if rolls else G * (np.sin(slope) - friction * np.cos(slope))
    assert r["ball.velocity.x"].values[-1] == pytest.approx(wanted, rel=1e-4)
    assert r["lane.sticks"].values[-1] == rolls


def sled(friction):
    """A block on two points in the plane, on a slope of 0.3 rad."""
    m = ww.Mechanism("sled", kind="planar", gravity=(G * np.sin(0.3), -G * np.cos(0.3)))
    m.add("sled", ww.Body(mass=3, inertia=0.05, position=(0, 0.1)))
    law = ww.Compliant(stiffness=1e5, damping=300, friction=friction, stick_stiffness=1e5)
    for name, x in (("left", -0.2), ("right", 0.2)):
        foot = ww.ContactSphere(body="sled", point_in_body=(x, -0.1))
        m.add(name, ww.Contact(a=foot, b=ww.ContactPlane(), law=law))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_what_is_held_does_not_creep(formulation):
    """Friction carries the weight along the slope, and between 20 and 60 s nothing moves."""
    r = sled(0.4).simulate(end=60, output=60, rtol=1e-9, formulation=formulation)
    x = r["sled.position.x"].values
    assert np.ptp(x[20:]) < 1e-9
    held = r["left.force.friction"].values[-1] + r["right.force.friction"].values[-1]
    assert held == pytest.approx(3 * G * np.sin(0.3), rel=1e-6)
    slides = sled(0.2).simulate(end=1, output=10)
    assert slides["sled.velocity.x"].values[-1] == pytest.approx(
        G * (np.sin(0.3) - 0.2 * np.cos(0.3)), rel=2e-3
    )


def test_a_ball_that_leaves_forgets_its_deflection():
    """Thrown up and back down it lands with none: the friction of the first touch is that of the speed then alone."""
    m = ball(friction=0.5, speed=1.0)
    m.bodies["ball"].velocity = (1.0, 0.0, 2.0)
    r = m.simulate(end=1.0, output=1000)
    apart = r["lane.gap"].values > 0
    assert apart.sum() > 300
    assert np.all(r["lane.force.friction"].values[apart] == 0)


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ({"stick_damping": 3}, "belongs to `stick_stiffness`"),
        ({"stick_stiffness": 1e5, "slip_speed": 0.1, "friction": 0.1}, "leave it out where there is"),
        ({"stick_stiffness": 1e5}, "needs a coefficient of friction above zero"),
        ({"stick_stiffness": -1e5, "friction": 0.1}, "must be greater than zero"),
    ],
)
def test_what_does_not_go_together_is_said(law, said):
    with pytest.raises(ww.ModelError, match=said):
        ww.Compliant(stiffness=1e5, **law)
