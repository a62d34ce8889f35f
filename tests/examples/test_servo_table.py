"""The servo table: stability limit by phase crossover, growth by characteristic roots, margins by python-control."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq, newton

from .bundled import model, result

pytestmark = pytest.mark.slow

J, DEAD, LAG = 2e-4 + 0.02 / 3**2, 2e-3, 1e-3
CROSSOVER = brentq(lambda w: w * DEAD + np.arctan(w * LAG) - np.pi / 2, 1, 2000)
"""rad/s, where dead time and filter turn the phase by the 90 degrees that the inertia leaves."""
LIMIT = J * CROSSOVER * np.hypot(1, CROSSOVER * LAG)
"""N m s/rad: the gain with which the loop has the size 1 there."""


def swings(**parameters):
    """Frequency [rad/s] and rate of growth [1/s] of the speed loop alone, kicked, without limits."""
    m = model("servo-table").with_parameters(kv=0, kick=1, load=0, most=1e9, **parameters)
    r = m.simulate(end=0.3, output=6000)
    w, t = r["motor-bearing.w"].values, r.t
    up = np.flatnonzero((w[:-1] < 0) & (w[1:] >= 0))
    crossings = t[up] - w[up] * (t[up + 1] - t[up]) / (w[up + 1] - w[up])
    peaks = np.array([w[a:b].max() for a, b in pairwise(up)])
    late = slice(4, None)  # other roots have died away
    growth = np.polyfit(crossings[:-1][late], np.log(peaks[late]), 1)[0]
    return 2 * np.pi / np.diff(crossings)[late].mean(), growth


def test_the_loop_oscillates_for_ever_at_the_limit():
    frequency, growth = swings(kp=LIMIT, ki=0)
    assert abs(LIMIT - 1.48) < 5e-3
    assert CROSSOVER / 2 / np.pi == pytest.approx(85.7, abs=0.05)
    assert frequency == pytest.approx(CROSSOVER, rel=3e-4)
    # the delay runs on straight lines between 20 samples: its gain is off by (w T/20)^2/12 = 2e-4, of which 5e-2 come
    assert abs(growth) < 0.1


@pytest.mark.parametrize("gain", [0.9, 1.05])
def test_beside_the_limit_it_dies_away_or_grows_as_the_characteristic_root_says(gain):
    kp = gain * LIMIT
    root = newton(lambda s: J * s * (LAG * s + 1) + kp * np.exp(-s * DEAD), 1j * CROSSOVER)
    frequency, growth = swings(kp=kp, ki=0)
    assert frequency == pytest.approx(root.imag, rel=5e-4)
    assert growth == pytest.approx(root.real, abs=0.15)


def test_the_gain_margin_is_that_of_python_control():
    """Of the loop as it stands, with its integral part: with so much more of both gains it neither grows nor dies."""
    control = pytest.importorskip("control")
    omega = np.geomspace(10, 5000, 20001)
    s = 1j * omega
    loop = (0.5 + 15 / s) * np.exp(-s * DEAD) / (J * s * (LAG * s + 1))
    margin, *_ = control.margin(control.frd(loop, omega))
    assert margin == pytest.approx(2.82, abs=0.005)
    _, growth = swings(kp=0.5 * margin, ki=15 * margin)
    assert abs(growth) < 0.2


def test_the_table_goes_where_it_is_sent_no_faster_than_it_may_and_holds_the_tool():
    r = result("servo-table")
    angle = r["table-bearing.angle"].values
    assert np.interp(0.59, r.t, angle) == pytest.approx(np.pi / 2, abs=2e-3)
    assert r["demand"].values.max() == pytest.approx(6, rel=1e-12)
    assert r["controller"].values[-1] == pytest.approx(3 / 3, rel=5e-3)  # tool through the belt


def test_the_measured_speed_is_late_by_dead_time_and_lag():
    """While the table speeds up evenly, the filter lags by its time constant and the bus by its dead time."""
    r = model("servo-table").simulate(end=0.012, output=1200)
    t, w, measured = r.t, r["motor-bearing.w"].values, r["measured"].values
    assert np.all(measured[t < DEAD] == 0)
    inside = (t > DEAD + 1e-4) & (t < 0.01)
    filtered = np.interp(t[inside] - DEAD, t, r["filter"].values)
    assert np.max(np.abs(measured[inside] - filtered)) < 2e-3 * np.max(w)
