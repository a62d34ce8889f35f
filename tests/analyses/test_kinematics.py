"""Driven motion against geometry, in space and in the plane; lock-up and branching found and named."""

import re

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.outcome import Outcome

from . import models, planar_models
from .models import pendulum, slider_crank
from .planar_models import slider_motion

CRANK, ROD = 0.1, 0.3

# A motion that cannot go on warns; what the warning says is the report, which is looked at here.
pytestmark = pytest.mark.filterwarnings("ignore::wheelwork.analyses.simulate.RunWarning")


@pytest.fixture(params=[models, planar_models], ids=["in space", "in the plane"])
def kind(request):
    return request.param


def driven(m, kind, joint, value):
    """In space hinges are about y, about which what is seen along it turns the other way round."""
    m.add("motor", ww.JointDriver(joint=joint, value=value if kind is planar_models else f"-({value})"))
    return m


@pytest.mark.slow
def test_positions_speeds_and_accelerations(kind):
    m = driven(kind.slider_crank(CRANK, ROD), kind, "bearing", "3*t + 0.5*t^2")
    r = m.kinematics(end=2, output=50)
    assert r.outcome.good
    x, v, a = slider_motion(np.pi / 2 + 3 * r.t + 0.5 * r.t**2, 3 + r.t, 1.0, CRANK, ROD)
    assert r["slider.position.x"].to_numpy() == pytest.approx(x, abs=1e-10)
    assert r["slider.velocity.x"].to_numpy() == pytest.approx(v, abs=1e-9)
    assert r["slider.acceleration.x"].to_numpy() == pytest.approx(a, abs=1e-8)


@pytest.mark.slow
def test_many_turns_are_counted(kind):
    r = driven(kind.slider_crank(CRANK, ROD), kind, "bearing", "-2*pi*t").kinematics(end=10, output=200)
    turned = -2 * np.pi * r.t
    if kind is planar_models:
        assert r["crank.angle"].to_numpy() == pytest.approx(np.pi / 2 + turned, abs=1e-9)
        assert r["bearing.angle"].to_numpy() == pytest.approx(turned, abs=1e-9)
    else:
        assert r["bearing.angle"].to_numpy() == pytest.approx(-turned, abs=1e-9)


@pytest.mark.parametrize("output", [7, 100])
def test_lock_up_when_the_slider_is_pulled_beyond_reach(kind, output):
    """Pulled at 0.05 m/s the linkage is straight when the slider is at crank + rod: time and position are told."""
    m = kind.slider_crank(CRANK, ROD)
    start = np.sqrt(ROD**2 - CRANK**2)
    m.add("puller", ww.JointDriver(joint="slide", value="0.05*t"))
    r = m.kinematics(end=5, output=output)
    exact = (CRANK + ROD - start) / 0.05
    assert r.outcome is Outcome.CONSTRAINTS_LOST
    # steps are halved to 1e-9 of the end; Newton's method is slow there
    assert r.t[-1] == pytest.approx(exact, abs=1e-7)
    assert f"t = {exact:.6g} s: lock-up: driver `puller`" in r.report
    assert f"where it is at {CRANK + ROD - start:.6g} m" in r.report
    # what was found up to there is kept, and right
    assert r["slide.displacement"].to_numpy() == pytest.approx(0.05 * r.t, abs=1e-9)
    if kind is planar_models:
        assert "slider at (0.4, 0) m" in r.report
        # crank and rod in line; their angles go with the root of what is left to the dead position
        assert r["crank.angle"].to_numpy()[-1] == pytest.approx(0, abs=1e-3)


@pytest.mark.slow
def test_lock_up_of_a_crank_that_is_too_long(kind):
    """With a rod shorter than the crank, the crank can rise until its pin is a rod's length above the slide."""
    m = driven(kind.slider_crank(crank=0.3, rod=0.2, angle=0.0), kind, "bearing", "0.5*t")
    r = m.kinematics(end=3, output=100)
    limit = np.arcsin(0.2 / 0.3)
    assert r.outcome is Outcome.CONSTRAINTS_LOST
    assert r.t[-1] == pytest.approx(limit / 0.5, abs=1e-7)
    assert "lock-up: driver `motor`" in r.report
    assert re.search(f"where it is at -?{limit:.6g} rad", r.report)


@pytest.mark.parametrize("output", [100, 97, 20])
def test_branching_is_named(kind, output):
    """Driven through its flat position, the parallelogram can go on as itself or as an antiparallelogram."""
    r = driven(kind.parallelogram(), kind, "A", "-0.5*t").kinematics(end=5, output=output)
    assert r.outcome.good
    assert "branch" in r.report
    assert f"t = {np.pi:.6g}" in r.report
    # it stays a parallelogram: that is the continuation with finite accelerations
    turning = r["rocker.w"] if kind is planar_models else -r["rocker.w.y"]
    assert turning.to_numpy() == pytest.approx(-0.5, abs=1e-6)


def test_freedoms_without_driver_are_an_error(kind):
    for m in (kind.pendulum(), kind.four_bar()):
        with pytest.raises(ww.ModelError, match="leave 1 degree of freedom"):
            m.kinematics(end=1)


@pytest.mark.slow
def test_output_is_independent_of_how_fine_it_is():
    """The steps of the solver are as small as continuity asks, whatever the grid."""
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    coarse, fine = m.kinematics(end=3.3, output=2), m.kinematics(end=3.3, output=200)
    for name in ("slider.position", "rod.position", "rod.w"):
        assert coarse[name].to_numpy()[-1] == pytest.approx(fine[name].to_numpy()[-1], abs=1e-9)


@pytest.mark.slow
def test_no_branching_where_there_is_none():
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    r = m.kinematics(end=2, output=100)
    assert "branch" not in r.report


def test_a_driver_without_a_value_is_refused_with_the_time():
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value="sqrt(0.5 - t)"))
    with pytest.raises(ww.ModelError, match=r"drivers\.motor\.value: has no finite value at t = 0\.500"):
        m.kinematics(end=1, output=10)


def test_a_table_as_driver():
    t = np.linspace(0, 1, 11)
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value=ww.Table(time=t, value=np.sin(t))))
    r = m.kinematics(end=1, output=20)
    # a cubic spline through 11 points of a sine: 5/384 h^4 times the fourth derivative inside, more at the ends
    assert r["bearing.angle"].to_numpy() == pytest.approx(np.sin(r.t), abs=1e-4)
    at_points = r["bearing.angle"].to_numpy()[::2]
    assert at_points == pytest.approx(np.sin(t), abs=1e-10)
