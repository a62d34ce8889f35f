"""Dry friction in joints: distances, limits, loads."""

import numpy as np
import pytest

import wheelwork as ww
from robustness import random_mechanism
from wheelwork.engine.engine import EventKind

from .models import G, pendulum


def block_on(slope_deg, speed=0.0, **friction):
    """A block on a slope that rises along x."""
    a = np.radians(slope_deg)
    along = (np.cos(a), 0, np.sin(a))
    m = ww.Mechanism("slope")
    m.add("block", ww.Body(mass=2, inertia=(1, 1, 1), velocity=tuple(speed * np.array(along))))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=along))
    m.add("rubbing", ww.Friction(joint="slide", **friction))
    return m


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_slip_distance(method):
    """v^2 / (2 mu g) on the level, in v / (mu g)."""
    r = block_on(0, speed=3, coefficient=0.4).simulate(end=2, method=method)
    (stop,) = [e for e in r.events if e.kind is EventKind.STICK]
    assert stop.t == pytest.approx(3 / (0.4 * G), abs=1e-8)
    assert r["slide.displacement"].to_numpy()[-1] == pytest.approx(9 / (2 * 0.4 * G), abs=1e-8)


def test_up_a_slope_and_back():
    """Up: a = g (sin + mu cos); down again, for tan > mu, with g (sin - mu cos)."""
    a, mu, v = np.radians(30), 0.2, 4.0
    r = block_on(30, speed=v, coefficient=mu).simulate(end=2, output=200)
    up, down = G * (np.sin(a) + mu * np.cos(a)), G * (np.sin(a) - mu * np.cos(a))
    top = v / up
    t = r.t
    exact = np.where(t < top, v * t - up * t**2 / 2, v * top / 2 - down * (t - top) ** 2 / 2)
    assert r["slide.displacement"].to_numpy() == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize(("degrees", "holds"), [(16.6, True), (16.8, False)])
def test_holds_below_the_angle_of_friction(degrees, holds):
    """tan(16.7 deg) = 0.3."""
    r = block_on(degrees, coefficient=0.3).simulate(end=1, output=10)
    moved = abs(r["slide.displacement"].to_numpy()[-1])
    if holds:
        assert moved < 1e-12
    else:
        a = np.radians(degrees)
        assert moved == pytest.approx(G / 2 * (np.sin(a) - 0.3 * np.cos(a)), rel=1e-6)


def test_sticks_until_the_static_limit_is_exceeded():
    """Pushed with 2 N/s: at rest until 1.5 mu m g, then with mu m g against it."""
    m = block_on(0, coefficient=0.2, static_ratio=1.5)
    m.add("push", ww.Actuator(joint="slide", value="2*t"))
    r = m.simulate(end=5, output=500)
    slide = 0.2 * 2 * G
    breaks = 1.5 * slide / 2
    (event,) = [e for e in r.events if e.kind is EventKind.SLIDE]
    assert event.t == pytest.approx(breaks, abs=1e-8)
    resting = r.t < breaks
    assert abs(r["slide.displacement"].to_numpy()[resting]).max() < 1e-12
    assert r["rubbing.force"].to_numpy()[resting] == pytest.approx(-2 * r.t[resting], abs=1e-9)
    s = r.t[~resting] - breaks
    # 2 x'' = 2 (breaks + s) - slide
    exact = (breaks - slide / 2) * s**2 / 2 + s**3 / 6
    assert r["slide.displacement"].to_numpy()[~resting] == pytest.approx(exact, abs=1e-7)


def test_breaks_loose_within_a_long_rest():
    """A short pulse after a long rest is not stepped over."""
    m = block_on(0, coefficient=0.2)
    m.add("pulse", ww.Actuator(joint="slide", value="if((t > 7.3)*(t < 7.4), 10, 0)"))
    r = m.simulate(end=10, output=100)
    a = (10 - 0.2 * 2 * G) / 2
    v = a * 0.1
    exact = v * 0.1 / 2 + v**2 / (2 * 0.2 * G)
    assert r["slide.displacement"].to_numpy()[-1] == pytest.approx(exact, rel=1e-3)


def test_flywheel_on_a_rubbing_bearing():
    """Constant friction torque T: it stops after J w/T, having turned J w^2/(2 T)."""
    m = ww.Mechanism("flywheel")
    m.add("wheel", ww.Rotor(inertia=0.5, speed=20))
    m.add("rubbing", ww.Friction(joint="wheel.bearing", coulomb=2))
    r = m.simulate(end=8)
    (stop,) = [e for e in r.events if e.kind is EventKind.STICK]
    assert stop.t == pytest.approx(5, abs=1e-8)
    assert r["wheel.angle"].to_numpy()[-1] == pytest.approx(50, abs=1e-6)


def test_bearing_friction_depends_on_the_load():
    """A balanced wheel of 4 kg on a journal of 30 mm: torque mu r m g."""
    m = ww.Mechanism("journal")
    m.add("wheel", ww.Body(mass=4, inertia=(0.1, 0.2, 0.1), angular_velocity=(0, 10, 0)))
    m.add("bearing", ww.Revolute(bodies=("ground", "wheel"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("rubbing", ww.Friction(joint="bearing", coefficient=0.1, radius=0.03))
    r = m.simulate(end=1, output=10)
    torque = 0.1 * 0.03 * 4 * G
    assert r["bearing.w"].to_numpy() == pytest.approx(10 - torque / 0.2 * r.t, abs=1e-8)
    assert r["rubbing.torque"].to_numpy() == pytest.approx(-torque, abs=1e-9)


@pytest.mark.slow
def test_swinging_pendulum_with_journal_friction_loses_what_friction_takes():
    """Energy balance with a load that changes through the swing: the work of mu r |F| along the angle."""
    m = pendulum(angle=0.0)
    m.add("rubbing", ww.Friction(joint="hinge", coefficient=0.15, radius=0.05))
    r = m.simulate(end=3, output=3000)
    force = np.linalg.norm(r["hinge.reaction.force"].to_numpy(), axis=1)
    moving = abs(r["hinge.w"].to_numpy()) > 1e-3
    friction = abs(r["rubbing.torque"].to_numpy())
    assert friction[moving] == pytest.approx(0.15 * 0.05 * force[moving], rel=1e-6)
    power = r["rubbing.torque"].to_numpy() * r["hinge.w"].to_numpy()
    assert power.max() < 1e-12
    lost = np.append(0, np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(r.t)))
    energy = r["energy.total"].to_numpy()
    assert energy - energy[0] == pytest.approx(lost, abs=1e-4)  # trapezoids of 1 ms


def test_viscous_friction():
    m = block_on(0, speed=3, viscous=1.0)
    r = m.simulate(end=2, output=20)
    assert r["slide.speed"].to_numpy() == pytest.approx(3 * np.exp(-r.t / 2), abs=1e-8)


def test_two_joints_break_loose_at_once():
    """The same block twice: what happens to one happens to the other at the same moment."""
    m = ww.Mechanism("twins")
    for k in (1, 2):
        m.add(f"block{k}", ww.Body(mass=2, inertia=(1, 1, 1), position=(0, k, 0)))
        m.add(f"slide{k}", ww.Prismatic(bodies=("ground", f"block{k}"), point=(0, k, 0), axis=(1, 0, 0)))
        m.add(f"rubbing{k}", ww.Friction(joint=f"slide{k}", coefficient=0.2))
        m.add(f"push{k}", ww.Actuator(joint=f"slide{k}", value="8*sin(2*t)"))
    r = m.simulate(end=5, output=500)
    assert r.outcome.good, r.report
    first, second = (r[f"slide{k}.displacement"].to_numpy() for k in (1, 2))
    assert np.ptp(first) > 0.1
    assert first == pytest.approx(second, abs=1e-9)


def test_a_loop_with_a_rubbing_hinge_breaks_loose():
    """A hinge with dry friction in a four-bar with redundant joints, at rest, which its weight drives: round-off in the
    accelerations of a joint that sticks was taken for a motion that others force on it (robustness, number 82)."""
    m = ww.Mechanism("four-bar", gravity=(0, 0, -9.81))
    corners = [np.array(p) for p in ((0, 0, 0), (0.3, 0, 0.4), (1.2, 0, 0.5), (1.0, 0, 0))]
    for k in range(3):
        middle = tuple((corners[k] + corners[k + 1]) / 2)
        m.add(f"bar{k}", ww.Body(mass=1, inertia=(0.05, 0.05, 0.05), position=middle))
    names = ["ground", "bar0", "bar1", "bar2", "ground"]
    for k in range(4):
        pair = (names[k], names[k + 1])
        m.add(f"hinge{k}", ww.Revolute(bodies=pair, point=tuple(corners[k]), axis=(0, 1, 0)))
    free = m.simulate(0.3, output=3, formulation="absolute")
    m.add("rubbing", ww.Friction(joint="hinge3", coulomb=1e-9))
    r = m.simulate(0.3, output=3)
    assert r.outcome.good, r.report
    np.testing.assert_allclose(r["hinge0.angle"].values, free["hinge0.angle"].values, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_friction_in_a_hinge_that_cannot_move(formulation):
    """Two bars make a truss with the ground; a pendulum on its top swings as on a wall.

    What a hinge of the truss would hold by friction is not determined, and may be more than its limit: giving way moves
    nothing. Sticking and giving way were tried in turn without end (robustness, switching 69, 112, 155).
    """
    m = ww.Mechanism("truss", kind="planar", gravity=(0, -9.81))
    for k, foot in enumerate((0.0, 1.0)):
        m.add(f"bar{k}", ww.Body(mass=3, inertia=0.2, position=((foot + 0.4) / 2, 0.35)))
        m.add(f"foot{k}", ww.Revolute(bodies=("ground", f"bar{k}"), point=(foot, 0)))
    m.add("top", ww.Revolute(bodies=("bar0", "bar1"), point=(0.4, 0.7)))
    m.add("bob", ww.Body(mass=1, inertia=0.01, position=(0.7, 0.7)))
    m.add("swing", ww.Revolute(bodies=("bar1", "bob"), point=(0.4, 0.7)))
    for joint in ("foot0", "foot1", "top"):
        m.add(f"rubbing-{joint}", ww.Friction(joint=joint, coulomb=0.01, static_ratio=1.2))
    m.add("rubbing", ww.Friction(joint="swing", coulomb=0.2))
    r = m.simulate(end=1, output=50, formulation=formulation, rtol=1e-9, atol=1e-11)
    assert r.outcome.good, r.report
    wall = ww.Mechanism("wall", kind="planar", gravity=(0, -9.81))
    wall.add("bob", ww.Body(mass=1, inertia=0.01, position=(0.7, 0.7)))
    wall.add("swing", ww.Revolute(bodies=("ground", "bob"), point=(0.4, 0.7)))
    wall.add("rubbing", ww.Friction(joint="swing", coulomb=0.2))
    alone = wall.simulate(end=1, output=50, rtol=1e-9, atol=1e-11)
    assert r["bob.angle"].to_numpy() == pytest.approx(alone["bob.angle"].to_numpy(), abs=1e-7)
    for joint in ("foot0", "foot1", "top"):
        assert abs(r[f"rubbing-{joint}.torque"].to_numpy()).max() <= 0.012 * (1 + 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [69, 79, 97, 112, 127])
def test_random_machines_whose_friction_was_not_solved(seed):
    """Joints that the mechanism itself holds; in free fall (97), reactions that are nothing but round-off."""
    r = random_mechanism(seed, "switching")[1].simulate(end=0.1, output=20)
    assert r.outcome.good, r.report
    assert abs(r.energy_balance().remainder).max() < 1e-4 * max(r.energy_balance().scale, 1e-6)
