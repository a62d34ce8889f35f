"""Hard stops: rebounds by Newton's law, rest, compliant stops against the oscillator, what is refused."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.engine import EventKind

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])


def slider(speed: float = 2.0, **stop: Any) -> ww.Mechanism:
    m = ww.Mechanism("slider", gravity=(0, 0, 0))
    m.add("block", ww.Body(mass=3, inertia=(1, 1, 1), velocity=(speed, 0, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("ends", ww.Stop(joint="guide", **stop))
    return m


@BOTH
def test_rebounds_between_two_stops(formulation):
    """Each rebound leaves e times the speed: hits at 0.5/v, then after 1.1/(e v), 1.1/(e^2 v) ..."""
    m = slider(lower=-0.6, upper=0.5, restitution=0.8)
    r = m.simulate(end=3, output=30, formulation=formulation)
    hits = [0.25, *(0.25 + np.cumsum(1.1 / (2 * 0.8 ** np.arange(1, 4))))]
    assert [e.t for e in r.events] == pytest.approx(hits, abs=1e-7)
    assert [e.kind for e in r.events] == [EventKind.IMPACT] * 4
    assert [e.size for e in r.events] == pytest.approx(3 * 2 * 0.8 ** np.arange(4) * 1.8, rel=1e-8)
    assert r.events[0].lost == pytest.approx(3 * 4 / 2 * (1 - 0.8**2), rel=1e-8)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-6 * balance.scale
    assert r["ends.upper.gap"].to_numpy().min() > -1e-9


@BOTH
def test_a_wheel_rests_on_its_stop_after_turns_and_leaves_it(formulation):
    """Driven up against a stop at three turns it stays there and presses with the torque; pulled back it leaves."""
    m = ww.Mechanism("wheel", gravity=(0, 0, 0))
    m.add("wheel", ww.Rotor(inertia=0.5))
    m.add("end", ww.Stop(joint="wheel.bearing", upper=6 * np.pi))
    m.add("motor", ww.Actuator(joint="wheel.bearing", value="if(t < 4, 2, -2)"))
    r = m.simulate(end=5, output=100, formulation=formulation)
    rest, release = r.events
    assert (rest.kind, rest.t) == (EventKind.REST, pytest.approx(np.sqrt(6 * np.pi / 2), abs=1e-7))
    assert (release.kind, release.t) == (EventKind.RELEASE, pytest.approx(4.0, abs=1e-7))
    resting = (r.t > rest.t) & (r.t < 3.99)
    assert r["end.upper.torque"].to_numpy()[resting] == pytest.approx(2.0, rel=1e-9)
    assert r["wheel.angle"].to_numpy()[-1] == pytest.approx(6 * np.pi - 2, abs=1e-7)


@BOTH
def test_compliant_stop(formulation):
    """Depth v sqrt(m/k) a quarter period after the gap closes; the speed comes back without damping."""
    r = slider(upper=0.1, stiffness=3e4).simulate(
        end=0.15, output=1500, formulation=formulation, rtol=1e-10, atol=1e-12
    )
    away = np.sqrt(3 / 3e4)
    depth = r["guide.displacement"].to_numpy() - 0.1
    assert depth.max() == pytest.approx(2 * away, rel=1e-5)
    assert r.t[depth.argmax()] == pytest.approx(0.05 + np.pi / 2 * away, abs=1e-4)
    assert r["guide.speed"].to_numpy()[-1] == pytest.approx(-2, rel=1e-7)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-7 * 6


def test_what_is_refused():
    with pytest.raises(ww.ModelError, match="must be greater than `lower`"):
        slider(lower=1, upper=0.5).simulate(end=0.1)
    with pytest.raises(ww.ModelError, match=r"0.2 m beyond the upper stop"):
        slider(upper=-0.2).simulate(end=0.1)
    inside = slider(upper=0.5)
    inside.add("inner", ww.Stop(joint="guide", upper=0.3))
    with pytest.raises(
        ww.ModelError,
        match=r"the upper stop `ends` at 0.5 m is never reached: `inner` stops `guide` at 0.3 m",
    ):
        inside.simulate(end=0.1)
    soft = slider(upper=0.5)
    soft.add("inner", ww.Stop(joint="guide", upper=0.3, stiffness=100.0))
    found = [(event.element, event.kind) for event in soft.simulate(end=0.5).events]
    assert found[:2] == [("inner", EventKind.TOUCHES), ("ends", EventKind.REST)]


def moving(joint: str) -> ww.Mechanism:
    """A block that moves along, or turns about, x in a joint with coordinates; in the plane for those of the plane."""
    planar = joint == "translational"
    m = ww.Mechanism("block", kind="planar" if planar else "spatial", gravity=(0, 0) if planar else (0, 0, 0))
    if planar:
        m.add("block", ww.Body(mass=3, inertia=1, velocity=(2, 0)))
        m.add("guide", ww.Translational(bodies=("ground", "block"), point=(0, 0), axis=(1, 0)))
        return m
    w = 2 * np.pi * 2 / 5 if joint == "screw" else 0.0
    m.add("block", ww.Body(mass=3, inertia=(1, 1, 1), velocity=(2, 0, 0), angular_velocity=(w, 0, 0)))
    place: dict[str, Any] = {"bodies": ("ground", "block"), "point": (0, 0, 0), "axis": (1, 0, 0)}
    kinds = {
        "cylindrical": ww.Cylindrical,
        "prismatic": ww.Prismatic,
        "screw": ww.Screw,
    }
    if joint == "screw":
        place["lead"] = 5.0
    m.add("guide", kinds[joint](**place))
    return m


@BOTH
@pytest.mark.parametrize("rigid", [True, False])
@pytest.mark.parametrize("joint", ["cylindrical", "prismatic", "screw", "translational"])
def test_stops_of_every_displacement(formulation, joint, rigid):
    """At 2 m/s it comes to 0.5 m after 0.25 s, and back with 0.6 of its speed, or all of it."""
    m = moving(joint)
    law = {"restitution": 0.6} if rigid else {"stiffness": 3e6}
    m.add("ends", ww.Stop(joint="guide", coordinate="displacement", upper=0.5, **law))
    r = m.simulate(end=0.5, output=50, formulation=formulation, rtol=1e-10, atol=1e-12)
    if rigid:
        assert [event.t for event in r.events] == pytest.approx([0.25], abs=1e-8)
    assert r["guide.speed"].to_numpy()[-1] == pytest.approx(-1.2 if rigid else -2.0, rel=1e-6)
    assert r["guide.displacement"].to_numpy().max() < 0.5 + (1e-9 if rigid else 0.01)


@BOTH
@pytest.mark.parametrize("rigid", [True, False])
def test_stop_of_the_angle_of_a_cylindrical_joint(formulation, rigid):
    """It stops the turning and leaves the sliding as it is."""
    m = ww.Mechanism("rod", gravity=(0, 0, 0))
    m.add("rod", ww.Body(mass=3, inertia=(1, 1, 1), velocity=(2, 0, 0), angular_velocity=(4, 0, 0)))
    m.add("guide", ww.Cylindrical(bodies=("ground", "rod"), point=(0, 0, 0), axis=(1, 0, 0)))
    law = {"restitution": 0.5} if rigid else {"stiffness": 1e6}
    m.add("ends", ww.Stop(joint="guide", coordinate="angle", upper=10.0, **law))
    r = m.simulate(end=3, output=30, formulation=formulation, rtol=1e-10, atol=1e-12)
    assert r["guide.w"].to_numpy()[-1] == pytest.approx(-2.0 if rigid else -4.0, rel=1e-6)
    assert r["guide.speed"].to_numpy() == pytest.approx(2.0, rel=1e-9)
