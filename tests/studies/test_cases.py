"""The worked cases of the guide, against formulas and against another analysis."""

import sys
from pathlib import Path

import numpy as np
import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
if not GUIDE.is_dir():
    pytest.skip("no documentation beside the tests", allow_module_level=True)
sys.path.insert(0, str(GUIDE))
import study_pictures as cases  # noqa: E402

sys.path.remove(str(GUIDE))


@pytest.mark.slow
def test_the_resonance_is_where_theory_has_it():
    table = cases.factor_map(21, 3)
    speed, k = table.speed.values, table.k.values
    peaks = speed[table.factor.values.argmax(axis=0)]
    inside = cases.resonance(k) < speed[-1]
    assert np.all(np.abs(peaks - cases.resonance(k))[inside] <= 0.51 * (speed[1] - speed[0]))
    # of some thousand samples the greatest is a little less than the amplitude
    wanted = cases.factor_formula(speed[:, None], k[None])
    assert np.allclose(table.factor, wanted, rtol=8e-3)


@pytest.mark.slow
@pytest.mark.parametrize("carrier_drives", [False, True])
def test_shares_of_planets_are_those_of_the_formula(carrier_drives):
    """A pin that is ahead carries less where the sun drives, and more where the carrier does."""
    table = cases.tolerances(12, carrier_drives)
    wanted = cases.sharing_formula(table, carrier_drives)
    assert np.allclose(table.sharing, wanted, atol=4e-3)
    other = cases.sharing_formula(table, not carrier_drives)
    assert np.abs(table.sharing - other).max() > 0.05
    assert np.all(table.sun1 < 0) if carrier_drives else np.all(table.sun1 > 0)


@pytest.mark.slow
def test_the_pair_doubles_its_period_where_teeth_part_as_in_our_sweep():
    table = cases.bifurcation(13)
    error, section = table.error.values, table["section"].values
    once = np.ptp(section, axis=1) < 0.1e-6
    assert np.array_equal(once, error < cases.parting())
    twice = np.ptp(section[:, 1::2], axis=1) < 0.1e-6
    assert np.any(twice & ~once)
    assert np.any(~twice & ~once), "and more than that"
    chosen = np.flatnonzero(twice)[[0, 1, -1]]
    own = cases.swept(error[chosen]).values
    for k, points in zip(chosen, own, strict=True):
        ends = np.sort([points.min(), points.max()])
        assert np.allclose([section[k].min(), section[k].max()], ends, atol=0.05e-6)


def test_a_million_yaw_drives_scatter_as_the_formula_has_it():
    """What is kept of the run on a device: each pinion carries its motor's torque; errors of a sample of a million."""
    kept = cases.yaw_kept()
    mean, deviation = cases.yaw_formula()
    assert kept["reached_end"] == kept["variants"] == 1_000_000
    assert kept["mean"]["average"] == pytest.approx(mean, abs=4 * deviation / 1000)
    assert kept["mean"]["deviation"] == pytest.approx(deviation, abs=4 * deviation / np.sqrt(2e6))
    assert kept["mean"]["percentiles"]["99"] == pytest.approx(mean + 2.3263 * deviation, abs=5.0)


@pytest.mark.slow
def test_some_of_these_drives_on_the_processor_are_like_those_of_the_device():
    table, kept = cases.yaw_torques(16).run(), cases.yaw_kept()
    radius = 2000.0 / cases.yaw_formula()[0]
    # the teeth's errors go round with the pinions: a second is no whole number of their turns
    assert np.allclose(table["mean"], (table.torque + table.extra1) / radius, rtol=2e-3)
    factor = (table.peak / table["mean"]).values
    assert kept["factor"]["percentiles"]["0.1"] < factor.min()
    assert factor.max() < kept["factor"]["percentiles"]["99.9"]
