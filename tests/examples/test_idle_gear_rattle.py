"""Gear rattle: the threshold, flights through the backlash and the rate of impacts, against ballistics."""

import numpy as np
import pytest
from scipy.optimize import brentq

from .bundled import model, result

R2 = 45 * 2.5e-3 / 2 * np.cos(np.radians(20))
INERTIA, DRAG, K, C, PLAY = 1e-3, 0.4, 2e7, 2000.0, 0.3e-3
M_E = INERTIA / R2**2  # the pinion is driven: it does not give way
PUSH = DRAG / INERTIA * R2
"""With which the drag alone closes the front flanks [m/s^2]."""
W = 2 * np.pi * 25
NATURAL = np.sqrt(K / M_E)


def rattle(severity, end=0.8, **parameters):
    r = (
        model("idle-gear-rattle")
        .with_parameters(severity=severity, **parameters)
        .run(end=end, output=int(end * 20_000))
    )
    assert r.outcome.good, r.report
    return r


def hits(r, side, start=0.4):
    """Times at which flanks of a side (1 front, -1 back) come into contact."""
    found = r["mesh.side"].to_numpy()
    at = np.flatnonzero((found[:-1] == 0) & (found[1:] == side))
    return r.t[at][r.t[at] >= start]


# -- the threshold: inertia x swing of the wheel against its drag


@pytest.mark.slow
def test_the_threshold_is_drag_over_inertia():
    """Teeth stay together as long as I alpha < drag: 1 % below they never part, 1 % above they do in every cycle.

    The teeth are a spring under a swinging force, which it feels (w/w_n)^2 = 4e-4 stronger.
    """
    assert (W / NATURAL) ** 2 < 5e-4
    quiet, loud = rattle(0.99), rattle(1.01)
    assert np.all(quiet["mesh.side"].to_numpy() == 1)
    assert len(hits(quiet, 1, 0.0)) == 0
    assert len(hits(loud, 1)) == 10  # 0.4 s of 25 Hz
    # until then the force is that of the drag and of the wheel's inertia: F R2 = drag + I alpha
    late = quiet.t > 0.02  # the first millisecond swings in
    exact = DRAG * (1 + 0.99 * np.sin(W * quiet.t[late])) / R2
    assert quiet["mesh.force.transverse"].to_numpy()[late] == pytest.approx(exact, abs=1e-3 * exact.max())


@pytest.mark.parametrize("change", [{"drag": 0.6}, {"inertia": 2e-3}])
def test_the_threshold_in_angular_acceleration(change):
    """Neither drag nor inertia alone decides: at the same swing of the pinion, more drag ends the rattle and more
    inertia begins it."""
    swing = 1.05 * DRAG / INERTIA
    given = {"drag": DRAG, "inertia": INERTIA, **change}
    severity = swing * given["inertia"] / given["drag"]
    parted = np.any(rattle(severity, end=0.3, **change)["mesh.side"].to_numpy() != 1)
    assert parted == (severity > 1)


# -- flights


def acceleration(t, severity):
    """Of u, the pinion's lead along the line of action, while no teeth touch."""
    return PUSH * (1 + severity * np.sin(W * t))


def flight(t, t_0, u_0, v_0, severity):
    """u and u' from a start on, the drag and the pinion's swing integrated."""
    s = PUSH * severity
    v = v_0 + PUSH * (t - t_0) - s / W * (np.cos(W * t) - np.cos(W * t_0))
    u = u_0 + v_0 * (t - t_0) + PUSH * (t - t_0) ** 2 / 2
    u += s / W * np.cos(W * t_0) * (t - t_0) - s / W**2 * (np.sin(W * t) - np.sin(W * t_0))
    return u, v


def restitution():
    """Of spring and damper that never pull: d = v/w_d exp(-a t) sin(w_d t) until k d + c d' = 0."""
    a, w_d = C / (2 * M_E), np.sqrt(K / M_E - (C / (2 * M_E)) ** 2)

    def rate(t):
        return np.exp(-a * t) * (np.cos(w_d * t) - a / w_d * np.sin(w_d * t))

    def force(t):
        return K * np.exp(-a * t) * np.sin(w_d * t) / w_d + C * rate(t)

    return -rate(brentq(force, 0.3 / w_d, np.pi / w_d))


def landing(t_0, u_0, v_0, severity):
    """When and on which side the teeth meet next."""
    for step in np.arange(t_0, t_0 + 0.2, 1e-5):
        side = np.sign(flight(step + 1e-5, t_0, u_0, v_0, severity)[0])

        def depth(t, side=side):
            return side * flight(t, t_0, u_0, v_0, severity)[0] - PLAY / 2

        if depth(step + 1e-5) > 0:
            when = brentq(depth, max(step, t_0 + 1e-9), step + 1e-5)
            return when, int(side), flight(when, t_0, u_0, v_0, severity)[1]
    raise AssertionError("no landing")


@pytest.mark.slow
@pytest.mark.parametrize("severity", [1.1, 1.5, 3.0])
def test_flights_between_impacts(severity):
    """Take-off where the pinion slows down faster than the drag can follow; then flight, impact with the restitution of
    spring and damper, flight, impact: times and sides of the first three, and the force of the first."""
    r = rattle(severity, end=0.12)
    off = (np.pi + np.arcsin(1 / severity)) / W
    expected, at = [], (off, PLAY / 2, 0.0)
    for _ in range(2):
        when, side, speed = landing(*at, severity)
        expected.append((when, side, speed))
        at = (when, side * PLAY / 2, -restitution() * speed)
    found = r["mesh.side"].to_numpy()
    leaves = r.t[np.flatnonzero((found[:-1] == 1) & (found[1:] == 0))[0]]
    touch = 3 / NATURAL  # a contact lasts about so long, and makes all after it late
    assert leaves == pytest.approx(off, abs=2 * touch)
    for k, (when, side, _) in enumerate(expected):
        after = np.concatenate([hits(r, 1, leaves), hits(r, -1, leaves)])
        sides = np.concatenate([np.ones(len(hits(r, 1, leaves))), -np.ones(len(hits(r, -1, leaves)))])
        order = np.argsort(after)
        assert sides[order][k] == side
        assert after[order][k] == pytest.approx(when, abs=(k + 1) * touch)
    # impact: while d' falls, k d + c d' is at most v sqrt(k m_e) exp(...); the damper's first blow is c v
    when, side, speed = expected[0]
    around = np.abs(r.t - when) < 2 * touch
    a, w_d = C / (2 * M_E), np.sqrt(K / M_E - (C / (2 * M_E)) ** 2)
    t = np.linspace(0, np.pi / w_d, 400)
    d = np.exp(-a * t) * np.sin(w_d * t) / w_d
    force = abs(speed) * (K * d + C * np.exp(-a * t) * (np.cos(w_d * t) - a / w_d * np.sin(w_d * t)))
    peak = np.abs(r["mesh.force.transverse"].to_numpy()[around]).max()
    assert peak == pytest.approx(force.max(), rel=0.06)  # the swing presses while they touch


@pytest.mark.slow
def test_rate_of_impacts():
    """Once a cycle on the front flanks a little beyond the threshold; beyond about 1.4 the wheel crosses its play, and
    hits back flanks too. In steady motion every cycle is like the last."""
    for severity, back in ((1.05, 0), (1.2, 0), (3.0, 1)):
        r = rattle(severity)
        assert len(hits(r, 1)) % 10 == 0
        assert len(hits(r, 1)) >= 10
        assert len(hits(r, -1)) >= 10 * back
        assert bool(len(hits(r, -1))) == bool(back)
    # the play that the first flight of a cycle needs, by ballistics: below it no back flank is hit
    severity = 1.2
    off = (np.pi + np.arcsin(1 / severity)) / W
    t = np.linspace(off, off + 0.03, 3001)
    assert PLAY / 2 - flight(t, off, PLAY / 2, 0.0, severity)[0].min() < PLAY


def test_the_file_rattles():
    r = result("idle-gear-rattle")
    late = r.t > 0.4
    assert {-1.0, 0.0, 1.0} <= set(r["mesh.side"].to_numpy()[late])
    # blows are many times the force that the drag needs
    assert r["mesh.force.transverse"].to_numpy().max() > 20 * DRAG / R2
