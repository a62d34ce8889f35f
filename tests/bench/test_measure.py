"""Fits, fronts and races; the smallest sizes of what new processes run."""

import itertools

import numpy as np
import pytest

from benchmarks import child, growth, growth_child, measure


@pytest.mark.parametrize("p", [0.0, 1.0, 2.8])
def test_exponent_of_a_power_law(p):
    sizes = [10, 30, 100, 300, 1000]
    assert measure.exponent(sizes, [3e-6 * n**p for n in sizes]) == pytest.approx(p, abs=1e-12)


def test_exponents_of_sides_over_all_sizes_and_over_the_last_two():
    """Time 1 + N/100: hardly growing at first, proportional to N in the end."""
    rows = [{"side": "ours", "n": n, "seconds": 1 + n / 100} for n in (1000, 1, 10_000, 10, 100)]
    rows.append({"side": "alone", "n": 10, "seconds": 1.0})
    found = growth.exponents(rows)
    assert found.keys() == {"ours"}  # one size has no growth
    assert found["ours"]["last"] == pytest.approx(np.log10(101 / 11), rel=1e-12)
    assert 0.3 < found["ours"]["all"] < found["ours"]["last"]


def test_race_keeps_the_least_time_and_those_that_failed():
    spent = itertools.cycle([3.0, 1.0, 2.0])

    def runs(row):
        row["error"] = 1e-3
        return next(spent)

    def fails(row):
        raise RuntimeError("no")

    rows, failed = measure.race([({"side": "a"}, runs), ({"side": "b"}, fails)], rounds=3)
    assert rows == [{"side": "a", "error": 1e-3, "seconds": 1.0}]
    assert failed == [{"side": "b"}]


def test_fronts_and_times_between_them():
    """Of order 4: ten times the time, 1e-4 of the error; the run that is slower and worse is not on the front."""
    rows = [
        {"side": "a", "method": "m", "seconds": 1.0, "error": 1e-2},
        {"side": "a", "method": "m", "seconds": 10.0, "error": 1e-6},
        {"side": "a", "method": "m", "seconds": 11.0, "error": 1e-5},
    ]
    assert measure.fronts(rows) == rows[:2]
    level = measure.at_levels(rows, [1e-4, 1e-10], {"a": 4})
    assert level[0]["a"]["seconds"] == pytest.approx(10**0.5, rel=1e-12)
    assert level[1]["a"] == {"seconds": pytest.approx(100.0, rel=1e-12), "method": "m", "extrapolated": True}


@pytest.mark.parametrize("model", list(growth.MODELS))
def test_formulations_of_the_models_that_grow_agree(model):
    """After 20 steps of 1 ms: rk4 of both, which differ in the coordinates and by the order of the method."""
    found = {}
    for formulation in ("absolute", "reduced"):
        _, found[formulation] = growth_child.ours(model, formulation, 3)(growth_child.STEPS)
    assert found["absolute"] == pytest.approx(found["reduced"], abs=1e-9)


@pytest.mark.slow
def test_what_a_new_process_says():
    row = child.growth("train, fixed housing", "ours reduced", "3")
    assert {"seconds", "ready", "gear", "motion", "peak", "imports"} == row.keys()
    assert row["motion"] < 1e-12  # rk4 of one equation that is linear: (0.001)^5 per step
    task = child.whole("squeezer", "wheelwork")
    assert task["error"] < 1e-4  # relative tolerance 1e-6, and seven bodies through two and a half turns
    for found in (row, task):
        assert 20e6 < found["imports"] <= found["peak"] < 4e9
