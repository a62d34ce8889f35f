"""Stick-slip against its closed form."""

import numpy as np
import pytest

from wheelwork.engine.engine import EventKind

from .bundled import model, result

G, MASS, STIFFNESS, BELT, FRICTION, RATIO = 9.80665, 1.0, 100.0, 0.1, 0.3, 1.5
SURPLUS = FRICTION * MASS * G * (RATIO - 1)
W = np.sqrt(STIFFNESS / MASS)
STICKS = 2 * SURPLUS / (STIFFNESS * BELT)
SLIDES = 2 / W * (np.pi - np.arctan(SURPLUS * W / (STIFFNESS * BELT)))
BREAKS = RATIO * FRICTION * MASS * G / (STIFFNESS * BELT)


@pytest.mark.slow
def test_times():
    events = result("stick-slip").events
    slide = [e.t for e in events if e.kind is EventKind.SLIDE]
    stick = [e.t for e in events if e.kind is EventKind.STICK]
    # events are located to 1e-10 s; between them a step errs by 1e-8
    assert slide[0] == pytest.approx(BREAKS, abs=1e-8)
    assert np.diff(slide) == pytest.approx(STICKS + SLIDES, abs=1e-7)
    assert np.array(stick) - slide[: len(stick)] == pytest.approx(SLIDES, abs=1e-7)
    assert len(slide) == int((10 - BREAKS) / (STICKS + SLIDES)) + 1


def test_position_while_sliding():
    r = result("stick-slip")
    s = r.t - BREAKS
    inside = (s > 0) & (s < SLIDES)
    s = s[inside]
    middle = FRICTION * MASS * G / STIFFNESS
    exact = middle + SURPLUS / STIFFNESS * np.cos(W * s) + BELT / W * np.sin(W * s)
    assert r["block.position.x"].to_numpy()[inside] == pytest.approx(exact, abs=1e-8)


def test_at_rest_it_is_at_rest():
    """While it sticks, the block has the speed of the belt to rounding, and friction is what the spring asks for."""
    r = result("stick-slip")
    sticking = r.t < BREAKS
    assert r["surface.speed"].to_numpy()[sticking] == pytest.approx(0, abs=1e-12)
    pull = STIFFNESS * BELT * r.t[sticking]
    assert r["rubbing.force"].to_numpy()[sticking] == pytest.approx(pull, abs=1e-8)


def test_no_stick_slip_without_surplus():
    """With equal friction at rest and in motion the block breaks loose once and swings for ever."""
    r = model("stick-slip").with_parameters(static_ratio=1).simulate(end=10)
    # about mu m g / k with amplitude v/w: it touches the belt's speed once a cycle
    x = r["block.position.x"].to_numpy()[r.t > 2]
    assert x.max() == pytest.approx(FRICTION * MASS * G / STIFFNESS + BELT / W, abs=1e-5)
    assert x.min() == pytest.approx(FRICTION * MASS * G / STIFFNESS - BELT / W, abs=1e-5)
