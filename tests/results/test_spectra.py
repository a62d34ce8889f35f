"""Spectra, orders and waterfalls of results, against motions that are prescribed."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.vibration.measures import order_amplitudes
from wheelwork.results.signal_spectra import FoldedWarning
from wheelwork.results.spectra import NoOrders, find_order

SIZE, MEAN = 0.02, 0.5


def driven(start, rise, output, end=1.0):
    """A shaft that makes start*t + rise*t^2/2 turns, and another that swings at three times its angle."""
    m = ww.Mechanism("driven", kind="planar", gravity=(0, 0))
    turned = f"2*pi*({start}*t + {rise / 2}*t^2)"
    for name, value in (("shaft", turned), ("other", f"{MEAN} + {SIZE}*cos(3*{turned} + 0.4)")):
        m.add(name, ww.Rotor(inertia=1))
        m.add(f"{name}_drive", ww.JointDriver(joint=f"{name}.bearing", value=value))
    return m.kinematics(end=end, output=output)


@pytest.fixture(scope="module")
def even():
    return driven(9.5, 0, 1000)


@pytest.fixture(scope="module")
def run_up():
    return driven(10, 40, 4000)


@pytest.mark.parametrize("which", ["even", "run_up"])
def test_orders(which, request):
    """Order 3 has the amplitude and phase of the motion, at a constant speed and one that grows fivefold."""
    r = request.getfixturevalue(which)
    found = r.orders("other.angle", "shaft.angle", most=6)
    assert found.attrs["units"] == "rad"
    assert float(found.sel(order=0)) == pytest.approx(MEAN, abs=1e-6)
    third = found.sel(order=3)
    assert float(third) == pytest.approx(SIZE, rel=1e-4)
    assert float(third["phase"]) == pytest.approx(0.4, abs=1e-3)
    others = found.to_numpy()[(found["order"] > 0) & (np.abs(found["order"] - 3) > 0.3)]
    assert others.max() < 1e-4 * SIZE
    # over a stretch of time, of which the window says the same
    part = r.orders("other.angle", "shaft.angle", most=6, start=0.2, end=0.75)
    assert float(part.sel(order=3)) == pytest.approx(SIZE, rel=1e-4)


def test_spectrum(even):
    """28.5 Hz falls between two lines a second apart: the window takes 15 % at most, and nothing goes far."""
    found = even.spectrum("other.angle")
    assert float(found.idxmax()) == pytest.approx(28.5, abs=0.51)
    assert 0.84 * SIZE < float(found.max()) < SIZE
    assert found.sel(frequency=slice(60, None)).max() < 1e-3 * SIZE
    whole = even.spectrum("other.angle", end=2 / 9.5 - 1e-3)  # whole cycles
    assert float(whole.max()) == pytest.approx(SIZE, rel=1e-2)


@pytest.mark.parametrize("by", ["frequency", "order"])
def test_waterfall_of_a_run_up(run_up, by):
    """The line of order 3 is where it belongs at every speed, with the amplitude of the motion."""
    options = {"window": 4} if by == "order" else {"window": 0.1}
    found = run_up.waterfall("other.angle", "shaft.angle", by=by, most=6 if by == "order" else 200, **options)
    assert found.dims == ("time", by)
    t, lines = found["time"].to_numpy(), found[by].to_numpy()
    assert found["speed"].to_numpy() == pytest.approx(2 * np.pi * (10 + 40 * t), rel=1e-3)
    wanted = 3 * np.ones_like(t) if by == "order" else 3 * (10 + 40 * t)
    largest = lines[found.to_numpy().argmax(axis=1)]
    assert largest == pytest.approx(wanted, abs=lines[1] * 0.75)
    # a window in which the frequency sweeps over two lines spreads them
    share = 1e-3 if by == "order" else 0.3
    assert found.max(by).to_numpy() == pytest.approx(SIZE, rel=share)


def test_what_is_too_fast_for_the_outputs_is_said():
    """28.5 Hz in 40 outputs a second shows at 11.5 Hz; a shaft of 9.5 turns has 4 of them in a turn."""
    r = driven(9.5, 0, 40)
    with pytest.warns(FoldedWarning, match=r"`other.angle` changes faster .* above 20 Hz appears at lower"):
        assert float(r.spectrum("other.angle").idxmax()) == pytest.approx(11.5, abs=1)
    too_high = r"orders up to 1.68 are told apart, and 3 is asked for: take more outputs"
    with pytest.warns(FoldedWarning), pytest.raises(NoOrders, match=too_high):
        r.orders("other.angle", "shaft.angle", most=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        driven(9.5, 0, 400).spectrum("other.angle")


def test_outputs_at_any_times_are_resampled():
    times = np.sort(np.random.default_rng(1).uniform(0, 1, 800))
    even = driven(9.5, 0, 1000)
    found = even.at(times).orders("other.angle", "shaft.angle", most=4)
    assert float(found.sel(order=3)) == pytest.approx(SIZE, rel=1e-3)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda r: r.spectrum("momentum.linear"),
            "is a vector: take a component, such as `momentum.linear.x`",
        ),
        (lambda r: r.spectrum("shaft.angel"), "did you mean `shaft.angle`"),
        (lambda r: r.spectrum("shaft.angle", start=0.5, end=0.503), "outputs are too few"),
        (lambda r: r.spectrum("shaft.angle", start=2), "from 2 to 1 s there is no output"),
        (
            lambda r: r.orders("other.angle", "shaft.w"),
            "is in rad/s, and orders are those of an angle in rad",
        ),
        (lambda r: r.orders("shaft.angle", "other.angle"), "turns back on its way"),
        (lambda r: r.orders("other.angle", "shaft.angle", end=0.05), "less than one turn"),
        (lambda r: r.waterfall("other.angle", by="order"), "orders are those of an angle"),
        (
            lambda r: r.waterfall("other.angle", "shaft.angle", by="order", most=90),
            "are told apart, and 90 is",
        ),
        (lambda r: r.waterfall("other.angle", by="speed"), "`by` must be"),
        (lambda r: r.waterfall("other.angle", window=1e-4), "choose `window` between"),
        (lambda r: r.plot.waterfall("other.angle", orders=[3]), "orders are those of an angle"),
        (lambda r: r.plot("other.angle", start=3), "there is no output"),
    ],
)
def test_mistakes(even, ask, message):
    with pytest.raises((ValueError, KeyError), match=message):
        ask(even)


def test_pictures(run_up, tmp_path):
    """Orders are named where they are; a plot shows the stretch that was asked for, and has its scale."""
    figure = run_up.plot.waterfall("other.angle", "shaft.angle", by="order", most=6)
    above, below, bar = figure.axes
    assert [text.get_text() for text in above.texts] == ["3×"]
    assert bar.get_ylabel() == "amplitude of other.angle [mrad]"
    assert below.get_xlabel() == "speed [rad/s]"
    figure = run_up.plot.waterfall("other.angle", "shaft.angle", orders=[1, 3], theme="dark")
    assert [text.get_text() for text in figure.axes[0].texts] == ["1×", "3×"]
    figure = run_up.plot.orders("other.angle", "shaft.angle", most=6)
    assert [text.get_text() for text in figure.axes[0].texts] == ["3×"]
    assert run_up.plot.spectrum("other.angle").axes[0].get_xlabel() == "frequency [Hz]"
    axis = run_up.plot("shaft.w", "other.angle", start=0.25, end=0.5).axes[0]
    assert axis.get_xlim() == pytest.approx((0.25, 0.5))
    assert axis.get_ylim()[1] < 1.1 * 2 * np.pi * 30
    assert run_up.plot.between(end=0.5).motion().axes[0].get_xlim()[1] == pytest.approx(0.5)


def test_an_order_needs_a_turn_or_two_cycles():
    """In half a turn the third order was told as 0.66 of the second."""
    angle = np.linspace(0, 0.96 * 2 * np.pi, 400)
    with pytest.raises(NoOrders, match=r"0\.96 turns, which is less than 1 turns or two cycles of order 2"):
        find_order(100 + np.sin(3 * angle), angle, 2.0)
    assert abs(find_order(100 + np.sin(30 * angle), angle, 30.0)) == pytest.approx(1, rel=1e-4)
    assert np.isnan(order_amplitudes(np.ones((16, 1)), 8, np.array([0.3]))).all()
