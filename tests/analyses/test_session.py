"""Runs in pieces: the same digits as in one run, whatever is carried over; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples

ARRAYS = ("t", "state", "acceleration", "multipliers", "friction")
FIXED = {"method": "rk4", "step": 1e-4}
CASES = [
    ("pendulum", FIXED),
    ("stick-slip", FIXED),  # a joint that sticks and slides
    (
        "bouncing-ball",
        {"method": "rk4", "step": 3.3e-5},
    ),  # impacts: afterwards steps end nowhere near an output
    ("planetary-gearbox", FIXED),  # minimal coordinates, counted turns
    ("planetary-gearbox", {**FIXED, "formulation": "absolute"}),
    ("four-bar", {**FIXED, "formulation": "reduced"}),  # a loop that is cut
    ("stick-slip", {**FIXED, "formulation": "reduced"}),
    ("pendulum", {}),  # adaptive steps do not know of pieces either
    ("planetary-gearbox", {"method": "dop853"}),
    ("pendulum", {"method": "sdirk4"}),  # whose first guess is from the step before
    ("four-bar", {"method": "sdirk4"}),
]


def same(found, wanted, rows=slice(None)):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(found.motion, name), getattr(wanted.motion, name)[rows])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), CASES)
def test_pieces_are_one_run(name, options):
    """To the last digit, also where the pieces end inside a step."""
    m = ww.load(examples.path(name))
    whole = m.simulate(start=0.0, end=1.0, output=20, progress=False, **options)
    s = m.compile().start(start=0.0, **options)
    for t in whole.t[1:10]:
        s.advance(float(t))
    s.advance(float(whole.t[14]), output=1)
    got = s.result()
    chosen = [*range(10), 14]
    same(got, whole, chosen)
    assert [e for e in whole.events if e.t <= whole.t[14]] == got.events
    for signal in whole.names[:3]:
        np.testing.assert_array_equal(s[signal], whole.series(signal).values[14])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_run_goes_on_from_a_result(name, options):
    m = ww.load(examples.path(name))
    whole = m.simulate(start=0.0, end=1.0, output=16, progress=False, **options)
    half = m.simulate(start=0.0, end=0.5, output=8, progress=False, **options)
    rest = m.simulate(start=half, end=1.0, output=8, progress=False, **options)
    for array in (
        "state",
        "friction",
    ):  # all but the record of the first run's end, which is a step of its own
        np.testing.assert_array_equal(getattr(rest.motion, array)[1:], getattr(whole.motion, array)[9:])
    assert [e.kind for e in half.events + rest.events] == [e.kind for e in whole.events]


def pendulum():
    m = ww.Mechanism("pendulum", parameters={"length": 0.5, "mass": 1.0, "torque": 0.0})
    m.add("bob", ww.Body(mass="mass", inertia=(0.01, 0.01, 0.01), position=("length", 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("motor", ww.Actuator(joint="hinge", value="torque"))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_parameter_is_set_on_the_way(formulation):
    """The same as a torque that is a step in time."""
    stepped = pendulum()
    stepped.forces["motor"].value = "2.5*step(t - 0.31)"
    wanted = stepped.simulate(end=1.0, output=1, rtol=1e-10, formulation=formulation, progress=False)
    s = pendulum().compile().start(rtol=1e-10, formulation=formulation)
    s.advance("0.31 s")
    assert float(s["motor.torque"]) == 0.0
    s.set("torque", 2.5)
    assert float(s["motor.torque"]) == 2.5
    s.advance(1.0)
    np.testing.assert_allclose(s["hinge.angle"], wanted.series("hinge.angle").values[-1], rtol=1e-9)
    first, second = s.results()
    assert (first.t[-1], second.t[0], second.t[-1]) == (0.31, 0.31, 1.0)
    assert np.all(first.series("motor.torque").values == 0)
    assert np.all(second.series("motor.torque").values == 2.5)


@pytest.mark.slow
def test_what_was_saved_comes_back():
    m = ww.load(examples.path("stick-slip"))
    s = m.compile().start(**FIXED)
    s.advance(0.4)
    saved = s.save()
    s.advance(0.6)
    s.advance(0.8)
    there = np.array(s.result().motion.state[-1])
    s.restore(saved)
    assert s.t == 0.4
    s.advance(0.6)
    s.advance(0.8)
    np.testing.assert_array_equal(s.result().motion.state[-1], there)
    other = m.compile().start(**FIXED)
    other.restore(saved)
    other.advance(0.6)
    other.advance(0.8)
    np.testing.assert_array_equal(other.result().motion.state[-1], there)


def test_what_cannot_be_is_refused():
    s = pendulum().compile().start()
    s.advance(0.2)
    with pytest.raises(ValueError, match=r"must be later than where the run is, 0.2 s, but is 0.1 s"):
        s.advance(0.1)
    with pytest.raises(KeyError, match=r"hinge\.angel"):
        s["hinge.angel"]
    with pytest.raises(ww.ModelError, match=r"there is no parameter or input `torqe` .did you mean `torque`"):
        s.set("torqe", 1.0)
    with pytest.raises(ww.ModelError, match="cannot be set in a run: lengths, masses"):
        s.set("length", 0.6)
    ball = ww.load(examples.path("bouncing-ball")).compile().start()
    with pytest.raises(ww.ModelError, match="of another mechanism"):
        s.restore(ball.save())
    with pytest.raises(ww.ModelError, match="of another mechanism"):
        pendulum().simulate(
            start=ww.load(examples.path("bouncing-ball")).simulate(end=0.1, progress=False), end=1.0
        )


def test_any_state_of_a_result_is_a_start():
    """The motion from a state between outputs is the motion that went through it."""
    m = pendulum()
    whole = m.simulate(end=1.0, output=200, rtol=1e-10, progress=False)
    rest = m.simulate(start=whole.at(0.3217), end=1.0, output=5, rtol=1e-10, progress=False)
    assert rest.t[0] == 0.3217
    np.testing.assert_allclose(
        rest.series("hinge.angle").values[-1], whole.series("hinge.angle").values[-1], atol=1e-8
    )
    heavier = m.simulate(start=whole, end=1.5, parameters={"torque": 3.0}, progress=False)
    assert heavier.series("hinge.w").values[0] == pytest.approx(whole.series("hinge.w").values[-1], rel=1e-12)
