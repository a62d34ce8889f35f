"""Sweeps: linear resonance in closed form, jumps of an oscillator with backlash against SciPy, mistakes, interrupts."""

import importlib
import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork.analyses.simulate import RunWarning
from wheelwork.analyses.vibration.measures import open_share, order_amplitudes, statistics
from wheelwork.results.spectra import spectrum

PERIODS = {"frequency": "omega/(2*pi)"}


def oscillator(**elements):
    m = ww.Mechanism("oscillator", kind="planar", gravity=(0, 0), parameters={"omega": "1 rad/s"})
    m.add("block", ww.Body(mass=1, inertia=1))
    m.add("slide", ww.Prismatic(bodies=("ground", "block"), point=(0, 0), axis=(1, 0)))
    for name, element in elements.items():
        m.add(name, element)
    return m


def linear():
    spring = {"point_a": (-5, 0), "point_b": (0, 0), "stiffness": 1, "damping": 0.1}
    return oscillator(
        spring=ww.Spring(bodies=("ground", "block"), **spring),
        load=ww.Force(body="block", value=("0.05*cos(omega*t)", 0)),
    )


@pytest.mark.slow
def test_linear_resonance_curve():
    """x = F/(k - m w^2 + i c w), with its phase; up and down are the same."""
    omega = np.linspace(0.7, 1.3, 5)
    s = linear().sweep(
        "omega",
        omega,
        signals=["slide.displacement"],
        settle=60,
        measure=4,
        both=True,
        orders=[1, 2],
        contacts=["spring.force"],
        histories=True,
        **PERIODS,
    )
    found = s["slide.displacement"]
    exact = 0.05 / (1 - omega**2 + 0.1j * omega)
    for way in ("up", "down"):
        one = found.sel(direction=way)
        assert one["amplitude"].sel(order=1).to_numpy() == pytest.approx(np.abs(exact), rel=1e-6)
        assert one["phase"].sel(order=1).to_numpy() == pytest.approx(np.angle(exact), abs=1e-6)
        assert one["amplitude"].sel(order=2).to_numpy() == pytest.approx(0, abs=1e-6)
        assert one["rms"].to_numpy() == pytest.approx(np.abs(exact) / np.sqrt(2), rel=1e-6)
        assert one["mean"].to_numpy() == pytest.approx(0, abs=1e-6)
        # one sample per period, at the phase of the load's peak
        assert one["section"].to_numpy() == pytest.approx(np.tile(exact.real[:, None], 4), abs=1e-6)
    assert np.all(s.dataset["open"] == 0)
    assert s.hysteresis("slide.displacement") is None
    assert s.jumps("slide.displacement") == []
    lines = s.spectrum("slide.displacement", 1.0)
    assert float(lines["frequency"][int(np.argmax(lines.to_numpy()))]) == pytest.approx(1 / (2 * np.pi))
    assert float(lines.max()) == pytest.approx(0.5, rel=1e-6)


BACKLASH = {"mean": 0.1, "swing": 0.05, "damping": 0.15}


def backlash():
    """x'' + 2 zeta x' + f(x) = F_m + F_a cos(omega t), f zero for |x| < 1: the equation of a gear pair with backlash
    (A. Kahraman, R. Singh, J. Sound Vib. 142(1):49-75, 1990), which loses contact near resonance and softens.
    """
    x, v = "(slide.displacement + 1.1)", "slide.speed"  # it starts in contact, at rest under the mean load
    law = f"max({x} - 1, 0) + min({x} + 1, 0)"
    given = BACKLASH
    return oscillator(
        teeth=ww.Actuator(joint="slide", value=f"-({law})"),
        rest=ww.Actuator(
            joint="slide", value=f"{given['mean']} + {given['swing']}*cos(omega*t) - {given['damping']}*{v}"
        ),
    )


def by_scipy(values, settle, measure, samples, start):
    """The same sweep by SciPy, step by step as on a rig: rms and share of time without contact."""
    y, out = np.array(start, float), []
    for omega in values:

        def rates(t, y, omega=omega):
            x, v = y
            force = max(x - 1, 0) + min(x + 1, 0)
            return v, BACKLASH["mean"] + BACKLASH["swing"] * np.cos(omega * t) - BACKLASH[
                "damping"
            ] * v - force

        period = 2 * np.pi / omega
        t = period * (settle + np.arange(samples * measure) / samples)
        end = period * (settle + measure)
        run = solve_ivp(rates, (0, end), y, t_eval=[*t, end], rtol=1e-8, atol=1e-10, method="DOP853")
        x = run.y[0, :-1]
        out.append((x.std(), np.mean(np.abs(x) < 1)))
        y = run.y[:, -1]
    return np.array(out), y


@pytest.fixture(scope="module")
def jumping():
    omega = np.linspace(0.5, 1.0, 11)
    settings = {"settle": 40, "measure": 4, "samples": 32}
    names = ["slide.displacement"]
    contacts = ["teeth.force"]
    s = backlash().sweep("omega", omega, signals=names, contacts=contacts, both=True, **settings, **PERIODS)
    return omega, settings, s


def test_what_has_not_settled_is_said():
    """A push that builds up slowly: the mean moves while it is measured; with time it does not."""
    m = oscillator(
        spring=ww.Spring(
            bodies=("ground", "block"), point_a=(-5, 0), point_b=(0, 0), stiffness=1, damping=20
        ),
        load=ww.Force(body="block", value=("1 + 0.1*cos(omega*t)", 0)),
    )
    sweeping = {"signals": ["slide.displacement"], "measure": 4, **PERIODS}
    with pytest.warns(
        RunWarning, match="1 of 1 values had not settled.*`slide.displacement`.*omega = 2.*Raise `settle`"
    ):
        m.sweep("omega", [2.0], settle=2, extensions=0, **sweeping)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.sweep("omega", [2.0], settle=60, extensions=0, **sweeping)
        m.sweep("omega", [2.0], settle=2, **sweeping)  # goes on by itself


@pytest.mark.slow
def test_backlash_jumps_as_in_scipy(jumping):
    omega, settings, s = jumping
    assert s.report == "complete"
    up, state = by_scipy(omega, start=(1.1, 0.0), **settings)
    down, _ = by_scipy(omega[::-1], start=state, **settings)
    for way, values in (("up", up), ("down", down[::-1])):
        rms = s["slide.displacement"]["rms"].sel(direction=way).to_numpy()
        # 40 periods leave exp(-0.075*40*2 pi/omega) < 1e-6 of a transient
        assert rms == pytest.approx(values[:, 0], rel=1e-4)
        share = s.dataset["open"].sel(direction=way, contact="teeth.force").to_numpy()
        assert share == pytest.approx(values[:, 1], abs=1 / 32 + 1e-9)


@pytest.mark.slow
def test_backlash_softens_with_hysteresis(jumping):
    """Contact is lost above an amplitude, so the resonance leans to lower frequencies: the way down stays on the large
    motion for longer, and jumps off at a lower speed than that at which the way up jumped on.
    """
    _, _, s = jumping
    up, down = (
        [jump for jump in s.jumps("slide.displacement") if jump.direction == way] for way in ("up", "down")
    )
    assert len(up) == 1
    assert len(down) == 1
    assert up[0].change > 0 > down[0].change
    assert down[0].after < up[0].before
    low, high = s.hysteresis("slide.displacement")
    assert low >= down[0].before - 1e-9
    assert high <= up[0].before + 1e-9


@pytest.mark.slow
def test_a_steep_step_before_a_jump_does_not_hide_it():
    """Slowing down in long steps: the motion grows by 0.4 from one value to the next and falls off at the one after.
    The interval is halved three times, and SciPy has the jump in the same eighth of it."""
    omega = np.array([1.0, 0.85, 0.75, 0.6, 0.55])
    settings = {"settle": 40, "measure": 4, "samples": 32}
    s = backlash().sweep("omega", omega, signals=["slide.displacement"], **settings, **PERIODS)
    change = np.diff(s["slide.displacement"]["rms"].to_numpy()[0])
    assert change[2] > -change[3] / 3 > 0
    (jump,) = s.jumps("slide.displacement")
    assert jump.before - jump.after == pytest.approx(0.05 / 8)
    found, _ = by_scipy([*omega[:4], jump.before, jump.after], start=(1.1, 0.0), **settings)
    assert found[4, 0] - found[5, 0] == pytest.approx(-jump.change, rel=1e-3)
    assert -jump.change > 0.8 * found[4, 0]


def test_a_steep_curve_is_no_jump():
    """A resonance so narrow that it falls between the values of the sweep."""
    spring = {"point_a": (-5, 0), "point_b": (0, 0), "stiffness": 1, "damping": 0.06}
    m = oscillator(
        spring=ww.Spring(bodies=("ground", "block"), **spring),
        load=ww.Force(body="block", value=("0.05*cos(omega*t)", 0)),
    )
    omega = np.array([0.7, 0.85, 1.0, 1.15, 1.3])
    s = m.sweep("omega", omega, signals=["slide.displacement"], settle=60, measure=4, rtol=1e-6, **PERIODS)
    rms = s["slide.displacement"]["rms"].to_numpy()[0]
    assert rms[2] > 3 * rms[[1, 3]].max()  # as a jump would look
    assert s.jumps("slide.displacement") == []


@pytest.mark.slow
def test_a_sweep_too_coarse_for_jumps_says_so():
    """Eight values on the peak of |x| = F/|k - m w^2 + i c w|: the curve is as steep as a jump would be."""
    about = {"signals": ["slide.displacement"], "settle": 60, "measure": 4, **PERIODS}
    with pytest.warns(
        UserWarning, match=r"rms of `slide.displacement` changes by more than 20% in \d of 7 intervals"
    ):
        assert linear().sweep("omega", np.linspace(0.85, 1.15, 8), **about).jumps("slide.displacement") == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert linear().sweep("omega", np.linspace(0.85, 1.15, 20), **about).jumps("slide.displacement") == []


def test_parameter_that_only_sets_the_start():
    """Each value goes on from the last, so that such a parameter would do nothing; with `restart` it sets the start of
    each: free vibration without damping keeps its amplitude v0/omega_n."""
    m = oscillator(spring=ww.Spring(bodies=("ground", "block"), point_a=(-5, 0), point_b=(0, 0), stiffness=4))
    m.parameters |= {"v0": 1.0, "idle": 1.0}
    m.bodies["block"].velocity = (ww.Formula("v0"), 0)
    options = {"signals": ["slide.displacement"], "settle": 1.0, "measure": 2 * np.pi, "samples": 256}
    with pytest.raises(ww.ModelError, match=r"v0: only sets where the motion starts.*`restart` begins"):
        m.sweep("v0", [1.0, 2.0, 3.0], **options)
    with pytest.raises(ww.ModelError, match="idle: does not affect the motion"):
        m.sweep("idle", [1.0, 2.0, 3.0], **options)
    s = m.sweep("v0", [1.0, 2.0, 3.0], restart=True, **options)
    rms = s["slide.displacement"]["rms"].to_numpy()[0]
    assert rms == pytest.approx(np.array([1, 2, 3]) / 2 / np.sqrt(2), rel=1e-6)


def test_pictures():
    names = ["slide.displacement", "slide.speed"]
    s = linear().sweep("omega", [0.9, 1.1], signals=names, settle=5, measure=3, histories=True, **PERIODS)
    (axis,) = s.plot_orbit(*names, value=1.1).axes
    line, dots = axis.lines
    assert len(line.get_xdata()) == 3 * 64
    assert len(dots.get_xdata()) == 3
    assert "omega = 1.1, up" in axis.get_title(loc="left")
    assert len(s.plot(what="peak").axes) == 2


@pytest.mark.slow
def test_driven_rotor_comes_back():
    """A driven shaft: each value takes whole turns, so the angle starts anew without a jump."""
    m = ww.Mechanism("drive", kind="planar", gravity=(0, 0), parameters={"speed": "10 rad/s"})
    for k, x in enumerate((0.0, 1.0)):
        m.add(f"disk{k}", ww.Body(mass=1, inertia=0.1, position=(x, 0)))
        m.add(f"axle{k}", ww.Revolute(bodies=("ground", f"disk{k}"), point=(x, 0)))
    m.add("shaft", ww.TorsionalSpring(bodies=("disk0", "disk1"), stiffness=400, damping=2))
    m.add("drag", ww.TorsionalSpring(joint="axle1", stiffness=0, damping=0.5))
    m.add("drive", ww.JointDriver(joint="axle0", value="speed*t"))
    speeds = np.array([10.0, 12.0, 15.0])
    options = {"signals": ["axle1.w", "shaft.torque"], "settle": 20, "measure": 2}
    s = m.sweep("speed", speeds, frequency="speed/(2*pi)", both=True, **options)
    for way in ("up", "down"):
        one = s.dataset.sel(direction=way)
        assert one["mean"].sel(signal="axle1.w").to_numpy() == pytest.approx(speeds, rel=1e-6)
        assert one["mean"].sel(signal="shaft.torque").to_numpy() == pytest.approx(0.5 * speeds, rel=1e-6)
    with pytest.raises(ww.ModelError, match=r"would have to jump.*frequency"):
        m.sweep("speed", speeds, signals=["axle1.w"], settle=1.0, measure=0.1)
    # `frequency` was given, and four periods of it are a turn: three periods are none
    with pytest.raises(ww.ModelError, match=r"in the 3 periods of a value .*choose `settle` and `measure`"):
        m.sweep("speed", speeds, signals=["axle1.w"], frequency="4*speed/(2*pi)", settle=2, measure=1)


def test_measures():
    n, periods = 32, 6
    t = np.arange(n * periods) / n
    x = 3 + 2 * np.cos(2 * np.pi * t + 0.3) + 0.5 * np.sin(np.pi * t)
    amplitudes = order_amplitudes(x[:, None], n, np.array([0.5, 1, 2]))[:, 0]
    assert np.abs(amplitudes) == pytest.approx([0.5, 2, 0], abs=1e-12)
    assert np.angle(amplitudes[1]) == pytest.approx(0.3)
    # 6 periods hold 1.5 cycles of order 1/4, which showed 1.22 of the mean and of order 1
    slow = 3 + 2 * np.cos(2 * np.pi * t + 0.3)
    quarter = np.array([0.25])
    assert order_amplitudes(slow[:, None], n, quarter) == pytest.approx(0, abs=1e-5)
    slow += np.cos(2 * np.pi * t / 4 + 0.2)
    assert order_amplitudes(slow[:, None], n, quarter) == pytest.approx(np.exp(0.2j), abs=1e-4)
    found = statistics(x[:, None])
    assert found["mean"] == pytest.approx([3])
    assert found["rms"] == pytest.approx([np.sqrt(2 + 0.125)])  # Parseval
    assert found["peak"] == pytest.approx([np.ptp(x) / 2])
    f, lines = spectrum(x, 1 / n)
    assert lines[f == 1] == pytest.approx([2], rel=1e-9)
    assert lines[f == 0.5] == pytest.approx([0.5], rel=1e-9)
    assert open_share(np.array([[0.0], [1e-12], [3.0], [-2.0]])) == pytest.approx([0.5])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signals": ["slide.displacemnt"]}, "did you mean `slide.displacement`"),
        ({"frequency": "omga/(2*pi)"}, "there is no parameter `omga`"),
        ({"settle": 1.5}, "needs whole periods"),
        ({"measure": 0}, "greater than zero"),
        ({"samples": 1}, "at least 2"),
        ({"frequency": None, "settle": 1.0, "orders": [1]}, "need `frequency`"),
        ({"orders": [40]}, "40 is not between 1/1.* and 32, half the samples"),
        ({"orders": [0.5]}, "0.5 is not between 1/1"),
        ({"signals": None}, "no signals to measure are given"),
    ],
)
def test_mistakes(change, words):
    options = {"signals": ["slide.displacement"], "settle": 1, "measure": 1, **PERIODS} | change
    with pytest.raises(ww.ModelError, match=words):
        linear().sweep("omega", [1.0, 1.1], **options)


def test_unknown_parameter():
    with pytest.raises(ww.ModelError, match="did you mean `omega`"):
        linear().sweep("omeg", [1.0], signals=["slide.displacement"])


@pytest.mark.slow
def test_interrupt_keeps_what_there_is(monkeypatch, tmp_path):
    """Ctrl-C in the third value: two are kept, the rest is nan, and the file can be written."""
    module = importlib.import_module("wheelwork.analyses.vibration.sweep")

    class Pressed(module.SweepWatch):
        def begin(self, words):
            super().begin(words)
            self.presses = int(self._done == 2)

        def __exit__(self, *args):
            self.presses = min(self.presses, 0)
            super().__exit__(*args)
            self.presses = 1

    monkeypatch.setattr(module, "SweepWatch", Pressed)
    s = linear().sweep(
        "omega",
        [0.8, 0.9, 1.0, 1.1],
        signals=["slide.displacement"],
        settle=200,
        measure=2,
        both=True,
        **PERIODS,
    )
    rms = s["slide.displacement"]["rms"].to_numpy()
    assert np.isfinite(rms[0]).tolist() == [True, True, False, False]
    assert np.isnan(rms[1]).all()
    assert "interrupted" in s.report
    s.save(tmp_path / "sweep.nc")
    s.save(tmp_path / "sweep.json")
    assert (tmp_path / "sweep.json").stat().st_size > 100
