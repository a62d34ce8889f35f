"""The cam made from its lift: height, force and torque from the lift's own formula and its derivatives."""

import numpy as np
import pytest

from .bundled import model, result

G, BASE, LIFT, SPEED, STIFFNESS, PRELOAD, MASS = 9.80665, 0.018, 0.009, 300.0, 3e4, 250.0, 0.12


def lift(s):
    """h, h', h'' of the support function at s."""
    c, n = np.cos(s / 2), np.sin(s / 2)
    return BASE + LIFT * c**8, -4 * LIFT * c**7 * n, LIFT * (14 * c**6 * n**2 - 2 * c**8)


def contact_force(s, speed):
    h, _, second = lift(s)
    return MASS * (second * speed**2 + G) + PRELOAD + STIFFNESS * (h - BASE)


def up(r):
    """The parameter s of the tangent on top: the cam's lobe points down at first."""
    return np.pi - SPEED * r.t


def test_derivatives_used_here():
    s, d = np.linspace(0, 6, 50), 1e-4
    h, first, second = lift(s)
    assert (lift(s + d)[0] - lift(s - d)[0]) / (2 * d) == pytest.approx(first, abs=1e-9)
    assert (lift(s + d)[1] - lift(s - d)[1]) / (2 * d) == pytest.approx(second, abs=1e-8)
    assert (h + second).min() > 0  # radius of curvature: the outline is convex


@pytest.mark.slow
def test_the_follower_does_what_the_cam_was_made_for():
    r = result("cam-follower")
    h, first, second = lift(up(r))
    assert r["valve.position.y"].to_numpy() == pytest.approx(h, abs=1e-12)
    assert r["valve.velocity.y"].to_numpy() == pytest.approx(-SPEED * first, abs=1e-9)
    assert r["valve.acceleration.y"].to_numpy() == pytest.approx(SPEED**2 * second, abs=1e-6)


def test_contact_force_and_torque():
    r = result("cam-follower")
    force = contact_force(up(r), SPEED)
    assert r["contact.force.normal"].to_numpy() == pytest.approx(force, abs=1e-8)
    # the contact is h' beside the axis, which is the arm of the force
    _, first, _ = lift(up(r))
    assert r["contact.contact.position.x"].to_numpy() == pytest.approx(-first, abs=1e-12)
    assert r["camshaft.torque"].to_numpy() == pytest.approx(-first * force, abs=1e-9)


@pytest.mark.parametrize(("change", "floats"), [(0.999, False), (1.001, True)])
def test_speed_at_which_the_valve_floats(change, floats):
    """On top of the lobe m 2 lift w^2 = k lift + F0 + m g: 491.2 rad/s."""
    limit = np.sqrt((STIFFNESS * LIFT + PRELOAD + MASS * G) / (2 * MASS * LIFT))
    assert limit == pytest.approx(491.2, abs=0.05), "as the page says"
    r = model("cam-follower").run(parameters={"speed": change * limit})
    assert (r["contact.force.normal"].to_numpy().min() < 0) == floats
