"""A run never hides how it ended: what it has is kept, and the report says when, why, where, and what to change."""

import signal
import threading

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions
from wheelwork.engine.outcome import Outcome

from .models import G, pendulum, slider_crank

# Such runs warn; what the warning says is the report, which is looked at here.
pytestmark = pytest.mark.filterwarnings("ignore::wheelwork.analyses.simulate.RunWarning")

METHODS = {"dopri5": {}, "sdirk4": {}, "rk4": {"step": 1e-3}}


@pytest.mark.parametrize("method", METHODS)
def test_nan_is_caught_at_its_step(method):
    """sqrt(0.5 - t) is no number after 0.5 s."""
    m = pendulum()
    m.add("bad", ww.Actuator(joint="hinge", value="sqrt(0.5 - t)"))
    r = m.simulate(end=1, output=100, method=method, **METHODS[method])
    assert r.outcome is Outcome.NOT_FINITE
    assert 0.4 < r.statistics.t <= 0.5 + 1e-9
    assert "not finite" in r.report
    assert "`bad`" in r.report
    assert "t = 0." in r.report
    kept = r.t
    assert kept[-1] <= 0.5 + 1e-9
    assert np.isfinite(r["arm.position"].to_numpy()).all()
    assert np.isfinite(r["energy.total"].to_numpy()).all()


def test_nan_that_depends_on_the_state():
    """log of the height above 0.5 m below the hinge: the arm falls through."""
    m = pendulum()
    m.add("bad", ww.Actuator(joint="hinge", value="log(arm.position.z + 0.5)"))
    r = m.simulate(end=2, output=100)
    assert r.outcome is Outcome.NOT_FINITE
    assert "`bad`" in r.report
    assert r["arm.position.z"].to_numpy()[-1] == pytest.approx(-0.5, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["actuator", "clutch", "state"])
@pytest.mark.parametrize("value", ["10*sqrt(0.1 - t)", "10*sqrt(0.3 - one.bearing.angle)"])
def test_all_methods_name_what_gave_no_number(what, value):
    """With the same words, in either coordinates; also where it is a limit of friction, which is tried again."""
    made = {
        "actuator": lambda: ww.Actuator(joint="one.bearing", value=value),
        "clutch": lambda: ww.Clutch(bodies=("one", "two"), torque=value),
        "state": lambda: ww.State(rate=value, initial=0.0),
    }
    m = ww.Mechanism("rotors")
    m.add("one", ww.Rotor(inertia=0.5, speed=3))
    m.add("two", ww.Rotor(inertia=0.5))
    m.add("shaft", ww.TorsionalSpring(bodies=("one", "two"), stiffness=20))
    m.add("bad", made[what]())
    words = set()
    for method, options in {**METHODS, "dop853": {}}.items():
        for formulation in ("absolute", "reduced"):
            r = m.simulate(end=1, output=10, method=method, formulation=formulation, **options)
            assert r.outcome is Outcome.NOT_FINITE, (method, formulation, r.report)
            assert "`bad`" in r.report, (method, formulation, r.report)
            words.add(r.report.partition(" s: ")[2])
    assert len(words) == 1


def test_nan_at_the_start():
    m = pendulum()
    m.add("bad", ww.Force(body="arm", value=("log(-1 - t)", 0, 0)))
    r = m.simulate(end=1)
    assert r.outcome is Outcome.NOT_FINITE
    assert r.statistics.t == 0
    assert "`bad`" in r.report


def test_too_many_steps():
    r = pendulum().simulate(end=10, output=100, max_steps=50)
    assert r.outcome is Outcome.TOO_MANY_STEPS
    assert "max_steps" in r.report
    assert 0 < r.t[-1] < 10
    # what is there is right
    whole = pendulum().simulate(end=10, output=100)
    inside = len(r.t) - 1
    assert r["hinge.angle"].to_numpy()[:inside] == pytest.approx(
        whole["hinge.angle"].to_numpy()[:inside], abs=1e-12
    )


@pytest.mark.slow
def test_a_mechanism_that_locks():
    """Driven beyond its reach, the slider-crank cannot go on: it ends at the right time."""
    m = slider_crank(0.1, 0.3)
    m.add("puller", ww.JointDriver(joint="slide", value="0.05*t"))
    r = m.simulate(end=5, output=100)
    exact = (0.4 - np.sqrt(0.3**2 - 0.1**2)) / 0.05
    assert not r.outcome.good
    assert r.t[-1] == pytest.approx(exact, abs=1e-3)
    assert r.t[-1] <= exact + 1e-6
    assert "step" in r.report


def test_interrupt_from_the_progress_callback():
    at = assembled(prepare(pendulum()), 0.0)
    grid = np.linspace(0, 1e6, 10001)
    calls = []

    def stop(t, steps):
        calls.append((t, steps))
        return len(calls) > 2

    run = at.prepared.engine.integrate(at.state, grid, RunOptions(end=1e6), stop)
    assert run.report.outcome is Outcome.INTERRUPTED
    assert 0 < run.t[-1] < 1e6
    assert run.report.t == run.t[-1]
    assert "kept" in run.report.text
    times, steps = zip(*calls, strict=True)
    assert list(times) == sorted(times)
    assert list(steps) == sorted(steps)


def test_ctrl_c_keeps_the_result():
    """An interrupt while a long run is in machine code: it ends soon, with everything up to there."""
    m = pendulum()
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    m.simulate(end=0.1)  # compiled before the clock runs
    timer.start()
    try:
        r = m.simulate(end=1e7, output=1000, progress=False)
    finally:
        timer.cancel()
    assert r.outcome is Outcome.INTERRUPTED
    assert 0 < r.t[-1] < 1e7
    assert np.isfinite(r["hinge.angle"].to_numpy()).all()
    assert "interrupted" in r.report


def test_after_an_interrupt_signals_are_as_before():
    before = signal.getsignal(signal.SIGINT)
    pendulum().simulate(end=0.1)
    assert signal.getsignal(signal.SIGINT) is before


def test_rk4_with_a_step_too_large_says_so():
    """Stiff: a bushing of 1e8 N/m on 1 kg swings with 1e4 rad/s; steps of 10 ms are hopeless."""
    m = ww.Mechanism("stiff")
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), velocity=(0.1, 0, 0)))
    hard = (1e8, 1e8, 1e8)
    m.add(
        "mount",
        ww.Bushing(bodies=("ground", "block"), point=(0, 0, 0), stiffness=hard, rotational_stiffness=hard),
    )
    r = m.simulate(end=1, method="rk4", step=0.01)
    assert not r.outcome.good
    assert "step" in r.report


def test_stiff_model_by_the_implicit_method():
    """The same, heavily damped, by sdirk4: few steps, and the block settles where its weight has pushed it."""
    m = ww.Mechanism("stiff")
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1), velocity=(0.1, 0, 0)))
    mount = {"stiffness": (1e8,) * 3, "damping": (2e6,) * 3}
    mount |= {"rotational_stiffness": (1e8,) * 3, "rotational_damping": (2e6,) * 3}
    m.add("mount", ww.Bushing(bodies=("ground", "block"), point=(0, 0, 0), **mount))
    r = m.simulate(end=1, output=10, method="sdirk4")
    assert r.outcome.good
    assert r.statistics.steps < 1000
    assert r["block.position.z"].to_numpy()[-1] == pytest.approx(-G / 1e8, rel=1e-3)
    explicit = m.simulate(end=0.01, output=10)
    assert explicit.statistics.steps > 3000  # 2e6 1/s times 10 ms, over the stability limit of 3.3


def test_a_good_run_says_so():
    r = pendulum().simulate(end=1)
    assert r.outcome is Outcome.REACHED_END
    assert r.outcome.good
    assert "reached the end" in r.report
    assert r.t[-1] == 1.0


def test_a_run_that_would_never_end_is_given_up():
    """A frequency of 1e11 rad/s over 100 s: 1e12 steps, of which `max_steps` allows 1e7."""
    m = ww.Mechanism("bell", kind="planar")
    m.add("mass", ww.Body(mass=1.0, inertia=1.0, position=(1.0, 0)))
    m.add(
        "spring",
        ww.Spring(
            bodies=("ground", "mass"), point_a=(0, 0), point_b=(1, 0), stiffness=1e22, free_length=1 - 1e-9
        ),
    )
    with pytest.warns(UserWarning, match="gave up after .*sdirk4"):
        r = m.simulate(end=100.0, output=2, progress=False)
    assert r.outcome is Outcome.TOO_MANY_STEPS
    assert 10_000 < r.statistics.steps < 100_000


def test_a_load_beyond_all_measure_is_named():
    """1e30 N m on 1e-3 kg m^2: not a matter of the method, which was what the message said."""
    m = ww.Mechanism("wheel")
    m.add("wheel", ww.Rotor(inertia=1e-3))
    m.add("motor", ww.Torque(body="wheel", value=(0, 0, "1e30 N*m")))
    with pytest.warns(UserWarning, match=r"`wheel` is accelerated by 1e\+33 rad/s\^2.* or its unit\?$"):
        m.simulate(end=1.0, output=2)


@pytest.mark.parametrize("method", ["dopri5", "rk4"])
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize(
    ("rate", "value", "named"),
    [
        ("sqrt(0.5 - t)", "x", "block `x`"),
        ("sqrt(0.5 - p.w)", "1 + 0*x", "block `x`"),
        ("p.w", "1 + 0*x + sqrt(0.5 - t)", "force `motor`"),
    ],
)
def test_what_gave_no_number_is_named_and_not_what_read_it(rate, value, named, formulation, method):
    m = ww.Mechanism("loop", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=1))
    m.add("x", ww.State(rate=rate))
    m.add("motor", ww.Actuator(joint="p.bearing", value=value))
    with pytest.warns(UserWarning, match="not finite"):
        r = m.simulate(end=1, output=10, method=method, step=3e-3, formulation=formulation, progress=False)
    assert r.report.endswith(f"It came from {named}")
    assert np.all(np.diff(r.t) > 1e-9)


def test_a_run_that_is_refused_at_an_output_has_it_once():
    m = ww.Mechanism("dogs", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=1, speed=100))
    m.add("q", ww.Rotor(inertia=2))
    m.add("d", ww.DogClutch(bodies=("p", "q"), closed="step(t - 0.3)"))
    with pytest.warns(UserWarning, match="cannot close"):
        r = m.simulate(end=1, output=10, progress=False)
    np.testing.assert_allclose(r.t, [0, 0.1, 0.2, 0.3])
