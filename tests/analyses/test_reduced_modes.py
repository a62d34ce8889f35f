"""Dry friction, impacts and cams in minimal coordinates: the events and every signal of absolute ones."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from robustness import compare, random_mechanism
from wheelwork import examples
from wheelwork.engine.engine import EventKind

from .cam_models import ECCENTRIC, cam_and_follower, circle_points, disc, flat, two_cams
from .test_locking import worm

METHODS: dict[str, dict[str, Any]] = {
    "dopri5": {"rtol": 1e-10, "atol": 1e-12},
    "sdirk4": {"rtol": 1e-9, "atol": 1e-11},
    "rk4": {"step": 1e-4},
}


def assert_same(
    m: ww.Mechanism, end: float, *, abs_t: float = 1e-7, rel: float = 1e-6, **options: Any
) -> Any:
    """The reduced run, whose events and signals are those of the absolute one."""
    given = {"end": end, "output": 50, **METHODS["dopri5"], **options}
    absolute, reduced = (m.simulate(formulation=name, **given) for name in ("absolute", "reduced"))
    assert absolute.outcome is reduced.outcome
    assert reduced.statistics.formulation.startswith("reduced")
    assert [(e.kind, e.element) for e in reduced.events] == [(e.kind, e.element) for e in absolute.events]
    for found, right in zip(reduced.events, absolute.events, strict=True):
        assert found.t == pytest.approx(right.t, abs=abs_t)
        assert (found.size, found.lost) == pytest.approx((right.size, right.lost), rel=1e-5, abs=1e-9)
    for name in absolute.catalogue.signals:
        if name.startswith("constraints.") or name.endswith((".orientation", ".residual")):
            continue
        a, b = (r[name].to_numpy() for r in (absolute, reduced))
        assert b == pytest.approx(a, abs=rel * max(1.0, np.abs(a).max(initial=0.0))), name
    return reduced


def shaft(*frictions: dict[str, float], ramp: str = "2*t") -> ww.Mechanism:
    """Two wheels in mesh, the second of which is pushed; dry friction in both bearings."""
    m = ww.Mechanism("shaft", kind="planar", gravity=(0, 0))
    m.add("small", ww.Body(mass=1, inertia=1e-3))
    m.add("large", ww.Body(mass=4, inertia=2e-2, position=(0.15, 0)))
    m.add("first", ww.Revolute(bodies=("ground", "small"), point=(0, 0)))
    m.add("second", ww.Revolute(bodies=("ground", "large"), point=(0.15, 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("small", "large"), teeth=(20, 40)))
    for joint, friction in zip(("first", "second"), frictions, strict=False):
        m.add(f"rubbing-{joint}", ww.Friction(joint=joint, **friction))
    m.add("push", ww.Actuator(joint="second", value=ramp))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_constant_friction_breaks_loose_and_stops(method):
    """2 t N m against 0.6 N m in one bearing: loose at 0.36 s with 1.2 times that; at rest again after 1 s."""
    m = shaft({}, {"coulomb": 0.6, "static_ratio": 1.2}, ramp="if(t < 1, 2*t, 0)")
    r = assert_same(m, 2.5, method=method, **METHODS[method])
    assert "straight-line code" in r.statistics.formulation
    loose, stop = r.events
    assert (loose.kind, loose.t) == (EventKind.SLIDE, pytest.approx(0.36, abs=1e-8))
    inertia = 2e-2 + 4 * 1e-3  # at the second shaft
    speed = ((1 - 0.36**2) - 0.6 * (1 - 0.36)) / inertia
    assert stop.kind is EventKind.STICK
    assert stop.t == pytest.approx(1 + speed * inertia / 0.6, abs=1e-7)


@pytest.mark.slow
def test_two_bearings_share_what_they_hold():
    """Whichever gives way first, the shaft turns when both are at their limit: 0.6 + 2*0.2 N m at 2 N m/s."""
    r = assert_same(shaft({"coulomb": 0.2}, {"coulomb": 0.6}), 1.0)
    assert max(e.t for e in r.events if e.kind is EventKind.SLIDE) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "end"), [("stick-slip", 4.0), ("bouncing-ball", 2.5), ("worm-lift", 3.2)])
def test_examples(name, end):
    assert assert_same(ww.load(examples.path(name)), end, abs_t=1e-6, rel=1e-5).events


@pytest.mark.slow
def test_a_cross_that_falls_on_its_arms():
    """Four contacts, with jumps of 24 impacts: what events leave open at 1e-10 s grows."""
    r = assert_same(ww.load(examples.path("falling-cross-rigid")), 0.5)
    assert {e.kind for e in r.events} <= {EventKind.IMPACT, EventKind.REST, EventKind.RELEASE}
    assert r.events


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_a_worm_locks(method):
    r = assert_same(worm(1e-5, "0.01*sin(9*t)"), 0.6, method=method, **METHODS[method])
    (locked,) = [e for e in r.events if e.kind is EventKind.LOCKED]
    assert locked.t == pytest.approx(np.pi / 9, abs=2e-9)


def test_an_impact_moves_a_joint_that_stuck():
    """A ball falls on a lever that its hinge holds: the impulse sets it loose, and friction stops it again."""
    m = ww.Mechanism("lever", kind="planar")
    m.add("lever", ww.Body(mass=2, inertia=0.05, position=(0.2, 0)))
    m.add("ball", ww.Body(mass=0.5, inertia=1e-3, position=(0.35, 0.3)))
    m.add("hinge", ww.Revolute(bodies=("ground", "lever"), point=(0, 0)))
    m.add("rubbing", ww.Friction(joint="hinge", coulomb=8, static_ratio=1.5))
    plane = ww.ContactPlane(body="lever", normal_in_body=(0, 1))
    law = ww.Restitution(coefficient=0.5)
    m.add("hit", ww.Contact(a=ww.ContactSphere(body="ball", radius=0.05), b=plane, law=law))
    r = assert_same(m, 0.5)
    assert [e.kind for e in r.events][:3] == [EventKind.IMPACT, EventKind.SLIDE, EventKind.STICK]
    hit = r.events[0]
    v = np.sqrt(2 * 9.80665 * 0.25)
    J = 0.05 + 2 * 0.2**2
    assert hit.size == pytest.approx(1.5 * v / (1 / 0.5 + 0.35**2 / J), rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    "cam",
    [
        cam_and_follower(flat(ECCENTRIC), angular_velocity=4.0),
        cam_and_follower(flat(circle_points(60)), angular_velocity=4.0),
        two_cams(ww.CamCam(bodies=("one", "two"), outline_a=disc(0.2, 0.6), outline_b=disc(0.15, 0.5),
                           point_a=(0, 0), point_b=(1.3, 0))),
    ],
    ids=["formula", "spline", "cam on cam"],
)  # fmt: skip
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_cams(cam, method):
    r = assert_same(cam, 2.0, method=method, **METHODS[method])
    assert "follow cams" in r.statistics.formulation
    assert "straight-line code" in r.statistics.formulation
    energy = r["energy.total"].to_numpy()
    assert np.ptp(energy) < 1e-6 * np.abs(energy).max()
    assert np.ptp(r["cam.angle" if "cam" in cam.bodies else "two.angle"].to_numpy()) > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cam-follower", "geneva"])
def test_driven_cams(name):
    r = assert_same(ww.load(examples.path(name)), 0.03)
    assert "straight-line code" in r.statistics.formulation


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 7, 10, 14])
def test_random(seed):
    m = random_mechanism(seed, "switching")[1]
    found = compare(m, ("absolute", "reduced"))
    assert found.wrong == []
    assert found.ran["reduced"].startswith("reduced")


@pytest.mark.parametrize(
    ("name", "formulation"),
    [
        ("planetary", "reduced"),  # with a driver
        ("bevel-wrist", "reduced"),
        ("falling-cross", "reduced"),  # an open tree of five bodies
        ("pendulum", "absolute"),
        ("four-bar", "absolute"),
        ("cam-follower", "absolute"),
        ("stick-slip", "absolute"),
        ("worm-lift", "absolute"),
        ("bouncing-ball", "absolute"),
    ],
)
def test_what_auto_takes(name, formulation):
    r = ww.load(examples.path(name)).simulate(end=1e-3, output=1)
    assert r.statistics.formulation.startswith(formulation)
