"""Observed orders of convergence, in constrained systems."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions

from .models import four_bar, link

END = 0.5


def spatial_chain():
    """Two bars on a ball joint and a skew hinge, with a spring, thrown: every term of the equations is at work."""
    m = ww.Mechanism("chain")
    m.add("upper", link((0, 0), (1, 0), velocity=(0, 0.5, 0), angular_velocity=(0, 0, 1)))
    m.add("lower", link((1, 0), (1.8, 0), velocity=(0, 1.4, 0), angular_velocity=(0, 0, 1)))
    m.add("ball", ww.Spherical(bodies=("ground", "upper"), point=(0, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("upper", "lower"), point=(1, 0, 0), axis=(0, 1, 1)))
    spring = {"point_a": (0, 0, 1), "point_b": (1.8, 0, 0), "stiffness": 8, "damping": 0.3}
    m.add("spring", ww.Spring(bodies=("ground", "lower"), **spring))
    return m


MODELS = {"four-bar": four_bar, "chain": spatial_chain}


GRID = np.linspace(0.0, END, 11)


def largest_error(case, **options):
    """Of all positions at all output times; steps taken."""
    at, reference = case
    run = at.prepared.engine.integrate(at.state, GRID, RunOptions(end=END, **options))
    assert run.report.outcome.good
    return np.max(np.abs(run.state - reference)[:, : at.prepared.program.nq]), run.report.steps


def with_steps_of(step):
    """One size of step, with tolerances so wide that none is rejected."""
    return {"step": step, "largest_step": step, "rtol": 1e6, "atol": 1e6}


@pytest.fixture(scope="module", params=MODELS)
def case(request):
    at = assembled(prepare(MODELS[request.param](), method="sdirk4"), 0.0)
    options = RunOptions(end=END, rtol=1e-13, atol=1e-15, largest_step=1e-3)
    return at, at.prepared.engine.integrate(at.state, GRID, options).state


# With finite steps an order is seen to within a few tenths; a method of the next lower order would miss by one.


def test_rk4_has_order_four(case):
    errors = [largest_error(case, method="rk4", **with_steps_of(h))[0] for h in (0.0125, 0.00625, 0.003125)]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4, abs=0.3)


def test_dopri5_has_order_five(case):
    errors = [largest_error(case, method="dopri5", **with_steps_of(h))[0] for h in (0.05, 0.025, 0.0125)]
    # the leading term happens to be small for the four-bar, which then does better
    assert np.log2(np.divide(errors[:-1], errors[1:])).min() > 4.7


def test_dop853_has_order_eight(case):
    """At the ends of steps, where output needs no interpolation."""
    errors = [largest_error(case, method="dop853", **with_steps_of(h))[0] for h in (0.1, 0.05)]
    assert np.log2(errors[0] / errors[1]) > 7.5


def test_interpolation_of_dop853_is_of_order_seven(case):
    """Output falls inside steps; the cubic through both ends would give errors that fall 16 times a halving."""
    errors = [largest_error(case, method="dop853", **with_steps_of(h))[0] for h in (0.08, 0.04)]
    assert np.log2(errors[0] / errors[1]) > 6.5


def test_sdirk4_has_order_four(case):
    """Newton's method stops at a part of the tolerance, so here the tolerance is varied: error over number of steps."""
    errors, steps = zip(
        *(largest_error(case, method="sdirk4", rtol=rtol, atol=rtol) for rtol in (1e-7, 1e-8, 1e-9, 1e-10)),
        strict=True,
    )
    # from one tolerance to the next errors fall a little unevenly; a method of order three would miss by more
    assert 3.5 < -np.polyfit(np.log(steps), np.log(errors), 1)[0] < 5


def test_order_without_projection(case):
    """Drift is of the method's order as well: projection does not hide a lower one."""
    steps = (0.0125, 0.00625, 0.003125)
    errors = [largest_error(case, method="rk4", stabilisation="none", **with_steps_of(h))[0] for h in steps]
    assert np.log2(np.divide(errors[:-1], errors[1:])) == pytest.approx(4, abs=0.3)


def test_dense_output_of_dopri5_is_of_order_four(case):
    """Output inside steps comes from the continuous extension of order 4; its errors fall 16 times a halving."""
    errors = [largest_error(case, method="dopri5", **with_steps_of(h))[0] for h in (0.04, 0.02)]
    assert np.log2(errors[0] / errors[1]) > 3.5


def test_dop853_keeps_tight_tolerances_with_fewer_evaluations(case):
    at, reference = case
    evaluations = {}
    for method in ("dopri5", "dop853"):
        options = RunOptions(end=END, method=method, rtol=1e-10, atol=1e-10)
        run = at.prepared.engine.integrate(at.state, GRID, options)
        evaluations[method] = run.report.evaluations
        assert np.max(np.abs(run.state - reference)) < 1e-8
    assert evaluations["dop853"] < evaluations["dopri5"] / 1.2


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_error_follows_the_tolerance(case, method):
    errors = [largest_error(case, method=method, rtol=10.0**-k, atol=10.0**-k)[0] for k in (5, 7, 9)]
    assert errors[0] < 1e-4
    assert errors[1] < errors[0] / 5
    assert errors[2] < errors[1] / 5
