"""Events: located to tolerance, in both directions, whatever the steps and the output."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.engine import EventKind

from .models import G

METHODS = {"dopri5": {}, "sdirk4": {}, "rk4": {"step": 1e-3}}


def dropped(law, height=1.0):
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, height)))
    contact = ww.Contact(a={"body": "ball"}, b={"type": "plane"}, law=law)
    m.add("ground-contact", contact)
    return m


def oscillator(**friction):
    """A block of 1 kg on a slide, thrown with 1 m/s against a spring of 100 N/m that it pulls and pushes."""
    m = ww.Mechanism("block")
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), velocity=(1, 0, 0)))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    spring = {"point_a": (-2, 0, 0), "point_b": (0, 0, 0), "stiffness": 100}
    m.add("spring", ww.Spring(bodies=("ground", "block"), **spring))
    if friction:
        m.add("rubbing", ww.Friction(joint="slide", **friction))
    return m


@pytest.mark.parametrize("method", METHODS)
def test_impact_time(method):
    """Free fall is a parabola, which every method integrates exactly: what is left is the location of the event."""
    r = dropped({"type": "restitution", "coefficient": 1}).simulate(
        end=2, output=7, method=method, **METHODS[method]
    )
    fall = np.sqrt(2 / G)
    times = [e.t for e in r.events if e.kind is EventKind.IMPACT]
    assert times == pytest.approx(fall * np.array([1, 3]), abs=1e-9)


@pytest.mark.parametrize("output", [1, 10, 1000])
def test_events_do_not_depend_on_the_output(output):
    r = dropped({"type": "restitution", "coefficient": 0.5}).simulate(end=2, output=output)
    fall = np.sqrt(2 / G)
    exact = fall * (1 + 2 * np.cumsum(np.append(0, 0.5 ** np.arange(1, 8))))
    times = [e.t for e in r.events if e.kind is EventKind.IMPACT][:8]
    assert times == pytest.approx(exact, abs=1e-8)


def test_output_times_do_not_depend_on_steps_or_events():
    m = dropped({"type": "restitution", "coefficient": 0.5})
    r = m.simulate(end=2, output=13)
    assert r.t == pytest.approx(np.linspace(0, 2, 14), abs=1e-15)
    assert len(r["ball.position.z"]) == 14
    fall = np.sqrt(2 / G)
    first = r.t < fall
    assert r["ball.position.z"].to_numpy()[first] == pytest.approx(1 - G / 2 * r.t[first] ** 2, abs=1e-12)
    hop = (r.t > fall) & (r.t < 2 * fall)
    s = r.t[hop] - fall
    assert r["ball.position.z"].to_numpy()[hop] == pytest.approx(0.5 * G * fall * s - G / 2 * s**2, abs=1e-9)


def test_output_is_the_same_whatever_else_is_output():
    """A value at a time is the same in a coarse and a fine output: steps are the error's affair alone."""
    m = oscillator()
    coarse, fine = m.simulate(end=3, output=3), m.simulate(end=3, output=300)
    for name in ("block.position.x", "energy.total", "slide.reaction.force"):
        assert coarse[name].to_numpy() == pytest.approx(fine[name].to_numpy()[::100], abs=1e-13)
    assert coarse.statistics.steps == fine.statistics.steps


@pytest.mark.parametrize("method", METHODS)
def test_dry_friction_stops_and_turns(method):
    """Coulomb friction F on an oscillator: half swings of pi/w, each turning point 2 F/k nearer, until |k x| < F."""
    F, k, w = 4.0, 100.0, 10.0
    r = oscillator(coulomb=F).simulate(end=3, output=300, method=method, **METHODS[method])
    offset = F / k
    # first from x = 0 to the right, about -offset
    amplitude = np.hypot(offset, 1 / w)
    turns = [np.arctan2(1 / w, offset) / w]
    x = amplitude - offset
    positions = [x]
    while abs(x) > offset:
        x = -np.sign(x) * (abs(x) - 2 * offset)
        turns.append(turns[-1] + np.pi / w)
        positions.append(x)
    # turning round is not worth a note, coming to rest is
    (stop,) = [e.t for e in r.events if e.kind is EventKind.STICK]
    assert stop == pytest.approx(turns[-1], abs=1e-7)
    assert r["block.position.x"].max() == pytest.approx(positions[0], abs=1e-4)  # an output near the turn
    after = r.t > turns[-1] + 0.01
    assert r["block.position.x"].to_numpy()[after] == pytest.approx(positions[-1], abs=1e-7)
    assert r["slide.speed"].to_numpy()[after] == pytest.approx(0, abs=1e-12)
    assert r["rubbing.force"].to_numpy()[after] == pytest.approx(k * positions[-1], abs=1e-5)


def test_compliant_contact_in_and_out():
    """Spring contact without damping: half a swing inside the ground, and back with the same speed."""
    k, mass, v = 2000.0, 0.5, np.sqrt(2 * G)
    r = dropped({"type": "compliant", "stiffness": k}).simulate(end=1.2, output=100, rtol=1e-10, atol=1e-12)
    w = np.sqrt(k / mass)
    inside = 2 / w * (np.pi - np.arctan(v * w / G))
    fall = np.sqrt(2 / G)
    s = r.t - (fall + inside)
    out = (s > 0) & (s < 2 * fall)
    assert r["ball.position.z"].to_numpy()[out] == pytest.approx(v * s[out] - G / 2 * s[out] ** 2, abs=5e-8)
    assert r["energy.total"].to_numpy() == pytest.approx(mass * G, abs=1e-6)


def test_hertz_contact_depth():
    """F = k d^1.5: all energy in the ground at the deepest point, 2/5 k d^2.5 = m g (h + d)."""
    from scipy.optimize import brentq

    k, mass = 1e6, 0.5
    law = {"type": "compliant", "stiffness": k, "exponent": 1.5}
    fall = np.sqrt(2 / G)
    r = dropped(law).simulate(end=fall + 0.02, output=20000)
    depth = brentq(lambda d: 0.4 * k * d**2.5 - mass * G * (1 + d), 0, 1)
    assert -r["ground-contact.gap"].min() == pytest.approx(
        depth, rel=1e-5
    )  # at an output near the deepest moment


def test_two_events_at_once():
    """Two equal balls dropped side by side hit at the same moment, and both impacts are there."""
    m = dropped({"type": "restitution", "coefficient": 0.5})
    m.add("twin", ww.Body(mass=3, inertia=(1, 1, 1), position=(1, 0, 1)))
    law = {"type": "restitution", "coefficient": 0.5}
    m.add("twin-contact", ww.Contact(a={"body": "twin"}, b={"type": "plane"}, law=law))
    r = m.simulate(end=1, output=10)
    first = [e for e in r.events if e.kind is EventKind.IMPACT][:2]
    assert {e.element for e in first} == {"ground-contact", "twin-contact"}
    assert [e.t for e in first] == pytest.approx([np.sqrt(2 / G)] * 2, abs=1e-9)
    assert r["ball.position.z"].to_numpy() == pytest.approx(r["twin.position.z"].to_numpy(), abs=1e-9)


def test_newtons_cradle_of_two():
    """Equal balls, elastic: they exchange velocities."""
    m = ww.Mechanism("cradle", gravity=(0, 0, 0))
    for name, x, v in (("left", 0.0, 2.0), ("right", 1.0, 0.0)):
        body = ww.Body(mass=1, inertia=(1, 1, 1), position=(x, 0, 0), velocity=(v, 0, 0))
        m.add(name, body)
    balls = {"a": {"body": "left", "radius": 0.1}, "b": {"type": "sphere", "body": "right", "radius": 0.1}}
    m.add("hit", ww.Contact(**balls, law={"type": "restitution", "coefficient": 1}))
    r = m.simulate(end=1, output=10)
    (event,) = [e for e in r.events if e.kind is EventKind.IMPACT]
    assert event.t == pytest.approx(0.4, abs=1e-9)
    assert event.size == pytest.approx(2, abs=1e-9)
    assert r["left.velocity.x"].to_numpy()[-1] == pytest.approx(0, abs=1e-12)
    assert r["right.velocity.x"].to_numpy()[-1] == pytest.approx(2, abs=1e-12)
    assert r["momentum.linear.x"].to_numpy() == pytest.approx(2, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_round_off_crosses_no_kink(method):
    """A motor pushes in vain against a guide that sticks: its curve has a corner where the crank stays."""
    for length in (0.2, 0.25, 0.3, 0.37):
        m = ww.Mechanism("crank", kind="planar", gravity=(0, -G))
        pin, end = (0.06, 0.08), (0.06 + float(np.sqrt(length**2 - 0.08**2)), 0.0)
        angle = float(np.arctan2(-0.08, end[0] - 0.06))
        m.add("crank", ww.Body(mass=0.4, inertia=3e-4, position=(0.03, 0.04)))
        rod = {"position": ((pin[0] + end[0]) / 2, 0.04), "angle": angle}
        m.add("rod", ww.Body(mass=0.6, inertia=0.05 * length**2, **rod))
        m.add("slider", ww.Body(mass=1.5, inertia=0.01, position=end))
        m.add("bearing", ww.Revolute(bodies=("ground", "crank"), point=(0, 0)))
        m.add("pin", ww.Revolute(bodies=("crank", "rod"), point=pin))
        m.add("wrist", ww.Revolute(bodies=("rod", "slider"), point=end))
        m.add("guide", ww.Translational(bodies=("ground", "slider"), point=end, axis=(1, 0)))
        m.add("rubbing", ww.Friction(joint="guide", coulomb=40))
        curve = {"speed": (-5, 0, 5), "torque": (1.2, 1.0, 0.2)}
        m.add("motor", ww.Motor(joint="bearing", curve=curve))
        r = m.simulate(end=0.2, output=20, method=method, **METHODS[method])
        assert r.outcome.good, r.report
        # every step goes on to its end: 200 of a fixed length, or about one for each of the output's
        assert r.statistics.steps <= (200 if method == "rk4" else 25)


def test_touching_of_elastic_things_is_listed():
    """Two rotors of 1 kg m^2 with play: contact lasts half a period of omega^2 = 2 k, then a flight of play/speed."""
    m = ww.Mechanism("play", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=1.0, speed=1.0))
    m.add("q", ww.Rotor(inertia=1.0, speed=0))
    m.add("c", ww.Clearance(bodies=("p", "q"), play=0.2, stiffness=100.0))
    lasts, flight = np.pi / np.sqrt(200), 0.2
    times = np.cumsum([0.1, lasts, flight, lasts, flight])
    for formulation in ("absolute", "reduced"):
        r = m.simulate(end=1.0, formulation=formulation, rtol=1e-9, atol=1e-11)
        kinds = [event.kind.name for event in r.events]
        assert kinds == ["TOUCHES", "PARTS", "TOUCHES", "PARTS", "TOUCHES"]
        assert {event.element for event in r.events} == {"c"}
        np.testing.assert_allclose([event.t for event in r.events], times, atol=1e-7)
    assert str(r.events[0]) == "t = 0.1 s: `c` touches"
    m.forces["c"] = ww.Clearance(bodies=("p", "q"), play=0.2, stiffness=100.0, damping=1.0, law="elastic")
    kinds = [event.kind.name for event in m.simulate(end=1.0).events]
    assert kinds[:3] == ["TOUCHES", "PARTS", "TOUCHES"]
