"""Sweeps go on until a vibration has settled, or say that it has not: against closed forms."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.simulate import RunWarning
from wheelwork.analyses.vibration.settling import SETTLED, Windows, is_falling

SAMPLES, SETTLE, MEASURE = 32, 40, 10


def left(of_time):
    """What is left, by the estimate, of a signal over time in periods."""
    windows = Windows.of(SAMPLES * MEASURE, SAMPLES * SETTLE, SAMPLES)
    t = SETTLE + windows.numbers / SAMPLES
    return windows.find_left(of_time(t)[:, None])[0]


@pytest.mark.parametrize("tau", [4.0, 10.0, 30.0, 60.0])
def test_what_is_left_of_a_decay(tau):
    """Of mean, rms and envelope: the mean of the decay over the measured span, but for a part of it."""
    span = SETTLE + np.linspace(0, MEASURE, 1001)
    swing = lambda t: np.cos(2 * np.pi * t)  # noqa: E731
    decay = lambda t: 0.3 * np.exp(-t / tau)  # noqa: E731
    true = decay(span).mean()
    assert true / 1.4 < left(lambda t: swing(t) + decay(t)) < 2 * true
    assert true / 1.4 < left(lambda t: (1 + decay(t)) * swing(t)) < 2 * true
    # of a tenth of the mean, where that is larger than the vibration; a drift widens the envelope, too
    assert true / 1.4 < left(lambda t: 100 + swing(t) + 10 * decay(t)) < 8 * true


def test_what_is_steady_has_nothing_left():
    assert left(lambda t: 3 + np.cos(2 * np.pi * t) + 0.2 * np.cos(np.pi * t)) < SETTLED
    assert left(lambda t: 3 + np.cos(2 * np.pi * t) + 0.2 * np.cos(4 * np.pi * t)) < 1e-3
    # a third of the period, and something else, as parts of cycles at the ends of the windows have it
    assert left(lambda t: 3 + np.cos(2 * np.pi * t) + 0.2 * np.cos(2 * np.pi * t / 3)) < SETTLED
    assert left(lambda t: np.cos(2 * np.pi * t) + 0.1 * np.cos(np.sqrt(7) * t)) < SETTLED
    assert left(lambda t: 0 * t) == 0
    assert left(lambda t: 5 + 1e-6 * np.exp(-t / 10)) < 1e-4  # round-off of what stands still
    noise = np.random.default_rng(0).normal
    assert (
        left(
            lambda t: np.sin(2 * np.pi * t) * (1 + 0.5 * np.repeat(noise(size=3), t.size // 3 + 1)[: t.size])
        )
        > SETTLED
    )


def test_a_phase_that_moves_has_not_settled():
    """A resonance that swings up beside what dies away had a hundredth of its envelope, which stood still just then."""
    assert left(lambda t: np.cos(2 * np.pi * t + 0.02 * t)) > SETTLED


def test_going_on():
    assert is_falling([0.5, 0.4, 0.45])
    assert is_falling([0.5, 0.4, 0.3, 0.3])
    assert not is_falling([0.5, 0.4, 0.5, 0.3])  # chaos
    assert np.isnan(
        Windows.of(SAMPLES, 0, SAMPLES).find_left(np.zeros((SAMPLES, 1)))
    )  # one period after none


def rung(damping):
    """A mass of 1 kg on a spring of 1 N/m, with a harmonic force at the resonance."""
    m = ww.Mechanism("rung", kind="planar", gravity=(0, 0), parameters={"omega": "1 rad/s"})
    m.add("block", ww.Body(mass=1, inertia=1))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0), axis=(1, 0)))
    spring = {"point_a": (-5, 0), "point_b": (0, 0), "stiffness": 1, "damping": damping}
    m.add("spring", ww.Spring(bodies=("ground", "block"), **spring))
    m.add("load", ww.Force(body="block", value=("0.05*cos(omega*t)", 0)))
    return m


def test_a_resonance_with_little_damping_is_waited_for():
    """x = F/(k - m w^2 + i c w) with 1 % of damping. After 10 periods from rest it has half of that, and a sweep was
    complete without a word; up and down differed by as much."""
    omega = np.array([0.98, 1.0])
    options = {"signals": ["slide.displacement"], "settle": 10, "measure": 6, "frequency": "omega/(2*pi)"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rung(0.02).sweep("omega", omega, both=True, **options)
    exact = 0.05 / np.abs(1 - omega**2 + 0.02j * omega) / np.sqrt(2)
    for way in ("up", "down"):
        rms = found["slide.displacement"]["rms"].sel(direction=way).to_numpy()
        assert rms == pytest.approx(exact, rel=1.5 * SETTLED)
    assert found.dataset["spans"].sel(direction="up").to_numpy()[0] > 2
    assert found.hysteresis("slide.displacement") is None
    assert found.report == "complete"
    with pytest.warns(
        RunWarning, match=r"[12] of 2 values had not settled .* `slide.displacement` .*Raise `settle` or"
    ):
        short = rung(0.02).sweep("omega", omega, extensions=0, **options)
    assert short.report.startswith("complete, but ")
    assert short.complete
    assert short.find_unsettled("up").any()
    assert "not settled, up" in short.plot().axes[0].get_legend_handles_labels()[1]


def test_a_speed_that_torques_set_is_waited_for():
    """J w' = T - c w: w = T/c, with a time constant of 10 s; the mean moved by 1 % in 0.2 s, and was taken at a
    fifth."""
    m = ww.Mechanism("fan", kind="planar", gravity=(0, 0), parameters={"torque": "1 N*m"})
    m.add("fan", ww.Rotor(inertia=1))
    m.add("drive", ww.Actuator(joint="fan.bearing", value="torque - 0.1*fan.w"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = m.sweep("torque", [1.0, 2.0], signals=["fan.w"], settle=6, measure=1)
    assert found["fan.w"]["mean"].sel(direction="up").to_numpy() == pytest.approx([10, 20], rel=4e-3)
    with pytest.warns(RunWarning, match="had not settled"):
        m.sweep("torque", [1.0], signals=["fan.w"], settle=2, measure=0.2, extensions=1)


@pytest.mark.parametrize("extensions", [-1, 1.5])
def test_how_often_is_a_whole_number(extensions):
    with pytest.raises(ww.ModelError, match="extensions: needs a whole number"):
        rung(0.1).sweep("omega", [1.0], signals=["slide.speed"], extensions=extensions, settle=1, measure=1)
