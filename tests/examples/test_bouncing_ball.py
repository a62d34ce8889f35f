"""The bouncing ball against the geometric series of its hops."""

import numpy as np
import pytest

from wheelwork.engine.engine import EventKind

from .bundled import result

G, HEIGHT, E, MASS, REST_SPEED = 9.80665, 1.0, 0.8, 0.5, 1e-3
FALL = np.sqrt(2 * HEIGHT / G)


def impact_times(count):
    """FALL, then hops of 2 FALL e, 2 FALL e^2, ..."""
    return FALL + np.append(0, np.cumsum(2 * FALL * E ** np.arange(1, count)))


def test_times_and_impulses_of_the_impacts():
    impacts = [e for e in result("bouncing-ball").events if e.kind is EventKind.IMPACT]
    # located to 1e-10 s each, and an error in one impact's speed goes on into the next ones
    assert [e.t for e in impacts] == pytest.approx(impact_times(len(impacts)), abs=1e-8)
    speeds = np.sqrt(2 * G * HEIGHT) * E ** np.arange(len(impacts))
    assert [e.size for e in impacts] == pytest.approx(MASS * (1 + E) * speeds, abs=1e-8)


def test_it_comes_to_rest():
    r = result("bouncing-ball")
    rest = [e for e in r.events if e.kind is EventKind.REST]
    assert len(rest) == 1
    # later impacts would all come within the hops that are left out: less than 2 v/g/(1 - e) with v the rest speed
    exact = FALL * (1 + E) / (1 - E)
    assert exact - 2 * REST_SPEED / G / (1 - E) / E <= rest[0].t <= exact
    after = r.t > exact
    assert r["ball.position.z"].to_numpy()[after] == pytest.approx(0.05, abs=1e-9)
    assert r["ball.velocity.z"].to_numpy()[after] == pytest.approx(0, abs=1e-12)
    assert r["ground-contact.force.normal"].to_numpy()[after] == pytest.approx(MASS * G, rel=1e-12)


def test_it_never_goes_through_the_ground():
    assert result("bouncing-ball")["ground-contact.gap"].min() > -1e-9
