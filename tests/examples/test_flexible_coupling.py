"""The flexible coupling: winding up, blow and free swings by energy and arcs of circles in closed form."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

J = 0.6 * 0.4 / (0.6 + 0.4)
LOAD, SOFT, HARD, CORNER, STOP = 60.0, 2000.0, 10000.0, 0.05, 0.12
PIECES = (
    (-np.inf, -CORNER, HARD, -SOFT * CORNER),
    (-CORNER, CORNER, SOFT, -SOFT * CORNER),
    (CORNER, np.inf, HARD, SOFT * CORNER),
)
"""From, to, stiffness, torque at the inner corner (the left one of the middle piece)."""


def stored(x):
    """Energy of the rubber [J] from 0 to a windup."""
    inner, outer = min(abs(x), CORNER), max(abs(x) - CORNER, 0.0)
    return SOFT * inner**2 / 2 + SOFT * CORNER * outer + HARD * outer**2 / 2


def period(low, high):
    """Of free swings between two windups under the load: on each piece the motion is a part of a sine."""
    total = stored(high) - LOAD * high
    assert total == pytest.approx(stored(low) - LOAD * low, rel=1e-3, abs=1e-6)
    time = 0.0
    for begin, end, stiffness, torque in PIECES:
        a, b = max(low, begin), min(high, end)
        if a >= b:
            continue
        corner = begin if np.isfinite(begin) else end
        middle = corner + (LOAD - torque) / stiffness  # where this piece alone would carry the load
        at = np.clip((a + b) / 2, a, b)
        kinetic = total - (stored(at) - LOAD * at)
        amplitude = np.sqrt((at - middle) ** 2 + 2 * kinetic / stiffness)
        angles = np.arcsin(np.clip((np.array([a, b]) - middle) / amplitude, -1, 1))
        time += np.diff(angles)[0] / np.sqrt(stiffness / J)
    return 2 * time


def swings(r, after):
    """Windups at which free swings turn round [rad], and the time of one of them [s]."""
    late = r.t > after
    t, x, speed = r.t[late], -r["coupling.angle"].values[late], -r["coupling.w"].values[late]
    down = np.flatnonzero((speed[:-1] > 0) & (speed[1:] <= 0))
    turns = t[down] + speed[down] / (speed[down] - speed[down + 1]) * (t[down + 1] - t[down])
    return x.min(), x.max(), np.diff(turns)


def test_the_load_winds_up_the_soft_stage():
    r = result("flexible-coupling")
    still = r.t < 0.299
    assert -r["coupling.angle"].values[still] == pytest.approx(LOAD / SOFT, abs=1e-9)
    assert np.ptp(r["generator.w"].values[still][:, 0]) < 1e-6


def test_the_blow_has_the_energy_that_the_rubber_leaves():
    """Without damping; the short circuit, as the two inertias share it, works on the coupling until then."""
    r = model("flexible-coupling").with_parameters(c=0).simulate(end=0.35, output=350)
    (blow,) = [e for e in r.events if e.kind.name == "IMPACT"]
    way = STOP - LOAD / SOFT
    energy = (LOAD + 800 * J / 0.4) * way - (stored(STOP) - stored(LOAD / SOFT))
    assert np.sqrt(2 * energy / J) == pytest.approx(11.4, abs=0.05)
    assert blow.lost == pytest.approx((1 - 0.3**2) * energy, rel=1e-6)
    assert blow.size == pytest.approx((1 + 0.3) * np.sqrt(2 * energy * J), rel=1e-6)


@pytest.mark.parametrize("fault", [30, 200, 400])
def test_free_swings_take_the_time_of_their_arcs(fault):
    """Without damping: the wider, the faster; small ones stay in the soft stage."""
    m = model("flexible-coupling").with_parameters(c=0, fault=fault)
    r = m.simulate(end=1.0, output=10000, rtol=1e-10)
    low, high, times = swings(r, 0.32)
    assert not [e for e in r.events if e.kind.name == "IMPACT"]
    assert np.ptp(times) < 1e-4 * times.mean()
    assert times.mean() == pytest.approx(period(low, high), rel=1e-4)
    soft = 2 * np.pi / np.sqrt(SOFT / J)
    if fault == 30:
        assert times.mean() == pytest.approx(soft, rel=1e-5)
    else:
        assert times.mean() < 0.97 * soft


def test_what_the_example_says():
    """From 21 Hz at first to 14.5 Hz in the soft stage."""
    _, _, times = swings(result("flexible-coupling"), 0.33)
    assert 1 / times[0] == pytest.approx(20.8, abs=0.3)
    assert 1 / times[-1] == pytest.approx(np.sqrt(SOFT / J) / 2 / np.pi, rel=3e-3)  # damping is 3.4 percent


def test_both_formulations_agree_and_nothing_is_lost():
    one, other = (
        model("flexible-coupling").simulate(formulation=f, rtol=1e-9) for f in ("absolute", "reduced")
    )
    assert np.max(np.abs(one["coupling.angle"].values - other["coupling.angle"].values)) < 1e-6
    balance = one.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
