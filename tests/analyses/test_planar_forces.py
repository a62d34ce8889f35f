"""Forces along the coordinates of planar slides, against closed solutions."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .planar_models import G, slider_crank

MASS, ALONG = 2.0, np.array([0.6, 0.8])
SLIDES: dict[str, Any] = {
    "translational": ww.Translational(bodies=("ground", "block"), point=(0, 0), axis=(3, 4)),
    "revolute_translational": ww.RevoluteTranslational(
        bodies=("ground", "block"), point_a=(0, 0), axis=(3, 4), point_b=(0, 0)
    ),
}
slides = pytest.mark.parametrize("kind", SLIDES)


def block(kind: str, speed: float | None = None, gravity: tuple[float, float] = (0, 0)) -> ww.Mechanism:
    """A block on a slide along (3, 4)."""
    m = ww.Mechanism("block", kind="planar", gravity=gravity)
    velocity = None if speed is None else (float(speed * ALONG[0]), float(speed * ALONG[1]))
    m.add("block", ww.Body(mass=MASS, inertia=0.5, velocity=velocity))
    m.add("slide", SLIDES[kind])
    if kind == "revolute_translational":
        m.add("level", ww.Absolute(body="block", coordinate="angle"))
    return m


@slides
def test_viscous_friction(kind):
    """v = v0 exp(-c t/m)."""
    m = block(kind, speed=5)
    m.add("oil", ww.Friction(joint="slide", viscous=3.0))
    r = m.simulate(end=2, output=20)
    speed = 5 * np.exp(-1.5 * r.t)
    assert r["slide.speed"].to_numpy() == pytest.approx(speed, abs=1e-7)
    assert r["oil.viscous"].to_numpy() == pytest.approx(-3 * speed, abs=1e-6)


@slides
def test_actuator(kind):
    """F = 4 sin(3 t): v = 4/(3 m) (1 - cos(3 t)), and its power."""
    m = block(kind)
    m.add("drive", ww.Actuator(joint="slide", value="4*sin(3*t)"))
    r = m.simulate(end=2, output=20)
    speed = 4 / (3 * MASS) * (1 - np.cos(3 * r.t))
    assert r["block.velocity"].to_numpy() == pytest.approx(speed[:, None] * ALONG, abs=1e-7)
    assert r["drive.power"].to_numpy() == pytest.approx(4 * np.sin(3 * r.t) * speed, abs=1e-6)


@slides
def test_dry_friction_on_a_slope(kind):
    """Shot upwards it slows by g (sin a + mu cos a), and stays for mu > tan(a): friction carries the weight."""
    m = block(kind, speed=5, gravity=(0, -G))
    m.add("rubbing", ww.Friction(joint="slide", coefficient=1.5))
    r = m.simulate(end=1, output=50)
    slowing = G * (0.8 + 1.5 * 0.6)
    stop = 5 / slowing
    moving = r.t < stop
    way = 5 * r.t - slowing * r.t**2 / 2
    found = r["slide.displacement"].to_numpy()
    assert found[moving] == pytest.approx(way[moving], abs=1e-7)
    assert found[~moving] == pytest.approx(5**2 / (2 * slowing), abs=1e-7)
    force = r["rubbing.force"].to_numpy()
    assert force[moving] == pytest.approx(-1.5 * MASS * G * 0.6, abs=1e-6)
    assert force[~moving] == pytest.approx(MASS * G * 0.8, abs=1e-6)
    assert [e.t for e in r.events] == pytest.approx([stop], abs=1e-7)


@slides
def test_driver(kind):
    m = block(kind, gravity=(0, -G))
    m.add("drive", ww.JointDriver(joint="slide", value="0.3*sin(2*t)"))
    r = m.inverse(end=2, output=20)
    force = MASS * (-1.2 * np.sin(2 * r.t) + G * 0.8)
    assert r["drive.force"].to_numpy() == pytest.approx(force, abs=1e-9)
    assert r["block.position"].to_numpy() == pytest.approx(0.3 * np.sin(2 * r.t)[:, None] * ALONG, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(
    "frictions",
    [pytest.param(("slide",), id="one"), pytest.param(("slide", "bearing"), id="two")],
)
def test_friction_in_a_linkage_that_runs_down(frictions):
    """The slider reverses at every dead centre and friction with it; the work of friction is what energy loses.

    Along the slide it is c + mu N against the motion, with N across it; in the bearing c + r mu |f|. At last all stops,
    at one moment: there is one degree of freedom.
    """
    m = slider_crank()
    m.bodies["crank"].angular_velocity = 6.0
    m.add("rubbing", ww.Friction(joint="slide", coefficient=0.1, coulomb=1.0))
    if "bearing" in frictions:
        m.add("journal", ww.Friction(joint="bearing", coefficient=0.1, radius=0.02, coulomb=0.01))
    r = m.simulate(end=3, output=30000)
    assert r.outcome.good, r.report
    v, w = r["slide.speed"].to_numpy(), r["bearing.w"].to_numpy()
    across = np.abs(r["slide.reaction.force.y"].to_numpy())
    carried = np.linalg.norm(r["bearing.reaction.force"].to_numpy(), axis=1)
    cases = {"rubbing.force": (v, 1.0 + 0.1 * across), "journal.torque": (w, 0.01 + 0.1 * 0.02 * carried)}
    power = np.zeros(len(r.t))
    for signal, (rate, law) in cases.items():
        if signal not in r:
            continue
        effort, moving = r[signal].to_numpy(), np.abs(rate) > 1e-4
        assert effort[moving] == pytest.approx(-np.sign(rate[moving]) * law[moving], rel=1e-6)
        assert (np.abs(effort) <= law * (1 + 1e-6)).all()
        power += effort * rate
    fast = v[np.abs(v) > 1e-4]
    assert np.sum(np.diff(np.sign(fast)) != 0) >= 2, "reversals to speak of"
    energy = r["energy.total"].to_numpy()
    work = np.append(0, np.cumsum(np.diff(r.t) * (power[1:] + power[:-1]) / 2))
    # trapezoids of 0.1 ms; where the force jumps, at a reversal, the speed is nil
    assert energy - energy[0] == pytest.approx(work, abs=1e-4 * np.ptp(energy))
    assert (v[-1], w[-1]) == pytest.approx((0, 0), abs=1e-12)
