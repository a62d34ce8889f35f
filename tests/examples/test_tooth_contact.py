"""The test bench of Kosenko and Gusev: its curves, and the same motion from equations written by hand for SciPy."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.peers.scipy_teeth import Bench

from .bundled import model, result

BOTH = (20, 22)


@cache
def fine(teeth):
    """Up to the reversal, every 50 us."""
    return model("tooth-contact").with_parameters(pinion_teeth=teeth).run(end=0.5, output=10_000)


def touching(r):
    """Depth of the front flanks, counted on where they are apart [m]."""
    return (r["teeth.transmission_error"] - r["teeth.backlash"] / 2).to_numpy()


@pytest.mark.slow
@pytest.mark.parametrize("teeth", BOTH)
def test_geometry_of_the_paper(teeth):
    """Its formulas for 20 teeth, section 4; contact ratio 1, and 22/20 with 22 teeth between the same tips."""
    r = fine(teeth)
    alpha = 2.8 * np.arctan(2 * np.pi / (20 * 2.5))
    base = 0.2 * np.cos(alpha)
    line, path = 0.2 * 2.5 * np.sin(alpha), base * 2 * np.pi / 20
    assert r["teeth.pressure_angle"][0].item() == pytest.approx(alpha, abs=1e-12)
    assert r["teeth.path.start"][0].item() == pytest.approx((line - path) / 2, abs=1e-12)
    assert r["teeth.path.end"][0].item() == pytest.approx((line + path) / 2, abs=1e-12)
    assert path / (2 * np.pi * base / teeth) == pytest.approx(teeth / 20, rel=1e-12)
    assert r["teeth.backlash"][0].item() == pytest.approx(0.2e-3 * np.cos(alpha), abs=1e-12)
    assert touching(r)[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("teeth", BOTH)
def test_same_motion_as_by_hand(teeth):
    """Start, change of teeth, reversal through the backlash and back flanks, with friction and damping.

    Both integrate at 1e-10 relative; angles are of the order of 1 rad, speeds of 10 rad/s, and the blows on the back
    flanks multiply errors of time by accelerations of 5000 rad/s2.
    """
    bench = Bench(teeth, reverse=0.05)
    exact = bench.run(bench.floats(), 0.08, rtol=1e-10, atol=1e-13, method="LSODA", first_step=1e-6)
    theta_a, theta_b, x, w_a, w_b, v = exact.y[:, -1]
    m = model("tooth-contact").with_parameters(pinion_teeth=teeth, reverse="0.05 s")
    r = m.run(end=0.08, output=10, rtol=1e-10, atol=1e-13)
    found = {
        name: r[name][-1].item()
        for name in ("pinion-bearing.angle", "gear-bearing.angle", "guide.displacement")
    }
    assert found["pinion-bearing.angle"] == pytest.approx(theta_a, abs=1e-9)
    assert found["gear-bearing.angle"] == pytest.approx(theta_b - bench.gap / bench.base[1], abs=1e-9)
    assert found["guide.displacement"] == pytest.approx(x, abs=1e-10)
    assert r["pinion.w.z"][-1].item() == pytest.approx(w_a, abs=1e-5)
    assert r["gear.w.z"][-1].item() == pytest.approx(w_b, abs=1e-5)
    assert r["guide.speed"][-1].item() == pytest.approx(v, abs=1e-6)
    assert r["teeth.side"][-1].item() == -1 or r["teeth.gap"][-1].item() > 0


def test_both_spellings_by_hand_agree():
    """NumPy and plain numbers, at states with front, back and no contact."""
    bench = Bench(22)
    rng = np.random.default_rng(0)
    for depth in (3e-6, -9e-5, -2e-4):
        state = np.array([0, 0, 1e-6, *rng.normal(size=3)])
        state[:2] = rng.uniform(-1, 1) * np.array([1.5, -1.0])
        state[0] += (bench.gap + depth) / bench.base[0]
        plain, arrays = (np.array(getattr(bench, name)()(0.0, state)) for name in ("floats", "arrays"))
        assert arrays == pytest.approx(plain, rel=1e-10)


def test_two_curves_of_transmission_error():
    """Figure 10: half as deep while two pairs touch, splashes at both ends of that, and a shorter mesh cycle."""
    one, two = fine(20), fine(22)
    last = one.t > 0.4  # full speed
    level = np.median(touching(one)[last])
    assert (
        np.ptp(touching(one)[last]) < 0.1 * level
    )  # of one pair: friction turns at the pitch point, nothing else
    depth, pairs = touching(two)[last], two["teeth.pairs"].to_numpy()[last]
    assert set(pairs) == {1, 2}
    assert np.mean(pairs == 2) == pytest.approx(0.1, abs=0.01)
    # nearly linear: half the load on each of two pairs
    assert depth[pairs == 2].mean() == pytest.approx(0.52 * level, rel=0.08)
    assert depth[pairs == 1].mean() == pytest.approx(level, rel=0.02)
    # into a step of its load an oscillator swings nearly as far again; the damping has taken a fifth
    assert depth.min() < 0.25 * level
    assert depth.max() > 1.4 * level
    assert depth[np.argmax(depth) - 200 : np.argmax(depth)].min() > 0  # no loss of contact in it
    begins = two.t[last][1:][np.diff(pairs) > 0]
    speed = two["pinion.w.z"].to_numpy()[last].mean()
    assert np.diff(begins).mean() == pytest.approx(2 * np.pi / (22 * speed), rel=5e-3)


def test_normal_forces_of_two_contacts():
    """Figure 11: equal while both act, together what the torque needs; contacts take turns."""
    r = fine(22)
    last = r.t > 0.4
    first, second = (r[f"teeth.front.{k}.force.normal"].to_numpy()[last] for k in (1, 2))
    both = (first > 0) & (second > 0)
    assert both.mean() == pytest.approx(0.1, abs=0.01)
    assert first[both] == pytest.approx(second[both], rel=1e-9)
    alone = np.where(first > 0, first, second)[~both]
    needed = 1000 / (0.2 * np.cos(2.8 * np.arctan(2 * np.pi / 50)))
    assert np.median(alone) == pytest.approx(needed, rel=0.04)  # 5 % friction at a small angle
    turns = np.flatnonzero(np.diff(np.sign(first - second)[~both]))
    assert len(turns) == pytest.approx(
        0.1 * r["pinion.w.z"].to_numpy()[last].mean() * 22 / (2 * np.pi), abs=1
    )


def test_start_from_rest():
    """As of one inertia: w = 15 rad/s (1 - exp(-t/tau)), less what friction takes (a percent)."""
    r = fine(22)
    disc = 7850 * np.pi * 0.1 / 2
    J = disc * (0.2**4 + 0.3**4 / 1.5**2)
    tau = J / (150 / 1.5**2)
    assert r["pinion.w.z"].to_numpy() == pytest.approx(15 * (1 - np.exp(-r.t / tau)), abs=0.2)
    assert r["pinion.w.z"][0].item() == 0


@pytest.mark.slow
def test_reversal():
    """Contact is lost, comes back on the other flanks after free flight; the teeth bounce there before they stay."""
    r = model("tooth-contact").run(end=0.53, output=26_500)
    t, side, gap = r.t, r["teeth.side"].to_numpy(), r["teeth.gap"].to_numpy()
    after = t > 0.5
    flight = after & (side == 0)
    first_back = np.flatnonzero(after & (side == -1))[0]
    first_free = np.flatnonzero(flight)[0]
    assert side[first_free - 1] == 1
    assert np.all(side[first_free:first_back] == 0)
    across = slice(first_free, first_back)
    half = r["teeth.backlash"].to_numpy()[across] / 2
    lead = r["teeth.transmission_error"].to_numpy()[across]
    assert gap[across] == pytest.approx(half - np.abs(lead), abs=1e-12)
    assert lead[0] > 0.95 * half[0]
    assert lead[-1] < -0.95 * half[-1]
    # free wheels: each under its own torque
    disc = 7850 * np.pi * 0.1 / 2
    inside = np.flatnonzero(flight)[5:-5]
    inside = inside[(side[inside - 1] == 0) & (side[inside + 1] == 0)]
    assert r["pinion.angular_acceleration.z"].to_numpy()[inside] == pytest.approx(
        -1000 / (disc * 0.2**4), rel=1e-9
    )
    drag = -150 * r["gear.w.z"].to_numpy()[inside] / (disc * 0.3**4)
    assert r["gear.angular_acceleration.z"].to_numpy()[inside] == pytest.approx(drag, rel=1e-9)
    # blows and rebounds
    begins = np.flatnonzero((side[:-1] == 0) & (side[1:] == -1))
    assert len(begins) > 4
    heights = [gap[a:b].max() for a, b in pairwise(begins)]
    assert all(low < high for high, low in pairwise(heights))
    assert np.all(side[t > 0.525] == -1)


@pytest.mark.slow
def test_ratio_is_exact_over_many_teeth():
    """The arcs differ by no more than the backlash and the depth, forwards and backwards."""
    r = result("tooth-contact")
    arc = 0.2 * r["pinion-bearing.angle"].to_numpy() + 0.3 * r["gear-bearing.angle"].to_numpy()
    assert np.abs(arc).max() < 0.2e-3 + 2e-5
    teeth = np.abs(np.diff(r["pinion-bearing.angle"].to_numpy())).sum() / (2 * np.pi / 22)
    assert teeth > 40
