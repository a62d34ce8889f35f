"""Driven motion against geometry; lock-up and branching found and named."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.outcome import Outcome

from .models import hinge, link, pendulum, slider_crank

CRANK, ROD = 0.1, 0.3

# A motion that cannot go on warns; what the warning says is the report, which is looked at here.
pytestmark = pytest.mark.filterwarnings("ignore::wheelwork.analyses.simulate.RunWarning")


@pytest.mark.slow
def test_positions_speeds_and_accelerations():
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="3*t + 0.5*t^2"))
    r = m.kinematics(end=2, output=50)
    a = np.pi / 2 - (3 * r.t + 0.5 * r.t**2)  # angle of the crank above level; about y it turns downwards
    w, dw = -(3 + r.t), -1.0
    h, c = CRANK * np.sin(a), CRANK * np.cos(a)
    root = np.sqrt(ROD**2 - h**2)
    x = c + root
    v = -h * w - h * c * w / root
    rate = w * (c * c - h * h) / root + w * (h * c) ** 2 / root**3  # of h c / root
    acceleration = -(c * w**2 + h * dw) - (h * c / root * dw + rate * w)
    assert r.outcome.good
    assert r["slider.position.x"].to_numpy() == pytest.approx(x, abs=1e-10)
    assert r["slider.velocity.x"].to_numpy() == pytest.approx(v, abs=1e-9)
    assert r["slider.acceleration.x"].to_numpy() == pytest.approx(acceleration, abs=1e-8)


@pytest.mark.slow
def test_many_turns_are_counted():
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    r = m.kinematics(end=10, output=200)
    assert r["bearing.angle"].to_numpy() == pytest.approx(2 * np.pi * r.t, abs=1e-9)


@pytest.mark.slow
def test_output_is_independent_of_how_fine_it_is():
    """The steps of the solver are as small as continuity asks, whatever the grid."""
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    coarse, fine = m.kinematics(end=3.3, output=2), m.kinematics(end=3.3, output=200)
    for name in ("slider.position", "rod.position", "rod.w"):
        assert coarse[name].to_numpy()[-1] == pytest.approx(fine[name].to_numpy()[-1], abs=1e-9)


@pytest.mark.parametrize("output", [7, 100])
def test_lock_up_when_the_slider_is_pulled_beyond_reach(output):
    """Pulled at 0.05 m/s the linkage is straight when the slider is at crank + rod."""
    m = slider_crank(CRANK, ROD)
    start = np.sqrt(ROD**2 - CRANK**2)
    m.add("puller", ww.JointDriver(joint="slide", value="0.05*t"))
    r = m.kinematics(end=5, output=output)
    exact = (CRANK + ROD - start) / 0.05
    assert r.outcome is Outcome.CONSTRAINTS_LOST
    assert r.t[-1] == pytest.approx(
        exact, abs=1e-7
    )  # steps are halved to 1e-9 of the end; Newton's method is slow there
    assert "lock-up" in r.report
    assert "`puller`" in r.report
    # what was found up to there is kept, and right
    assert r["slide.displacement"].to_numpy() == pytest.approx(0.05 * r.t, abs=1e-9)


@pytest.mark.slow
def test_lock_up_of_a_crank_that_is_too_long():
    """With a rod shorter than the crank, the crank can rise until its pin is a rod's length above the slide."""
    m = slider_crank(crank=0.3, rod=0.2, angle=0.0)
    m.add("motor", ww.JointDriver(joint="bearing", value="-0.5*t"))
    r = m.kinematics(end=3, output=100)
    exact = np.arcsin(0.2 / 0.3) / 0.5
    assert r.outcome is Outcome.CONSTRAINTS_LOST
    assert r.t[-1] == pytest.approx(exact, abs=1e-7)
    assert "lock-up" in r.report
    assert "`motor`" in r.report


def parallelogram():
    m = ww.Mechanism("parallelogram")
    up = ((0, 1), (2, 1))
    m.add("left", link((0, 0), up[0]))
    m.add("top", link(*up))
    m.add("right", link((2, 0), up[1]))
    m.add("A", hinge("ground", "left", (0, 0)))
    m.add("B", hinge("left", "top", up[0]))
    m.add("C", hinge("top", "right", up[1]))
    m.add("D", hinge("ground", "right", (2, 0)))
    return m


@pytest.mark.parametrize("output", [100, 97, 20])
def test_branching_is_named(output):
    """Driven through its flat position, the parallelogram can go on as itself or as an antiparallelogram."""
    m = parallelogram()
    m.add("motor", ww.JointDriver(joint="A", value="0.5*t"))
    r = m.kinematics(end=5, output=output)
    assert r.outcome.good
    assert "branch" in r.report
    flat = np.pi / 2 / 0.5
    assert f"t = {flat:.6g}" in r.report
    # it stays a parallelogram: that is the continuation with finite accelerations
    assert r["right.w.y"].to_numpy() == pytest.approx(0.5, abs=1e-6)


@pytest.mark.slow
def test_no_branching_where_there_is_none():
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    r = m.kinematics(end=2, output=100)
    assert "branch" not in r.report


def test_freedoms_without_driver_are_an_error():
    with pytest.raises(ww.ModelError, match="leave 1 degree of freedom"):
        pendulum().kinematics(end=1)


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
