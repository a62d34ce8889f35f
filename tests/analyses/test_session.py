"""Runs in pieces: the same digits as in one run, whatever is carried over; and what is refused."""

import pickle

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples

from .models import motor_pendulum

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
    for array in ("state", "friction"):
        np.testing.assert_array_equal(getattr(rest.motion, array), getattr(whole.motion, array)[8:])
    assert [e.kind for e in half.events + rest.events] == [e.kind for e in whole.events]


def test_a_run_goes_on_from_a_result_of_pieces():
    m = ww.load(examples.path("stick-slip"))
    whole = m.simulate(start=0.0, end=1.0, output=16, progress=False, **FIXED)
    s = m.compile().start(**FIXED)
    for t in (0.21, 0.37, 0.5):  # steps end where the joint sticks and slides, and so not at pieces
        s.advance(t)
    rest = m.simulate(start=s.result(), end=1.0, output=8, progress=False, **FIXED)
    same(rest, whole, slice(8, None))
    other = {"static_ratio": 1.3}
    s.set("static_ratio", 1.3)  # which no step knows yet
    again = m.simulate(start=s.result(), end=1.0, output=8, progress=False, parameters=other, **FIXED)
    s.advance(1.0, output=8)
    np.testing.assert_allclose(again.motion.state, s.result().motion.state, atol=1e-6)


KINKED = {
    "jumps": "2.5*step(t - 0.31) + step(t - 0.7)",
    "bend": "3*abs(sin(3*t) - 0.4)",
    "table": ww.Table(time=(0, 0.2, 0.23, 0.6, 2), value=(0, 1, -1, 0, 2)),  # with a corner at the start
    "event": "-3*max(hinge.w, 0.5)",
    "samples": "held",
}


@pytest.mark.parametrize("kind", KINKED)
@pytest.mark.parametrize("method", ["dopri5", "dop853", "sdirk4", "rk4"])
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_pieces_know_corners_beyond_their_ends(formulation, method, kind):
    """Steps are longer than pieces, so that corners lie beyond a piece and within its step; several outputs are in one
    step, and what is found at one does not depend on the others."""
    m = pendulum()
    if kind == "samples":
        m.add("held", ww.Sampled(every=0.037, memory={"u": 0.0}, update={"u": "-3*hinge.angle"}))
        m.add("drift", ww.State(rate="hinge.w", initial=0.0))
    m.forces["motor"].value = KINKED[kind]
    options = {"method": method, "formulation": formulation}
    options |= {"step": 7e-3} if method == "rk4" else {"rtol": 1e-4}
    whole = m.simulate(end=2.0, output=160, **options)
    s = m.compile().start(**options)
    for t in whole.t[1:81]:
        s.advance(float(t))
    same(s.result(), whole, slice(81))
    half = m.simulate(end=0.5, output=40, **options)
    rest = m.simulate(start=half, end=2.0, output=120, **options)
    known = rest.t[1:] == whole.t[41:]  # to the last digit, of which there are two ways to the same time
    np.testing.assert_array_equal(rest.motion.state[1:][known], whole.motion.state[41:][known])
    assert known.sum() > 40


def test_a_run_that_ends_at_a_corner_goes_on_behind_it():
    m = pendulum()
    m.forces["motor"].value = "2.5*step(t - 0.5)"
    whole = m.simulate(end=1.0, output=8, rtol=1e-4)
    rest = m.simulate(start=m.simulate(end=0.5, output=4, rtol=1e-4), end=1.0, output=4, rtol=1e-4)
    np.testing.assert_array_equal(rest.motion.state[1:], whole.motion.state[5:])


def pendulum():
    m = ww.Mechanism("pendulum", parameters={"length": 0.5, "mass": 1.0, "torque": 0.0})
    m.add("bob", ww.Body(mass="mass", inertia=(0.01, 0.01, 0.01), position=("length", 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("motor", ww.Actuator(joint="hinge", value="torque"))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_parameter_is_set_on_the_way(formulation):
    """The same as a torque that is a step in time."""
    stepped = motor_pendulum()
    stepped.forces["motor"].value = "2.5*step(t - 0.31)"
    wanted = stepped.simulate(end=1.0, output=1, rtol=1e-10, formulation=formulation, progress=False)
    s = motor_pendulum().compile().start(rtol=1e-10, formulation=formulation)
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
    other.restore(pickle.loads(pickle.dumps(saved)))  # as in another process
    other.advance(0.6)
    other.advance(0.8)
    np.testing.assert_array_equal(other.result().motion.state[-1], there)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parameters": {"torque": 2.0}}, "another value of `torque`: .*, and here 2"),
        ({"step": 2e-4}, "another value of `step`: 0.0001, and here 0.0002"),
        ({"formulation": "reduced"}, "another value of the coordinates: absolute, and here reduced"),
        ({"method": "dopri5", "step": None}, "another value of `method`: rk4, and here dopri5"),
        ({"start": 0.1}, "another value of `start`: 0.0, and here 0.1"),
        ({"mass": 2.0}, "belongs to another model, with the same names"),
    ],
)
def test_what_was_saved_by_a_run_of_something_else_is_refused(change, words):
    """It would go on with their numbers."""
    options = {**FIXED, "formulation": "absolute"}
    s = motor_pendulum().compile().start(**options)
    s.set("torque", 1.0)
    s.advance(0.2)
    m = motor_pendulum()
    if mass := change.pop("mass", None):
        (body,) = m.bodies
        m.bodies[body] = m.bodies[body].model_copy(update={"mass": mass})
    parameters = change.pop("parameters", None)
    other = m.compile().start(parameters, **{**options, **change})
    with pytest.raises(ww.ModelError, match=words):
        other.restore(s.save())


def test_what_cannot_be_is_refused():
    s = motor_pendulum().compile().start()
    s.advance(0.2)
    with pytest.raises(ww.ModelError, match=r"until: needs a time .* but is None"):
        s.advance(None)
    with pytest.raises(ValueError, match=r"must be later than where the run is, 0.2 s, but is 0.1 s"):
        s.advance(0.1)
    for late in (np.inf, 2e9):
        with pytest.raises(
            ValueError, match=r"`until` must be a time up to 1e\+09 s after the start, but is"
        ):
            s.advance(late)
    with pytest.raises(KeyError, match=r"hinge\.angel"):
        s["hinge.angel"]
    with pytest.raises(ww.ModelError, match=r"there is no parameter or input `torqe` .did you mean `torque`"):
        s.set("torqe", 1.0)
    with pytest.raises(ww.ModelError, match="cannot be set in a run: lengths, masses"):
        s.set("length", 0.6)
    ball = ww.load(examples.path("bouncing-ball")).compile().start()
    with pytest.raises(ww.ModelError, match="belongs to another mechanism"):
        s.restore(ball.save())
    with pytest.raises(ww.ModelError, match="belongs to another mechanism"):
        motor_pendulum().simulate(
            start=ww.load(examples.path("bouncing-ball")).simulate(end=0.1, progress=False), end=1.0
        )


def test_any_state_of_a_result_is_a_start():
    """The motion from a state between outputs is the motion that went through it."""
    m = motor_pendulum()
    whole = m.simulate(end=1.0, output=200, rtol=1e-10, progress=False)
    rest = m.simulate(start=whole.at(0.3217), end=1.0, output=5, rtol=1e-10, progress=False)
    assert rest.t[0] == 0.3217
    np.testing.assert_allclose(
        rest.series("hinge.angle").values[-1], whole.series("hinge.angle").values[-1], atol=1e-8
    )
    heavier = m.simulate(start=whole, end=1.5, parameters={"torque": 3.0}, progress=False)
    assert heavier.series("hinge.w").values[0] == pytest.approx(whole.series("hinge.w").values[-1], rel=1e-12)


@pytest.mark.parametrize("options", [FIXED, {}, {"method": "sdirk4", "formulation": "absolute"}])
def test_a_run_goes_on_from_a_file(tmp_path, monkeypatch, options):
    """With the very steps of a longer run; a file of another runtime has its last state alone."""
    m = motor_pendulum()
    whole = m.simulate(end=1.0, output=16, **options)
    m.simulate(end=0.5, output=8, **options).save(tmp_path / "half.nc")
    rest = m.simulate(start=ww.load_result(tmp_path / "half.nc"), end=1.0, output=8, **options)
    np.testing.assert_array_equal(rest.motion.state[1:], whole.motion.state[9:])
    monkeypatch.setattr("wheelwork.engine.kept_ending.runtime_digest", lambda: "another")
    half = ww.load_result(tmp_path / "half.nc")
    assert half.ending is None
    rest = m.simulate(start=half, end=1.0, output=8, **options)
    np.testing.assert_allclose(rest.motion.state[-1], whole.motion.state[-1], atol=1e-6)


def test_a_state_of_other_blocks_is_refused_by_their_names():
    """The vectors of states are as long as the blocks have states: another one must not be read as if it were."""
    plain, more = motor_pendulum(), motor_pendulum()
    more.add("heat", ww.State(rate="1", initial=7.0))
    more.add("filter", ww.TransferFunction(input="hinge.angle", numerator=(1,), denominator=(0.1, 1, 1)))
    for one, other in ((plain, more), (more, plain)):
        r = one.simulate(end=0.1, output=2)
        with pytest.raises(
            ww.ModelError, match=r"another mechanism: .*`heat`, `filter\.1`, `filter\.2` are only in one"
        ):
            other.simulate(start=r, end=0.2)
    slower = motor_pendulum()
    slower.add("heat", ww.State(rate="1", initial=7.0))
    slower.add("filter", ww.TransferFunction(input="hinge.angle", numerator=(1,), denominator=(1, 1)))
    with pytest.raises(ww.ModelError, match=r"`filter`, `filter\.1`, `filter\.2` are only in one"):
        slower.simulate(start=more.simulate(end=0.1, output=2), end=0.2)


def test_a_time_that_is_none_is_said_of_what_was_asked():
    s = motor_pendulum().compile().start()
    with pytest.raises(ww.ModelError, match=r"until: needs a time .* `3 m` is a length"):
        s.advance("3 m")
